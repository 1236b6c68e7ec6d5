import type { ChildProcess } from 'node:child_process'
import { type Outcome, type Row, row } from '../outcome.ts'
import { ask, askedFrom, cpuMicros, pause, start } from '../processes.ts'
import type { BareSmpp } from '../programs/bare-smpp.ts'
import type { Journey } from '../programs/journey.ts'
import { startKannelGateway } from '../subjects/kannel.ts'
import type { Role } from '../subjects/subject.ts'
import { headers, posted, startService } from '../subjects/nuncio.ts'
import { call } from './backlog.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** The most parts in flight, of everybody. */
const window = 100

/** What the way over SMPP is measured with. */
export interface OverSmppPlan {
  readonly rounds: number
  readonly messages: number
  /** So many go before, unmeasured. */
  readonly warmUp: number
  readonly hasKannel: boolean
}

/**
 * HTTP to SMPP to receipt to HTTP, as fast as messages are accepted: the service, and Kannel, over the
 * same message centre, which has the client's core. Beside them a loop that only submits and is receipted.
 */
export async function overSmpp(plan: OverSmppPlan): Promise<Outcome[]> {
  const { rounds, messages, hasKannel } = plan
  const ours: Measured[] = []
  const theirs: Measured[] = []
  const bare: Measured[] = []
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await throughNuncio(plan))
    if (hasKannel) theirs.push(await throughKannel(plan))
    bare.push(await throughLoop(plan))
  }
  const lost = (found: readonly Measured[]): number =>
    found.reduce((sum, { missing }) => sum + missing, 0)
  return [
    {
      work: 'smpp',
      title: `Accepted to notified over SMPP, ${messages.toLocaleString('en')} messages at once`,
      unit: 'messages/s',
      isLessBetter: false,
      rows: [
        rowOf('Nuncio', 'ours', ours),
        rowOf('a bare loop of npm smpp', 'ceiling', bare),
        ...(hasKannel ? [rowOf('Kannel', 'contender', theirs)] : []),
      ],
      notes: [`Never notified: ${lost(ours)} of ours, ${lost(theirs)} of Kannel’s.`],
    },
  ]
}

/** What came of one of them, and the CPU that it took for each message; none where that cannot be read. */
interface Measured {
  readonly arrived: number
  readonly missing: number
  readonly cpu: readonly number[]
}

function rowOf(subject: string, role: Role, found: readonly Measured[]): Row {
  const values = found.map(({ arrived }) => arrived)
  return { ...row(subject, role, values), cpuMicros: found.flatMap(({ cpu }) => cpu) }
}

/** Runs the work after some of it that is not measured. */
async function measured<W extends { readonly messages: number }>(
  client: ChildProcess,
  work: W,
  warmUp: number,
  pids: readonly number[],
): Promise<Measured> {
  await ask(client, { ...work, messages: warmUp })
  const before = pids.map(cpuMicros)
  const found = await ask<Omit<Measured, 'cpu'>>(client, work)
  const cpu = pids.map((pid, index) => (cpuMicros(pid) ?? NaN) - (before[index] ?? NaN))
  const each = cpu.reduce((sum, micros) => sum + micros, 0) / work.messages
  return { ...found, cpu: Number.isNaN(each) ? [] : [each] }
}

/** The loop keeps nothing, has no HTTP on either side, and no client beside the message centre. */
async function throughLoop({ messages, warmUp }: OverSmppPlan): Promise<Measured> {
  await using smsc = await start('smsc.ts', '', askedFrom)
  await using loop = await start('bare-smpp.ts')
  const { to, body } = posted
  const work: BareSmpp = { port: smsc.port, messages, window, to: to.slice(1), body }
  return await measured(loop.process, work, warmUp, [loop.process.pid ?? 0])
}

async function throughNuncio({ messages, warmUp }: OverSmppPlan): Promise<Measured> {
  using folder = temporaryFolder()
  await using smsc = await start('smsc.ts', '', askedFrom)
  await using service = await startService(`sqlite:${folder.path}/nuncio.db`, folder.path)
  await using client = await start('journey.ts', '', askedFrom)
  await call(service, 'PUT', '/carriers/smsc', {
    type: 'SMPP',
    routes: [{ prefix: '+' }],
    settings: {
      host: '127.0.0.1',
      port: smsc.port,
      systemId: 'nuncio',
      password: 'up',
      window,
    },
  })
  await untilBound(async () => {
    const { state } = (await call(service, 'GET', '/carriers/smsc')) as { state: string }
    return state === 'BOUND'
  })
  const url = `http://127.0.0.1:${client.port}/hook`
  await call(service, 'PUT', '/webhooks/journey', { url })
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const work: Journey = {
    port: service.port,
    head: `POST /v1/messages HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines.join('')}`,
    body: JSON.stringify({ ...posted, userSuppliedId: 'n{n}' }),
    perSecond: 0,
    messages,
    connections: 64,
  }
  return await measured(client.process, work, warmUp, [service.pid])
}

async function throughKannel({ messages, warmUp }: OverSmppPlan): Promise<Measured> {
  using folder = temporaryFolder()
  await using smsc = await start('smsc.ts', '', askedFrom)
  await using client = await start('journey.ts', '', askedFrom)
  await using kannel = await startKannelGateway(folder.path, smsc.port)
  const answerTo = encodeURIComponent(`http://127.0.0.1:${client.port}/dlr?userSuppliedId=n`)
  const parameters = [
    'username=bench&password=bench&from=Nuncio',
    `to=${encodeURIComponent(posted.to)}&text=${encodeURIComponent(posted.body)}`,
    // 1 is delivered.
    `dlr-mask=1&dlr-url=${answerTo}{n}`,
  ]
  const work: Journey = {
    port: kannel.port,
    head: `GET /cgi-bin/sendsms?${parameters.join('&')} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`,
    body: '',
    perSecond: 0,
    messages,
    connections: 64,
  }
  return await measured(client.process, work, warmUp, kannel.pids)
}

async function untilBound(isBound: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    if (await isBound()) return
    await pause(50)
  }
  throw new Error('the carrier was not bound in 20 s')
}
