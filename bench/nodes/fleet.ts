import { Client } from 'pg'
import { ask, askedFrom, cpuMicros, pause, type Running, start } from '../processes.ts'
import type { Journey, JourneyResult } from '../programs/journey.ts'
import type { LoadResult } from '../put-load.ts'
import { headers, posted, type Service, startService } from '../subjects/nuncio.ts'
import { call, makeBacklog, untilHad } from '../works/backlog.ts'
import { temporaryFolder } from '../works/temporary-folder.ts'

/** Nodes over one database. */
export interface Fleet extends AsyncDisposable {
  readonly nodes: readonly Service[]
}

/** What nodes came to when messages were only accepted. */
export interface Accepted {
  readonly perSecond: number
  /** Messages in a transaction, on average. */
  readonly size: number
  /** CPU of the nodes for a message. */
  readonly cpuMicros: number
}

/** Connections of clients, over all nodes. */
export const connections = 96

/** Messages sent before those that are measured. */
export const warmUp = 200

/** Nodes know of each other, and share webhooks out, within this time. */
const spreadMs = 10_000

/** Starts so many nodes over an empty database, on the core of the clients: the other one is the server's. */
export async function startFleet(url: string, count: number): Promise<Fleet> {
  const opened = new AsyncDisposableStack()
  const folder = opened.use(temporaryFolder())
  const nodes: Service[] = []
  for (let at = 0; at < count; at += 1) {
    nodes.push(opened.use(await startService(url, folder.path, 0, undefined, askedFrom)))
  }
  return { nodes, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** Accepts messages that are not to be sent yet. */
export async function accept({ nodes }: Fleet, url: string, seconds: number): Promise<Accepted> {
  const [first] = nodes
  if (first === undefined) throw new Error('there are no nodes')
  const request = await first.request('postLater')
  if (request === null) throw new Error('there is no such request')
  const load = async (forSeconds: number): Promise<readonly LoadResult[]> => {
    const clients = await Promise.all(nodes.map(() => start('load.ts', '', askedFrom)))
    const share = Math.ceil(connections / nodes.length)
    const results = await Promise.all(
      clients.map((client, index) =>
        ask<LoadResult>(client.process, {
          port: nodes[index]?.port ?? 0,
          request,
          connections: share,
          seconds: forSeconds,
        }),
      ),
    )
    for (const client of clients) await client[Symbol.asyncDispose]()
    return results
  }
  await load(1)
  const before = cpuOf(nodes)
  const results = await load(seconds)
  const answers = results.reduce((sum, { statuses }) => sum + (statuses['201'] ?? 0), 0)
  const used = cpuOf(nodes) - before
  const perSecond = results.reduce(
    (sum, { perSecond: rate, answers: all, statuses }) =>
      sum + (rate * (statuses['201'] ?? 0)) / all,
    0,
  )
  return { perSecond, size: await transactionSize(url), cpuMicros: used / answers }
}

/** Sends messages the whole way, as fast as they are accepted. Returns how many were notified a second. */
export async function travel({ nodes }: Fleet, messages: number): Promise<JourneyResult> {
  const [first] = nodes
  if (first === undefined) throw new Error('there are no nodes')
  await using client = await start('journey.ts', '', askedFrom)
  const url = `http://127.0.0.1:${client.port}/hook`
  await call(first, 'PUT', '/webhooks/journey', { url })
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const work: Journey = {
    port: first.port,
    ports: nodes.map(({ port }) => port),
    head: `POST /v1/messages HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines.join('')}`,
    body: JSON.stringify({ ...posted, userSuppliedId: 'n{n}' }),
    perSecond: 0,
    messages,
    connections,
  }
  await ask<JourneyResult>(client.process, { ...work, messages: warmUp })
  const result = await ask<JourneyResult>(client.process, work)
  await call(first, 'DELETE', '/webhooks/journey')
  return result
}

const webhooks = 20

/** Delivers a backlog, at most 100 records in a request. Returns records a second. */
export async function deliver({ nodes }: Fleet, records: number): Promise<number> {
  const [first] = nodes
  if (first === undefined) throw new Error('there are no nodes')
  await using sink: Running = await start('sink.ts', '', askedFrom)
  const url = `http://127.0.0.1:${sink.port}/hook`
  const names = Array.from({ length: webhooks }, (_, index) => `sink${index}`)
  for (const name of names) await call(first, 'PUT', `/webhooks/${name}`, { url, active: false })
  await makeBacklog(first, records / webhooks, 'sink0')
  if (nodes.length > 1) await pause(spreadMs)
  const began = performance.now()
  for (const name of names) await call(first, 'PATCH', `/webhooks/${name}`, { active: true })
  await untilHad(sink, records)
  return records / ((performance.now() - began) / 1000)
}

function cpuOf(nodes: readonly Service[]): number {
  return nodes.reduce((sum, { pid }) => sum + (cpuMicros(pid) ?? 0), 0)
}

/** How many messages share a transaction: the number of the one that wrote it stands in each row. */
async function transactionSize(url: string): Promise<number> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query({
      text: 'select count(*)::float / greatest(count(distinct xmin::text), 1) from "c/messages"',
      rowMode: 'array',
    })
    return Number(rows[0]?.[0] ?? 1)
  } finally {
    await client.end()
  }
}
