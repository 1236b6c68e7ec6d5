import { ask, askedFrom, cpuMicros, pause, type Running, start } from '../processes.ts'
import type { LoadResult, SentRequest } from '../put-load.ts'
import { headers, posted, type Service, startService } from '../subjects/nuncio.ts'
import { temporaryFolder } from '../works/temporary-folder.ts'

/** The cost of a request in two trees, taken one right after the other, in microseconds of CPU. */
export interface Pair {
  readonly old: number
  readonly now: number
}

/** What the guard looks at. */
export const guarded = ['get', 'list', 'post', 'put', 'start'] as const

/** The name of one of them. */
export type Guarded = (typeof guarded)[number]

/** How much is measured. */
export interface Effort {
  /** Of each work, with one pair of processes. */
  readonly pairs: number
  /** Seconds of load in each run. */
  readonly seconds: number
}

/** Messages that lists find. */
const messages = 300

/** Seconds of load before anything counts: the engine compiles what is run often. */
const warmUpSeconds = 1.5

/** What goes on after a request was answered belongs to it. */
const afterMs = 30

/** Starts the service of both trees, over stores of their own, and measures them in turn. */
export async function measure(
  trees: { readonly old: string; readonly now: string },
  works: readonly Guarded[],
  { pairs, seconds }: Effort,
): Promise<Map<Guarded, readonly Pair[]>> {
  using oldFolder = temporaryFolder()
  using nowFolder = temporaryFolder()
  await using old = await begin(trees.old, oldFolder.path)
  await using now = await begin(trees.now, nowFolder.path)
  await using client = await start('load.ts', '', askedFrom)
  const [oldId, nowId] = [await fill(old.service), await fill(now.service)]

  const found = new Map<Guarded, readonly Pair[]>()
  if (works.includes('start')) found.set('start', [{ old: old.startCpu, now: now.startCpu }])
  for (const work of works.filter((name) => name !== 'start')) {
    const cost = (service: Service, id: string, wanted: number): Promise<number> =>
      costOf(client, service, requestFor(work, id), wanted)
    await cost(old.service, oldId, warmUpSeconds)
    await cost(now.service, nowId, warmUpSeconds)
    const own: Pair[] = []
    for (let pair = 0; pair < pairs; pair += 1) {
      if (pair % 2 === 0) {
        const before = await cost(old.service, oldId, seconds)
        own.push({ old: before, now: await cost(now.service, nowId, seconds) })
      } else {
        const before = await cost(now.service, nowId, seconds)
        own.push({ now: before, old: await cost(old.service, oldId, seconds) })
      }
    }
    found.set(work, own)
  }
  return found
}

interface Begun extends AsyncDisposable {
  readonly service: Service
  readonly startCpu: number
}

async function begin(tree: string, folder: string): Promise<Begun> {
  const service = await startService(`sqlite:${folder}/nuncio.db`, folder, 0, tree)
  const startCpu = cpuMicros(service.pid) ?? service.startMs * 1000
  return { service, startCpu, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() }
}

/** Sends the messages that are listed. They stay as they are: they are for later. */
async function fill({ base }: Service): Promise<string> {
  let id = ''
  for (let index = 0; index < messages; index += 1) {
    const answer = await fetch(`${base}/messages`, {
      method: 'POST',
      headers,
      body: later(`number ${index}`),
    })
    const made: { readonly id?: string } = JSON.parse(await answer.text())
    if (made.id === undefined) throw new Error(`a message was not accepted: ${answer.status}`)
    id = made.id
  }
  return id
}

function requestFor(work: Guarded, id: string): SentRequest {
  const common = { headers, body: '', method: 'GET' }
  switch (work) {
    case 'get':
    case 'start':
      return { ...common, paths: [`/v1/messages/${id}`] }
    case 'list':
      return { ...common, paths: ['/v1/messages?status.type=SCHEDULED&sort=id_desc'] }
    case 'post':
      return { ...common, method: 'POST', body: later(posted.body), paths: ['/v1/messages'] }
    case 'put': {
      const body = JSON.stringify({ name: 'Ada Lovelace', address: posted.to })
      return { ...common, method: 'PUT', body, paths: ['/v1/contacts/ada'] }
    }
  }
}

function later(body: string): string {
  const scheduledAt = new Date(Date.now() + 30 * 86_400_000).toISOString()
  return JSON.stringify({ ...posted, body, scheduledAt })
}

/** CPU of the service for a request; where it cannot be read, the time that a request takes of it. */
async function costOf(
  client: Running,
  { pid, port }: Service,
  request: SentRequest,
  seconds: number,
): Promise<number> {
  const before = cpuMicros(pid)
  const load = { port, request, connections: 8, seconds }
  const { answers, perSecond, statuses } = await ask<LoadResult>(client.process, load)
  const refused = Object.keys(statuses).filter((status) => !status.startsWith('2'))
  if (refused.length > 0) throw new Error(`the service answered ${JSON.stringify(statuses)}`)
  await pause(afterMs)
  const after = cpuMicros(pid)
  return before === null || after === null ? 1e6 / perSecond : (after - before) / answers
}
