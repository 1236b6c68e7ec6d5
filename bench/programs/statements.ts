import { DatabaseSync } from 'node:sqlite'

/** What bare statements can do: a table of texts by identifier, as the service keeps them. */
export interface Statements {
  readonly file: string
  readonly rows: number
  readonly doc: string
  readonly seconds: number
}

// The ceiling of a store: prepared statements in a tight loop, nothing around them. Asked for one, it
// says how many a second.
const { file, rows, doc, seconds }: Statements = JSON.parse(process.argv[2] ?? '{}')
const database = new DatabaseSync(file)
database.exec('pragma journal_mode = wal; pragma synchronous = full')
database.exec('create table if not exists messages (id integer primary key, status text, doc text)')
database.exec('create index if not exists by_status on messages (status, id)')
const insert = database.prepare('insert into messages (status, doc) values (?, ?)')
if (Number(database.prepare('select count(*) as n from messages').get()?.['n']) === 0) {
  database.exec('begin')
  for (let index = 0; index < rows; index += 1) insert.run(index % 50 === 3 ? 'F' : 'D', doc)
  database.exec('commit')
}
const byId = database.prepare('select doc from messages where id = ?')
const list = database.prepare(
  `select doc from messages where status = 'D' order by id desc limit 50`,
)

const works: Readonly<Record<string, (run: number) => void>> = {
  'sqlite-get': (run) => void byId.get(((run * 7919) % rows) + 1),
  'sqlite-list': () => void list.all(),
  'sqlite-insert': () => void insert.run('D', doc),
  'sqlite-insert-64': () => {
    database.exec('begin immediate')
    for (let index = 0; index < 64; index += 1) insert.run('D', doc)
    database.exec('commit')
  },
}

process.on('message', (name: string) => {
  const work = works[name]
  if (work === undefined) return
  const until = performance.now() + seconds * 1000
  const began = performance.now()
  let run = 0
  for (; performance.now() < until; run += 1) work(run)
  process.send?.(run / ((performance.now() - began) / 1000))
})
process.on('disconnect', () => process.exit())
process.send?.({ port: 0 })
