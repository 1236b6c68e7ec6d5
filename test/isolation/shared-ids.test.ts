import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { memoryStore } from '../oracle/memory-store.ts'
import { sqliteStore } from '../../src/stores/sqlite/sqlite-store.ts'
import type { Store } from '../../src/core/ports/store.ts'
import type { JsonObject } from '../../src/core/json.ts'
import type { Post } from '../../src/delivery/egress/post.ts'
import type { Compiled } from '../../src/engine/compiled.ts'
import { startApi, type TestApi } from '../support/api.ts'
import { flushAtOnce } from '../support/flush-at-once.ts'
import { temporaryDirectory } from '../stores/temporary-directory.ts'
import { isolationOffer } from './support/offer.ts'
import { sampleBody } from './support/sample-body.ts'
import { collections, parentOf, pathOf } from './support/world.ts'

const stores: Readonly<Record<string, (file: string) => Promise<Store>>> = {
  memory: async () => memoryStore(isolationOffer.collections),
  SQLite: (file) => sqliteStore(file, isolationOffer.collections, () => {}, flushAtOnce),
}

/** Every instance of every account has this identifier, in each collection. */
const id = 'same'

/** The collections in which an account chooses identifiers, parents before what is nested in them. */
const chosen = collections.filter((compiled) => {
  const root = (parentOf(compiled) ?? compiled).declared
  const isOwn = !root.administratorsOnly && !root.changedByAdministrators
  return isOwn && compiled.declared.methods.instance.includes('PUT')
})

const accepting: Post = async () => ({ outcome: { kind: 'ACCEPTED', status: 200 }, response: '' })

function bodyOf(compiled: Compiled, account: string, turn: number): JsonObject {
  if (compiled.members !== null) return { id }
  return sampleBody(compiled, { account, turn }, () => id)
}

/** Two accounts that have an instance under the same identifier in every collection. */
async function startTwins(t: TestContext, store: Store) {
  const api = await startApi(t, { offer: isolationOffer, post: accepting, store })
  const keys = { ours: await api.newAccount('ours'), theirs: await api.newAccount('theirs') }
  for (const [account, key] of Object.entries(keys)) {
    for (const compiled of chosen) {
      const made = await api.put(targetOf(compiled), bodyOf(compiled, account, 1), { key })
      assert.equal(made.status, 200, `${targetOf(compiled)}: ${made.text}`)
    }
  }
  await api.clock.advance(10_000)
  return { api, keys }
}

function targetOf(compiled: Compiled): string {
  return `${pathOf(compiled, id)}/${id}`
}

/** All that an account sees of what it has. */
async function everything(api: TestApi, key: string): Promise<Readonly<Record<string, string>>> {
  const seen: Record<string, string> = {}
  const read = async (target: string): Promise<void> => {
    const { status, text, headers } = await api.get(target, {
      key,
      headers: { prefer: 'count=exact' },
    })
    // To look is to use a key, which is noted; a refusal names its request.
    const body = status === 200 ? text.replace(lastUse, '') : ''
    seen[target] = [status, headers['x-total-count'], body].join(' ')
  }
  for (const compiled of collections) {
    const path = pathOf(compiled, id)
    // What was refused to this very look is recorded, too.
    const filter = compiled.declared.name === 'auditEvents' ? '&action_ne=REFUSED' : ''
    await read(`${path}?pageSize=1000&sort=id_asc${filter}`)
    if (chosen.includes(compiled)) await read(targetOf(compiled))
  }
  await read('/v1/notifications?pageSize=1000')
  return seen
}

const lastUse = /"lastUsedAt":("[^"]*"|null)/g

for (const [name, open] of Object.entries(stores)) {
  describe(`two accounts that choose the same identifiers, over the ${name} store`, () => {
    it('each have their own under them', async (t) => {
      const directory = await temporaryDirectory()
      t.after(() => directory[Symbol.asyncDispose]())
      const { api, keys } = await startTwins(t, await open(directory.file('nuncio.db')))

      const [ours, theirs] = [await everything(api, keys.ours), await everything(api, keys.theirs)]

      assert.ok(chosen.length >= 8, `only ${chosen.length} collections`)
      for (const compiled of chosen) {
        const target = targetOf(compiled)
        assert.match(ours[target] ?? '', /^200 /, target)
        assert.match(theirs[target] ?? '', /^200 /, target)
      }
    })

    for (const method of ['PUT', 'PATCH', 'DELETE'] as const) {
      it(`change nothing of each other by ${method}, in any collection`, async (t) => {
        const directory = await temporaryDirectory()
        t.after(() => directory[Symbol.asyncDispose]())
        const { api, keys } = await startTwins(t, await open(directory.file('nuncio.db')))
        const before = await everything(api, keys.theirs)
        let changed = 0

        for (const compiled of chosen.toReversed()) {
          const { etag = '' } = (await api.get(targetOf(compiled), { key: keys.ours })).headers
          const extras = { key: keys.ours, headers: { 'if-match': etag } }
          const body = method === 'DELETE' ? undefined : bodyOf(compiled, 'ours', 2)
          const answer = await api.request(method, targetOf(compiled), body, extras)
          if (answer.status < 300) changed += 1
          await api.clock.advance(10_000)

          assert.deepEqual(await everything(api, keys.theirs), before, targetOf(compiled))
        }

        assert.ok(changed >= 5, `only ${changed} were changed`)
      })
    }

    it('and one that is erased takes nothing of the other with it', async (t) => {
      const directory = await temporaryDirectory()
      t.after(() => directory[Symbol.asyncDispose]())
      const { api, keys } = await startTwins(t, await open(directory.file('nuncio.db')))
      const before = await everything(api, keys.theirs)

      await api.patch('/v1/accounts/ours', { active: false })
      const { status } = await api.delete('/v1/accounts/ours')
      await api.clock.advance(10_000)

      assert.equal(status, 204)
      assert.deepEqual(await everything(api, keys.theirs), before)
    })
  })
}
