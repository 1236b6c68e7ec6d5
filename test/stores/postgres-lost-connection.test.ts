import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Client } from 'pg'
import { accountId } from '../../src/core/account.ts'
import { systemClock } from '../../src/core/ports/clock.ts'
import { openLog } from '../../src/cli/log.ts'
import { sampleCollections } from '../conformance/sample-collections.ts'
import { everything } from '../conformance/sample-notifications.ts'
import { lending } from '../../src/stores/postgres/connection/pool.ts'
import { servers } from '../../src/stores/postgres/connection/servers.ts'
import { watch } from '../../src/stores/postgres/commits/watch.ts'
import { noPostgres, testDatabase } from '../support/postgres/database.ts'
import { openPostgres } from '../support/postgres/open-store.ts'

const skip = await noPostgres()

describe('an idle connection that is lost', { skip }, () => {
  it('is logged in a short line, with the cause', async () => {
    const lines: string[] = []
    const written = Promise.withResolvers<void>()
    const write = (line: string): void => {
      lines.push(line)
      if (line.includes('idle store connection failed')) written.resolve()
    }
    const log = openLog('info', { terminal: false, write }, systemClock)
    await using store = await openPostgres(sampleCollections, log)
    await store.log.read(accountId('ours'), null, everything, 1)
    const client = new Client({ connectionString: store.url })
    await client.connect()

    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and query not like 'listen%'`,
    )
    await written.promise
    await client.end()

    const line = lines.find((each) => each.includes('idle store connection failed')) ?? ''
    assert.match(
      line,
      /terminating connection due to administrator command|Connection terminated unexpectedly|ECONNRESET/,
    )
    assert.ok(line.length < 500, `${line.length} characters`)
  })
})

describe('a pool without a free connection', { skip }, () => {
  it('says so, instead of that the server is away', async () => {
    await using database = await testDatabase()
    const config = { connectionString: database.url, connectionTimeoutMillis: 1000 }
    const pool = lending({
      name: 'writes',
      max: 1,
      config,
      servers: servers([database.url]),
      watch: watch(() => config, systemClock),
      clock: systemClock,
      log: () => {},
    })
    await pool.lend(async () => {
      await assert.rejects(
        pool.lend(() => assert.fail('there is no second connection')),
        /all 1 connections of the pool "writes" are busy/,
      )
    })
    await pool.close()
  })
})
