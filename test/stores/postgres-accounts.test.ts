import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Client } from 'pg'
import { builtIn } from '../../src/collections/built-in.ts'
import { answered } from '../../src/delivery/egress/post.ts'
import { startApi, type TestApi } from '../support/api.ts'
import { noPostgres } from '../support/postgres/database.ts'
import { openPostgres } from '../support/postgres/open-store.ts'
import { patientClock } from '../support/virtual-clock.ts'
import { recordStatements, type Recorded } from './support/recorded.ts'
import { useAsClient } from './support/use-as-client.ts'
import { tablesBeyondAccount } from './support/reach.ts'
import { ownedTables } from '../../src/stores/sql/tables/fixed-tables.ts'

const skip = await noPostgres()

/** What may look over all accounts, and why. A statement that is not meant here names its account. */
const acrossAccounts: readonly (readonly [what: RegExp, why: string])[] = [
  [/from "c\/keys" where "f\/digest" =/, 'whose a request is, its key tells'],
  [/from "c\/numbers" where "f\/address" =/, 'an address belongs to one account of all'],
  [/receipts .*where carrier = \$\d and carrier_message_id = \$\d/s, 'no receipt says whose it is'],
  [
    /(submissions|receipts|consumers|dead_letters)\s+where 1 = 1 and /,
    'a slice: the loops take one after the other',
  ],
  [/^update consumers set .* where 1 = 1 and /, 'a slice too'],
  [/^select count\(\*\), .* from consumers where 1 = 1$/s, 'a node counts its share of a slice'],
  [/^select count\(\*\) from "c\/broadcast_work" where 1 = 1$/, 'the metrics count broadcasts'],
  [/from "?(log_rest|t\/webhooks\/deliveries\/rest)/, 'retention'],
  [/from "c\/webhooks" where 1 = 1/, 'retention and the metrics look through all webhooks'],
]

describe('what a client’s request, a message and a delivery cost PostgreSQL', { skip }, () => {
  it('names the account wherever rows belong to one, so that each is on one shard', async (t) => {
    const clock = patientClock(() => store.health?.pools() ?? [])
    const store = await openPostgres(builtIn, () => {}, { clock })
    const post = async () => ({ outcome: answered(204, null), response: '' })
    using recorded = recordStatements()
    const api = await startApi(t, { clock, store, post })
    const key = { key: await api.newAccount('shop') }

    await useAsClient(api, key)
    await retentionRan(api, recorded)

    const texts = recorded.texts()
    const beyond = await beyondAccount(store.url, texts)
    const unexplained = beyond.filter(([, text]) => reasonFor(text) === undefined)
    const unused = acrossAccounts.filter(([what]) => !beyond.some(([, text]) => what.test(text)))
    assert.ok(texts.length > 60, `only ${texts.length} statements were recorded`)
    assert.deepEqual(unexplained, [])
    assert.deepEqual(unused, [])
  })
})

/** Waits for the last statement of the retention that runs at the start: a busy machine is slow to reach it. */
async function retentionRan(api: TestApi, recorded: Recorded): Promise<void> {
  for (let round = 0; round < 250; round += 1) {
    if (recorded.texts().some((text) => text.startsWith('delete from dead_letters where 1 = 1')))
      return
    await api.clock.advance(0)
  }
}

function reasonFor(text: string): string | undefined {
  return acrossAccounts.find(([what]) => what.test(text))?.[1]
}

/** The statements that read rows of accounts without saying whose, with the tables of these. */
async function beyondAccount(url: string, texts: readonly string[]) {
  const client = new Client({ connectionString: url })
  await client.connect()
  const beyond: (readonly [tables: string, text: string])[] = []
  for (const text of texts) {
    const tables = await tablesBeyondAccount(client, text, isOwned)
    if (tables.length > 0) beyond.push([tables.join(', '), text])
  }
  await client.end()
  return beyond
}

function isOwned(table: string): boolean {
  const name = table.replace(/^log_.*/, 'log')
  const others: readonly string[] = ['log', ...ownedTables]
  return /^[ct]\//.test(name) || others.includes(name)
}
