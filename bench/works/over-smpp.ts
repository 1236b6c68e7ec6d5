import { type Outcome, row } from '../outcome.ts'
import { ask, askedFrom, pause, start } from '../processes.ts'
import type { Journey, JourneyResult } from '../programs/journey.ts'
import { startKannelGateway } from '../subjects/kannel.ts'
import { headers, posted, startService } from '../subjects/nuncio.ts'
import { call } from './backlog.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** What the way over SMPP is measured with. */
export interface OverSmppPlan {
  readonly rounds: number
  readonly messages: number
  readonly hasKannel: boolean
}

/**
 * HTTP to SMPP to receipt to HTTP, as fast as messages are accepted: the service, and Kannel, over the
 * same message centre, which has the client's core.
 */
export async function overSmpp({ rounds, messages, hasKannel }: OverSmppPlan): Promise<Outcome[]> {
  const [ours, theirs]: [JourneyResult[], JourneyResult[]] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await throughNuncio(messages))
    if (hasKannel) theirs.push(await throughKannel(messages))
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
        row(
          'Nuncio',
          'ours',
          ours.map(({ arrived }) => arrived),
        ),
        ...(hasKannel ? [kannel] : []),
      ],
      notes: [`Never notified: ${lost(ours)} of ours, ${lost(theirs)} of Kannel’s.`],
    },
  ]
}

async function throughNuncio(messages: number): Promise<JourneyResult> {
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
      window: 100,
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
  return await ask<JourneyResult>(client.process, work)
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
