import { createServer } from 'node:http'
import type { TestContext } from 'node:test'
import { startService, temporaryFolder, type Service } from '../../support/service.ts'

/** The statuses that webhooks are told of, in the order of a message's life. */
export const order = ['ACCEPTED', 'SENT', 'DELIVERED']

const key = 'nuncio_for_the_test_of_several_nodes_on_one_store'

/** What every request of the tests has. */
export const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }

/** Real nodes over one store, each of which may be ended and started again. */
export interface Fleet {
  /** The node in a place; null while it is ended. */
  at(place: number): Service | null
  /** Starts the node of a place, anew. */
  start(place: number): Promise<Service>
  /** Ends the node of a place by a signal. */
  end(place: number, signal: NodeJS.Signals): Promise<void>
  readonly size: number
}

/**
 * Starts nodes; `rolesOf` says what each does, `projectOf` of which version it is, `begun` how many of them
 * are started at once. They end with the test.
 */
export async function startFleet(
  t: TestContext,
  store: string,
  rolesOf: readonly string[],
  projectOf: Readonly<Record<number, string>> = {},
  begun = rolesOf.length,
): Promise<Fleet> {
  const folder = await temporaryFolder(t)
  const nodes: (Service | null)[] = rolesOf.map(() => null)
  const start = async (place: number): Promise<Service> => {
    const environment = {
      NUNCIO_STORE: store,
      NUNCIO_ADMIN_KEY: key,
      NUNCIO_ROLES: rolesOf[place] ?? '',
      NUNCIO_SIMULATOR_DELAY_MS: '20',
      NUNCIO_RETRY_SCHEDULE: '1',
      NUNCIO_LOG: 'error',
    }
    const service = await startService(t, folder, environment, [], projectOf[place])
    nodes[place] = service
    return service
  }
  for (let place = 0; place < begun; place += 1) await start(place)
  return {
    at: (place) => nodes[place] ?? null,
    start,
    end: async (place, signal) => {
      await nodes[place]?.end(signal)
      nodes[place] = null
    },
    size: rolesOf.length,
  }
}

/** What webhooks were told. */
export interface Receiver {
  readonly url: string
  /** What each webhook, by its path, was told of which message, in the order in which that came first. */
  readonly told: ReadonlyMap<string, Set<string>>
  /** How much came more than once. */
  duplicates(): number
  records(): number
}

/** Starts what webhooks lead to; it takes everything, and ends with the test. */
export async function startReceiver(t: TestContext): Promise<Receiver> {
  const told = new Map<string, Set<string>>()
  let [records, duplicates] = [0, 0]
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const seen = told.get(request.url ?? '') ?? new Set<string>()
      told.set(request.url ?? '', seen)
      const given: { id: string; status: { type: string } }[] = JSON.parse(
        Buffer.concat(chunks).toString(),
      )
      for (const { id, status } of given) {
        const name = `${id} ${status.type}`
        records += 1
        if (seen.has(name)) duplicates += 1
        seen.add(name)
      }
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    told,
    duplicates: () => duplicates,
    records: () => records,
  }
}

/** Makes webhooks that are told every status of every message. */
export async function addWebhooks(fleet: Fleet, receiver: Receiver, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const body = JSON.stringify({ url: `${receiver.url}/w${index}`, statuses: order })
    const url = `${fleet.at(0)?.url}/v1/webhooks/w${index}`
    const made = async () => (await fetch(url, { method: 'PUT', headers, body })).status === 200
    while (!(await made())) await pause(500)
  }
}

/** Messages on their way into the fleet. */
export interface Load {
  /** Those that were answered 201. */
  readonly accepted: ReadonlySet<string>
  /** How often which status came. */
  readonly answers: ReadonlyMap<string, number>
  /** How often none came, by what was wrong with the connection; where nobody listens nothing was asked. */
  readonly unanswered: ReadonlyMap<string, number>
  end(): Promise<void>
}

/**
 * Sends from so many clients at once. What is not answered is sent again, as it was, to the next node: its
 * idempotency key keeps it from becoming two messages.
 */
export function startLoad(t: TestContext, fleet: Fleet, clients: number): Load {
  const accepted = new Set<string>()
  const [answers, unanswered] = [new Map<string, number>(), new Map<string, number>()]
  let isOver = false
  t.after(() => {
    isOver = true
  })
  const body = JSON.stringify({ to: '+4915112345678', body: 'hello' })
  const send = async ({ url }: Service, idempotencyKey: string): Promise<number | null> => {
    try {
      const signal = AbortSignal.timeout(5000)
      const fields = { ...headers, 'idempotency-key': idempotencyKey }
      const given = { method: 'POST', headers: fields, body, signal }
      const answer = await fetch(`${url}/v1/messages`, given)
      const { id }: { id: string } = JSON.parse(await answer.text())
      if (answer.status === 201) accepted.add(id)
      count(answers, String(answer.status))
      return answer.status
    } catch (error) {
      count(unanswered, faultOf(error))
      return null
    }
  }
  const client = async (place: number): Promise<void> => {
    let at = place
    for (let sent = 1; !isOver; sent += 1) {
      for (let status: number | null = null; status === null && !isOver;) {
        const node = fleet.at(at % fleet.size)
        status = node === null ? null : await send(node, `${place}-${sent}`)
        if (status === 201) continue
        at += 1
        await pause(20)
      }
    }
  }
  const running = Promise.all(Array.from({ length: clients }, (_, index) => client(index)))
  return {
    accepted,
    answers,
    unanswered,
    end: async () => {
      isOver = true
      await running
    },
  }
}

/** What a load came to, for people. */
export function shownOf({ accepted, answers, unanswered }: Load): string {
  const counts = [...answers, ...unanswered].map(([name, count]) => `${name} ${count}`)
  return `acknowledged ${accepted.size}; ${counts.join(', ')}`
}

/** Why no answer came, such as ECONNREFUSED, where nothing was asked, or ECONNRESET, where it may have been. */
function faultOf(error: unknown): string {
  const { cause, name }: { cause?: { code?: unknown }; name?: unknown } = Object(error)
  return String(cause?.code ?? name)
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

/** What became of the load. */
export interface Outcome {
  /** Messages that were answered 201 and of which some webhook was never told that they are delivered. */
  readonly lost: readonly string[]
  /** Places at which two webhooks were told the same in another order, or a message's life ran backwards. */
  readonly disordered: readonly string[]
}

/** Waits until every webhook was told of every message, or `waitMs` are over, and says what is amiss. */
export async function outcomeOf(load: Load, receiver: Receiver, waitMs: number): Promise<Outcome> {
  const began = performance.now()
  const isTold = (id: string): boolean =>
    [...receiver.told.values()].every((seen) => seen.has(`${id} DELIVERED`))
  let lost = [...load.accepted].filter((id) => !isTold(id))
  while (lost.length > 0 && performance.now() - began < waitMs) {
    await pause(100)
    lost = lost.filter((id) => !isTold(id))
  }
  return { lost, disordered: disorderOf(receiver) }
}

/** Webhooks of one account read the same log: what comes first to one comes first to all. */
function disorderOf({ told }: Receiver): readonly string[] {
  const [first = [], ...others] = [...told.values()].map((seen) => [...seen])
  const faults = first.filter((name, index) => {
    const [id, status = ''] = name.split(' ')
    const before = order[order.indexOf(status) - 1]
    return before !== undefined && !first.slice(0, index).includes(`${id} ${before}`)
  })
  const differing = others.flatMap((other) => {
    const at = other.findIndex((name, index) => name !== first[index])
    return at === -1 ? [] : [`${at}: ${first[at]} and ${other[at]}`]
  })
  return [...faults, ...differing]
}

/** Lets time pass. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
