// A CRUD of one table as a good engineer writes it by hand: prepared statements, schemas for what
// comes in and goes out, an API key, every write its own commit that is flushed before the answer.
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import Database from 'better-sqlite3'
import fastify from 'fastify'
import { columns, textColumns } from '../../columns.ts'

const database = new Database(process.env.FILE)
database.pragma('journal_mode = WAL')
database.pragma('synchronous = FULL')

const names = columns.map((name) => `"${name}"`).join(', ')
const values = columns.map((name) => `@${name}`).join(', ')
const updates = columns.map((name) => `"${name}" = excluded."${name}"`).join(', ')
const one = database.prepare(`select ${names} from messages where id = ?`)
const byStatus = database.prepare(
  `select ${names} from messages where statusType = ? order by id desc limit ? offset ?`,
)
const page = database.prepare(`select ${names} from messages order by id desc limit ? offset ?`)
const below = database.prepare(
  `select ${names} from messages where id < ? order by id desc limit ?`,
)
const search = database.prepare(
  `select ${names} from messages where body like ? order by id desc limit ?`,
)
const insert = database.prepare(`insert into messages (${names}) values (${values})`)
const upsert = database.prepare(
  `insert into messages (${names}) values (${values}) on conflict (id) do update set ${updates}`,
)

const digest = (text) => createHash('sha256').update(text).digest()
const expected = digest(`Bearer ${process.env.KEY}`)
const record = {
  type: 'object',
  properties: Object.fromEntries(
    columns.map((name) => [
      name,
      textColumns.has(name) ? { type: 'string', nullable: true } : { type: 'number' },
    ]),
  ),
}
const written = { ...record, required: ['to', 'body'], additionalProperties: false }
const many = { schema: { response: { 200: { type: 'array', items: record } } } }

const app = fastify()
app.addHook('onRequest', async (request, reply) => {
  const given = digest(request.headers.authorization ?? '')
  if (!timingSafeEqual(given, expected)) return reply.code(401).send({ message: 'no such key' })
})

app.get('/messages/:id', { schema: { response: { 200: record } } }, async (request, reply) => {
  const found = one.get(request.params.id)
  return found ?? reply.code(404).send({ message: 'not found' })
})

app.get('/messages', many, async ({ query }) => {
  const size = 50
  if (query.statusType) return byStatus.all(query.statusType, size, 0)
  if (query.after) return below.all(query.after, size)
  if (query.search) return search.all(`%${query.search}%`, size)
  return page.all(size, ((Number(query.page) || 1) - 1) * size)
})

app.post('/messages', { schema: { body: written } }, async (request, reply) => {
  const made = complete({ ...request.body, id: `message_${randomUUID()}` })
  insert.run(made)
  return reply.code(201).header('location', `/messages/${made.id}`).send(made)
})

app.route({
  method: 'PUT',
  url: '/messages/:id',
  schema: { body: written },
  handler: (request, reply) => {
    const made = complete({ ...request.body, id: request.params.id })
    upsert.run(made)
    return reply.send(made)
  },
})

function complete(given) {
  const now = new Date().toISOString()
  const made = { type: 'SENT', from: 'Nuncio', encoding: 'TEXT', statusType: 'ACCEPTED', ...given }
  for (const name of columns) made[name] ??= textColumns.has(name) ? null : 0
  return { ...made, createdAt: now, updatedAt: now }
}

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
