import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Store } from '../../src/core/ports/store.ts'
import { sqliteStore } from '../../src/stores/sqlite/sqlite-store.ts'
import type { Read } from '../support/api.ts'
import { flushAtOnce } from '../support/flush-at-once.ts'
import { temporaryDirectory } from '../stores/temporary-directory.ts'
import { isolationOffer } from './support/offer.ts'
import { readingProbes, writingProbes, type Probe } from './support/probes.ts'
import { startWorld, type World } from './support/world.ts'

describe('An account', () => {
  it('gets the same answers whether another one exists or not', async (t) => {
    const directory = await temporaryDirectory()
    t.after(() => directory[Symbol.asyncDispose]())
    const shared = await startWorld(t, await open(directory.file('shared.db')))
    const alone = await startWorld(t, await open(directory.file('alone.db')))
    const neighbour = await shared.settle()
    await alone.api.clock.advance(shared.api.clock.monotonic() - alone.api.clock.monotonic())
    const before = await everything(shared, neighbour.key)
    const probes = [
      ...readingProbes(neighbour),
      ...writingProbes(neighbour),
      ...readingProbes(neighbour),
    ]

    let asked = 0
    for (const probe of probes) {
      for (const index of shared.keys.keys()) {
        const answers = [await ask(shared, probe, index), await ask(alone, probe, index)] as const
        const [found, expected] = [normal(answers[0]), normal(answers[1])]
        assert.deepEqual(found, expected, `${JSON.stringify(probe)} tells of the other account`)
        asked += 1
      }
    }

    assert.ok(asked > 5000, `only ${asked} requests`)
    assert.deepEqual(unaudited(await everything(shared, neighbour.key)), unaudited(before))
  })
})

function open(file: string): Promise<Store> {
  return sqliteStore(file, isolationOffer.collections, () => {}, flushAtOnce)
}

async function ask(
  world: World,
  { method, target, headers, body }: Probe,
  key: number,
): Promise<Read> {
  const extras = { key: world.keys[key] ?? null, ...(headers && { headers }) }
  const answer = await world.api.request(method, target, body, extras)
  // What was written has time to be sent and told of, so that both worlds are as far.
  const wrote = method !== 'GET' && [200, 201].includes(answer.status)
  if (wrote && headers?.['x-http-method-override'] === undefined) await world.api.clock.advance(300)
  assert.ok(answer.status < 500, `${method} ${target} answered ${answer.text}`)
  return answer
}

/** All that the other account can see of itself. */
async function everything({ api }: World, key: string): Promise<readonly string[]> {
  const { json } = await api.get('/v1', { key })
  const paths: readonly string[] = Object.values(json.collections)
  const flat = paths.filter((path) => !path.includes('{'))
  const answers = await Promise.all(flat.map((path) => api.get(`${path}?pageSize=1000`, { key })))
  return answers.map(({ text, status }) =>
    // To look is to use a key, which is noted.
    status === 200 ? text.replace(/"lastUsedAt":"[^"]*"/g, '"lastUsedAt":null') : String(status),
  )
}

/** An answer without what is made anew for every answer or instance. */
function normal({ status, headers, text }: Read): object {
  const made = generatedId.test(text)
  const { etag, 'x-request-id': _, ...others } = headers
  return {
    status,
    headers: {
      ...Object.fromEntries(Object.entries(others).map(([name, value]) => [name, plain(value)])),
      ...(etag === undefined ? {} : { etag: made ? 'etag' : etag }),
    },
    text: plain(text),
  }
}

/** Leaves out the audit: what is read before may itself have been refused, and recorded since. */
function unaudited(texts: readonly string[]): readonly string[] {
  return texts.filter((text) => !text.startsWith('[{"id":"auditEvent_'))
}

const generatedId = /\b[a-zA-Z]+_[0-9a-hjkmnp-tv-z]{26}\b/

function plain(text: string): string {
  return text
    .replace(/request_[0-9a-f]{17}/g, 'request')
    .replace(/nuncio_session=[\w-]+/g, 'cookie')
    .replace(/nuncio_[\w.~-]+/g, 'secret')
    .replace(/whsec_[\w+/=-]+/g, 'secret')
    .replace(/(notifications\?(?:[^>]*&)?after=)[\w-]{54}/g, '$1place.')
    .replace(
      /after=(?!place\.)([\w-]+)/g,
      (_, cursor) => `after=${Buffer.from(cursor, 'base64url').toString()}`,
    )
    .replace(new RegExp(generatedId, 'g'), 'id')
}
