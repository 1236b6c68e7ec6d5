import { type Outcome, row } from '../outcome.ts'
import { freePort } from '../../test/support/free-ports.ts'
import { ask, askedFrom, cpuMicros, start } from '../processes.ts'
import { startService } from '../subjects/nuncio.ts'
import { call, type Counted, makeBacklog, untilHad } from './backlog.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** What many webhooks are measured with. */
export interface DeadWebhooksPlan {
  readonly rounds: number
  readonly webhooks: number
  /** Messages, each of which goes to every webhook. */
  readonly messages: number
}

const allAlive = 'Nuncio, all webhooks alive'

/**
 * Records a second that the living ones get, each at an origin of its own, with all of them alive and
 * with a tenth dead: half of these refuse the connection, half take the request and never answer.
 */
export async function deadWebhooks(plan: DeadWebhooksPlan): Promise<Outcome[]> {
  const [alive, dead]: [Drained[], Drained[]] = [[], []]
  for (let round = 0; round < plan.rounds; round += 1) {
    alive.push(await drain(plan, 0))
    dead.push(await drain(plan, Math.floor(plan.webhooks / 10)))
  }
  const dying = 'Nuncio, a tenth dead'
  return [
    {
      work: 'webhooks',
      title: `${plan.messages} messages to ${plan.webhooks} webhooks, a tenth of them dead`,
      unit: 'records/s',
      isLessBetter: false,
      rows: [
        { ...row(dying, 'ours', dead.map(rate)), cpuMicros: dead.flatMap(({ cpu }) => cpu) },
        {
          ...row(allAlive, 'ceiling', alive.map(rate)),
          cpuMicros: alive.flatMap(({ cpu }) => cpu),
        },
      ],
      notes: ['Records that the living ones get; the ratio is what the dead ones leave of it.'],
    },
  ]
}

interface Drained {
  readonly perSecond: number
  readonly cpu: readonly number[]
}

const rate = ({ perSecond }: Drained): number => perSecond

async function drain({ webhooks, messages }: DeadWebhooksPlan, dead: number): Promise<Drained> {
  using folder = temporaryFolder()
  const silent = Math.floor(dead / 2)
  const wanted = { addresses: webhooks - dead + silent, silent }
  await using sink = await start('sink.ts', JSON.stringify(wanted), askedFrom)
  await using service = await startService(`sqlite:${folder.path}/nuncio.db`, folder.path)
  const { ports } = await ask<Counted>(sink.process)
  const refusing = await freePort()
  const names = Array.from({ length: webhooks }, (_, index) => `hook${index}`)
  for (const [index, name] of names.entries()) {
    const url = `http://127.0.0.1:${ports[index] ?? refusing}/hook`
    const settings = { url, active: false, timeoutMs: 1000 }
    await call(service, 'PUT', `/webhooks/${name}`, settings)
  }
  await makeBacklog(service, messages, 'hook0')
  const before = cpuMicros(service.pid)
  const began = performance.now()
  // The dead ones first: they have their places when the living ones come.
  await Promise.all(
    Array.from({ length: 16 }, async (_, lane) => {
      for (let index = webhooks - 1 - lane; index >= 0; index -= 16) {
        await call(service, 'PATCH', `/webhooks/${names[index]}`, { active: true })
      }
    }),
  )
  const records = messages * (webhooks - dead)
  await untilHad(sink, records)
  const seconds = (performance.now() - began) / 1000
  const after = cpuMicros(service.pid)
  const cpu = before === null || after === null ? [] : [(after - before) / records]
  return { perSecond: records / seconds, cpu }
}
