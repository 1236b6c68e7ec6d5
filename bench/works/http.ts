import { type Measured, type Pace, interleave } from '../interleave.ts'
import type { Outcome } from '../outcome.ts'
import { bareHttp, bareHttpName, bareInsert, bareInsertName } from '../subjects/bare-http.ts'
import type { Candidate, HttpWork, Subject } from '../subjects/subject.ts'

/** A work that is one request, over and over. */
export interface HttpWorkRow {
  readonly work: string
  readonly request: HttpWork
  readonly title: string
  readonly connections: number
  /** There is a ceiling that inserts a row, too. */
  readonly inserts?: boolean
}

/** A candidate that has been started. */
export interface Started {
  readonly candidate: Candidate
  readonly subject: Subject
}

/** The works over HTTP, in the order in which they are measured: what only reads comes first. */
export const httpWorks: readonly HttpWorkRow[] = [
  { work: 'get', request: 'get', title: 'GET by id', connections: 64 },
  {
    work: 'list',
    request: 'list',
    title: 'GET a list of 50, filtered by status, newest first',
    connections: 64,
  },
  { work: 'page', request: 'page', title: 'GET the last page by its number', connections: 16 },
  { work: 'after', request: 'after', title: 'GET the last page by a cursor', connections: 64 },
  { work: 'search', request: 'search', title: 'Search for a rare word', connections: 16 },
  { work: 'put', request: 'put', title: 'PUT the same again', connections: 64 },
  { work: 'post-1', request: 'post', title: 'POST, 1 connection', connections: 1 },
  { work: 'post-8', request: 'post', title: 'POST, 8 connections', connections: 8 },
  { work: 'post-64', request: 'post', title: 'POST, 64 connections', connections: 64 },
  {
    work: 'post-record-64',
    request: 'postRecord',
    title: 'POST the record that all of them keep, 64 connections',
    connections: 64,
    inserts: true,
  },
  {
    work: 'post-later-64',
    request: 'postLater',
    title: 'POST a message to be sent later, 64 connections',
    connections: 64,
  },
]

/** Measures one of them: the ceiling and each candidate that has such a thing, in turn. */
export async function httpWork(
  { work, request: kind, title, connections, inserts = false }: HttpWorkRow,
  started: readonly Started[],
  pace: Pace,
): Promise<Outcome> {
  const measured: Measured[] = []
  for (const { candidate, subject } of started) {
    const request = await subject.request(kind)
    if (request === null) continue
    const { name, role, connectionsMax = connections } = candidate
    const { port, pid } = subject
    const fewer = Math.min(connections, connectionsMax)
    measured.push({ name, role, port, pid, request, connections: fewer })
  }
  const ours = measured.find(({ role }) => role === 'ours')
  if (ours === undefined) throw new Error('the service itself must be among those measured')
  await using bare = await bareHttp(ours.port, ours.request)
  await using inserting = inserts ? await bareInsert() : null
  const ceiling = { ...ours, role: 'ceiling' } as const
  const ceilings: Measured[] = [{ ...ceiling, name: bareHttpName, port: bare.port, pid: bare.pid }]
  if (inserting !== null) {
    const { port, process } = inserting.running
    ceilings.push({ ...ceiling, name: bareInsertName, port, pid: process.pid ?? 0 })
  }
  const { rows, notes } = await interleave([...ceilings, ...measured], pace)
  return { work, title, unit: 'requests/s', isLessBetter: false, rows, notes }
}
