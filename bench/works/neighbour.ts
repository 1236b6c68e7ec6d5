import type { Attack } from '../../test/process/abuse/attack.ts'
import { bodies } from '../../test/process/abuse/attacks/connections/bodies.ts'
import { drippingReceivers } from '../../test/process/abuse/attacks/dripping-receivers.ts'
import { idleConnections } from '../../test/process/abuse/attacks/connections/idle-connections.ts'
import { largePages } from '../../test/process/abuse/attacks/large-pages.ts'
import { manyWebhooks } from '../../test/process/abuse/attacks/many-webhooks.ts'
import { queries } from '../../test/process/abuse/attacks/queries.ts'
import { sorts } from '../../test/process/abuse/attacks/sorts.ts'
import { writers } from '../../test/process/abuse/attacks/writers.ts'
import { attackerAccount } from '../../test/process/abuse/clients.ts'
import { filledStore } from '../../test/process/abuse/filled-stores.ts'
import { measureAttack } from '../../test/process/abuse/measure-attack.ts'
import { type Outcome, type Row, row } from '../outcome.ts'

/** The loads of another client, next to which one is measured. */
const loads: readonly Attack[] = [
  sorts,
  queries,
  largePages,
  writers,
  bodies,
  idleConnections,
  manyWebhooks,
  drippingReceivers,
]

/** Fewer requests than in this time have no p99. In seconds. */
const secondsMin = 3

/** The p99 of a quiet client's GET next to each kind of load, over that without it. */
export async function neighbour(plan: {
  readonly rounds: number
  readonly seconds: number
  readonly rows: number
}): Promise<Outcome[]> {
  await using filled = await filledStore('sqlite', attackerAccount, plan.rows)
  const extent = { seconds: Math.max(plan.seconds, secondsMin), size: 1 }
  const measured = new Map<Attack, { ratios: number[]; p50Ms: number[]; p99Ms: number[] }>()
  for (let round = 0; round < plan.rounds; round += 1) {
    for (const load of round % 2 === 0 ? loads : loads.toReversed()) {
      const found = await measureAttack(load, filled, extent)
      const figures = measured.get(load) ?? { ratios: [], p50Ms: [], p99Ms: [] }
      measured.set(load, figures)
      figures.ratios.push(found.attackedMs / found.quietMs)
      figures.p50Ms.push(found.attackedP50Ms)
      figures.p99Ms.push(found.attackedMs)
    }
  }
  const rows = loads.map((load): Row => {
    const { ratios = [], p50Ms = [], p99Ms = [] } = measured.get(load) ?? {}
    return { ...row(load.title, 'contender', ratios), p50Ms, p99Ms }
  })
  return [
    {
      work: 'neighbour',
      title: 'GET of a quiet client next to the load of another',
      unit: 'times its quiet p99',
      isLessBetter: true,
      rows,
      notes: [
        'Each load has a service of its own; the programs are those of `npm run chaos:abuse`.',
      ],
    },
  ]
}
