import { interleave, type Pace } from '../interleave.ts'
import { type Outcome, type Row, row } from '../outcome.ts'
import { memoryOf } from '../processes.ts'
import { nuncio, type Service } from '../subjects/nuncio.ts'
import type { HttpWork } from '../subjects/subject.ts'

/** A store and the messages in it. */
export interface Filled {
  readonly folder: string
  readonly rows: number
}

const works: readonly (readonly [HttpWork, string])[] = [
  ['get', 'GET by id'],
  ['list', 'GET a list of 50, filtered'],
  ['after', 'GET the last page by a cursor'],
  ['page', 'GET the last page by its number'],
  ['search', 'Search for a rare word'],
  ['postLater', 'POST a message to be sent later'],
]

/** How each work grows with the messages in the store: the same request over stores of several sizes, in turn. */
export async function growth(stores: readonly Filled[], pace: Pace): Promise<Outcome[]> {
  const services: { readonly store: Filled; readonly service: Service }[] = []
  try {
    for (const store of stores) {
      services.push({ store, service: await nuncio.launch(store.folder, store.rows) })
    }
    const outcomes: Outcome[] = []
    for (const [work, title] of works) {
      const measured = []
      for (const { store, service } of services) {
        const request = await service.request(work)
        if (request === null) continue
        const { port, pid } = service
        const name = `${store.rows} messages`
        const role = store === stores.at(-1) ? 'ours' : 'ceiling'
        measured.push({ name, role, port, pid, request, connections: 8 } as const)
      }
      const { rows, notes } = await interleave(measured, pace)
      outcomes.push(outcome(`growth-${work}`, title, 'requests/s', rows, notes))
      if (work === 'list') outcomes.push(await firstAgainstDeep(services.at(-1), pace))
    }
    const memory = services.map(({ store, service }) =>
      row(`${store.rows} messages`, store === stores.at(-1) ? 'ours' : 'ceiling', [
        memoryOf(service.pid)?.now ?? 0,
      ]),
    )
    outcomes.push(outcome('growth-memory', 'Memory after these works', 'MB', memory, []))
    return outcomes
  } finally {
    for (const { service } of services) await service[Symbol.asyncDispose]()
  }
}

function outcome(
  work: string,
  title: string,
  unit: string,
  rows: readonly Row[],
  notes: readonly string[],
): Outcome {
  return { work, title, unit, isLessBetter: unit === 'MB', rows, notes }
}

/** The first page and one far behind it, of the largest store: the same messages, from either end. */
async function firstAgainstDeep(
  last: { readonly store: Filled; readonly service: Service } | undefined,
  pace: Pace,
): Promise<Outcome> {
  if (last === undefined) throw new Error('growth needs a store')
  const { store, service } = last
  const deep = await service.request('after')
  if (deep === null) throw new Error('there is no deep page')
  const { port, pid } = service
  const common = { port, pid, connections: 8 }
  // From the other end, so that both have the same messages: a page with an umlaut is dearer to write.
  const first = { ...deep, paths: ['/v1/messages?sort=id_asc'] }
  const { rows, notes } = await interleave(
    [
      { ...common, name: 'the last page by its cursor', role: 'ours', request: deep },
      { ...common, name: 'the first page', role: 'ceiling', request: first },
    ],
    pace,
  )
  const title = `The last page by its cursor beside the first, ${store.rows.toLocaleString('en')} messages`
  return { work: 'deep', title, unit: 'requests/s', isLessBetter: false, rows, notes }
}
