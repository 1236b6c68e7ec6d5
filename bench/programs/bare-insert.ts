import { fdatasync, openSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { columns, flatMessage, type FlatMessage, makeTable } from '../columns.ts'

// The ceiling of a durable POST over `node:http` and SQLite: nothing is asked of who sends, nothing is
// checked, a row is inserted by one prepared statement. Like the service it shares commits, and flushes
// the write-ahead log beside its own thread before it answers.
const file = process.argv[2] ?? ''
makeTable(file, 0)
const database = new DatabaseSync(file)
database.exec('pragma journal_mode = wal; pragma synchronous = normal')
database.exec('pragma wal_autocheckpoint = 4000')
database.exec('begin immediate; create table begun (id integer); commit')
const log = openSync(`${file}-wal`, 'r+')
const names = columns.map((name) => `"${name}"`).join(', ')
const places = columns.map(() => '?').join(', ')
const insert = database.prepare(`insert into messages (${names}) values (${places})`)
const usual = flatMessage(0, 1)
/** In the order of time, as the service makes them: each page of the index is written while it is hot. */
let last = 0

interface Waiting {
  readonly made: FlatMessage
  readonly response: ServerResponse
}

let waiting: Waiting[] = []
let isFlushing = false

function commit(): void {
  if (isFlushing || waiting.length === 0) return
  const group = waiting
  waiting = []
  database.exec('begin immediate')
  for (const { made } of group) insert.run(...columns.map((name) => made[name]))
  database.exec('commit')
  isFlushing = true
  fdatasync(log, (error) => {
    if (error !== null) throw error
    isFlushing = false
    for (const { made, response } of group) answer(made, response)
    setImmediate(commit)
  })
}

function answer(made: FlatMessage, response: ServerResponse): void {
  const body = JSON.stringify(made)
  const length = Buffer.byteLength(body)
  response.writeHead(201, { 'content-type': 'application/json', 'content-length': length })
  response.end(body)
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const createdAt = new Date().toISOString()
    last += 1
    const own = { id: `message_${createdAt}${last}`, createdAt, updatedAt: createdAt }
    const given: Partial<FlatMessage> = JSON.parse(Buffer.concat(chunks).toString())
    waiting.push({ made: { ...usual, ...given, ...own }, response })
    if (waiting.length === 1) setImmediate(commit)
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) process.send?.({ port: address.port })
})
process.on('disconnect', () => process.exit())
