import { type Outcome, row } from '../outcome.ts'
import { ask, askedFrom, cpuMicros, pause, start } from '../processes.ts'
import type { BareSmpp } from '../programs/bare-smpp.ts'
import type { Journey, JourneyResult } from '../programs/journey.ts'
import { startKannelGateway } from '../subjects/kannel.ts'
import { headers, posted, startService } from '../subjects/nuncio.ts'
import { call } from './backlog.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** The most parts in flight, of everybody. */
const window = 100

/** What the way over SMPP is measured with. */
export interface OverSmppPlan {
  readonly rounds: number
  readonly messages: number
  readonly hasKannel: boolean
}

/**
 * HTTP to SMPP to receipt to HTTP, as fast as messages are accepted: the service, and Kannel, over the
 * same message centre, which has the client's core. Beside them a loop that only submits and is receipted.
 */
export async function overSmpp({ rounds, messages, hasKannel }: OverSmppPlan): Promise<Outcome[]> {
  const [ours, theirs]: [JourneyResult[], JourneyResult[]] = [[], []]
  const bare: number[] = []
  const cpu: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const found = await throughNuncio(messages)
    ours.push(found)
    cpu.push(...found.cpu)
    if (hasKannel) theirs.push(await throughKannel(messages))
    bare.push(await throughLoop(messages))
  }
  const lost = (found: readonly JourneyResult[]): number =>
    found.reduce((sum, { missing }) => sum + missing, 0)
  const kannel = row(
    'Kannel',
    'contender',
    theirs.map(({ arrived }) => arrived),
  )
  return [
    {
      work: 'smpp',
      title: `Accepted to notified over SMPP, ${messages.toLocaleString('en')} messages at once`,
      unit: 'messages/s',
      isLessBetter: false,
      rows: [
        {
          ...row(
            'Nuncio',
            'ours',
            ours.map(({ arrived }) => arrived),
          ),
          cpuMicros: cpu,
        },
        row('a bare loop of npm smpp', 'ceiling', bare),
        ...(hasKannel ? [kannel] : []),
      ],
      notes: [`Never notified: ${lost(ours)} of ours, ${lost(theirs)} of Kannel’s.`],
    },
  ]
}

/** The loop keeps nothing, has no HTTP on either side, and no client beside the message centre. */
async function throughLoop(messages: number): Promise<number> {
  await using smsc = await start('smsc.ts', '', askedFrom)
  await using loop = await start('bare-smpp.ts')
  const { to, body } = posted
  const work: BareSmpp = { port: smsc.port, messages, window, to: to.slice(1), body }
  const { perSecond } = await ask<{ perSecond: number }>(loop.process, work)
  return perSecond
}

interface Ours extends JourneyResult {
  readonly cpu: readonly number[]
}

async function throughNuncio(messages: number): Promise<Ours> {
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
  const before = cpuMicros(service.pid)
  const found = await ask<JourneyResult>(client.process, work)
  const after = cpuMicros(service.pid)
  return { ...found, cpu: before === null || after === null ? [] : [(after - before) / messages] }
}

async function throughKannel(messages: number): Promise<JourneyResult> {
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
  return await ask<JourneyResult>(client.process, work)
}

async function untilBound(isBound: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    if (await isBound()) return
    await pause(50)
  }
  throw new Error('the carrier was not bound in 20 s')
}
