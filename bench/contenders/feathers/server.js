// Feathers as its guide makes an application with SQLite: Koa and the knex adapter. No key is
// checked, and no field.
import { randomUUID } from 'node:crypto'
import { feathers } from '@feathersjs/feathers'
import { bodyParser, errorHandler, koa, parseAuthentication, rest } from '@feathersjs/koa'
import { KnexService } from '@feathersjs/knex'
import knex from 'knex'

const database = knex({
  client: 'better-sqlite3',
  connection: { filename: process.env.FILE },
  useNullAsDefault: true,
})
// Its own default is SQLite's: a rollback journal. The comparison is with the faster one.
await database.raw('pragma journal_mode = WAL')

const app = koa(feathers())
app.use(errorHandler())
app.use(parseAuthentication())
app.use(bodyParser())
app.configure(rest())
app.use(
  'messages',
  new KnexService({
    Model: database,
    name: 'messages',
    id: 'id',
    paginate: { default: 50, max: 50 },
  }),
)
app.service('messages').hooks({
  before: {
    create: [
      async (context) => {
        const now = new Date().toISOString()
        const id = `message_${randomUUID()}`
        context.data = { id, ...context.data, createdAt: now, updatedAt: now }
      },
    ],
  },
})
await app.listen(Number(process.env.PORT), '127.0.0.1')
