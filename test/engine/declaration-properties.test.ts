import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { accountId } from '../../src/core/account.ts'
import type { Collection } from '../../src/core/declaration/collection.ts'
import { DeclarationError } from '../../src/core/declaration/declaration-error.ts'
import type { Field, Fields } from '../../src/core/declaration/field.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/core/json.ts'
import type { InputError } from '../../src/core/problem.ts'
import { UniqueViolation, where, type Store, type Stored } from '../../src/core/ports/store.ts'
import { compile } from '../../src/engine/compiled.ts'
import { readInput, compose } from '../../src/engine/input.ts'
import { readDeclarations } from '../../src/engine/declaration/read-declarations.ts'
import { fieldReader } from '../../src/engine/field-reader.ts'
import { sqliteStore } from '../../src/stores/sqlite/sqlite-store.ts'
import { temporaryDirectory } from '../stores/temporary-directory.ts'
import type { Read, TestApi } from '../support/api.ts'
import { trials } from '../support/trials.ts'
import { startDeclared, storeKinds } from './support/declared-api.ts'
import { aDeclaration, anInstance, declarationOf } from './support/random-declarations.ts'
import fc from 'fast-check'

const runs = trials(80)

describe('any declaration', () => {
  it('is served by every store alike: written, read, replaced, filtered, sorted and searched', async (t) => {
    const world = aDeclaration.chain((declared) => {
      const instances = fc.array(anInstance(read(declared).fields), { minLength: 1, maxLength: 6 })
      return fc.tuple(fc.constant(declared), instances)
    })

    await fc.assert(
      fc.asyncProperty(world, async ([declared, instances]) => {
        const apis = await Promise.all(storeKinds.map((kind) => startDeclared(t, kind, [declared])))
        const served: JsonObject[] = []
        for (const [index, instance] of instances.entries()) {
          const made = await all(apis, (api) => api.put(`/v1/things/t${index}`, instance))
          // A value that is unique may be another's already; nothing else is wrong with it.
          assert.ok([200, 409].includes(made.status), made.text)
          if (made.status === 409) continue
          served.push(made.json)
          const again = await all(apis, (api) => api.put(`/v1/things/t${index}`, made.json))
          assert.equal(again.text, made.text)
        }

        const listed = await all(apis, (api) => api.get('/v1/things'))
        assert.deepEqual(listed.json, served)
        for (const query of queries(declared.fields, served, declared.searchedBy)) {
          const found = await all(apis, (api) => api.get(`/v1/things?${query}`))
          assert.equal(found.status, 200, `${query} ${found.text}`)
        }
      }),
      { numRuns: runs },
    )
  })

  it('may follow on any other: the start is refused, or what is stored is right under it', async () => {
    const world = fc.tuple(aDeclaration, aDeclaration).chain(([one, other]) => {
      const kept = fc.subarray(Object.entries(one.fields))
      const instances = fc.array(anInstance(read(one).fields), { minLength: 1, maxLength: 4 })
      const after = fc.tuple(kept, fc.boolean()).map(([fields, removes]) => {
        const merged = { ...other.fields, ...Object.fromEntries(fields) }
        const gone = Object.keys(one.fields).filter((name) => !(name in merged))
        return read({ ...declarationOf(merged), removedFields: removes ? gone : [] })
      })
      return fc.record({ before: fc.constant(read(one)), after, instances })
    })
    let taken = 0

    await fc.assert(
      fc.asyncProperty(world, async ({ before, after, instances }) => {
        await using directory = await temporaryDirectory()
        const file = directory.file('nuncio.db')
        await fill(file, before, instances)
        const held = Promise.withResolvers<void>()
        const pace = { rowsAtStart: 0, pause: () => held.promise }
        const opened = await sqliteStore(file, [after], () => {}, { pace }).catch(refusal)
        if (opened === null) return
        taken += 1

        const early = await stored(opened, after)
        held.resolve()
        await opened[Symbol.asyncDispose]()
        await using store = await sqliteStore(file, [after])

        assert.deepEqual(await stored(store, after), early)
        for (const { doc } of early) assert.deepEqual(faultsIn(after, JSON.parse(doc)), [])
      }),
      { numRuns: runs },
    )
    console.log(taken)
    assert.ok(taken > 0)
  })
})

const ours = accountId('ours')

function read(declared: unknown): Collection {
  const [collection] = readDeclarations([declared], { builtIn: [], reservedNames: [] }, 'test')
  assert.ok(collection !== undefined)
  return collection
}

/** Stores instances as the engine would. */
async function fill(file: string, of: Collection, instances: readonly JsonObject[]): Promise<void> {
  const compiled = compile(of, new Map())
  await using store = await sqliteStore(file, [of])
  for (const [index, instance] of instances.entries()) {
    const id = `t${index}`
    const { values, errors } = readInput(compiled, instance)
    assert.deepEqual(errors, [])
    const composed = compose(compiled, id, values, null, '2026-01-01T00:00:00.000Z')
    await store
      .transact((tx) => tx.in(ours).save(of, { id }, composed.instance, composed.hidden))
      .catch((error: unknown) => assert.ok(error instanceof UniqueViolation))
  }
}

function refusal(error: unknown): null {
  assert.ok(error instanceof DeclarationError, String(error))
  return null
}

function stored(store: Store, of: Collection): Promise<readonly Stored[]> {
  return store.read(ours, (reader) => reader.list(of, null, where([], 100)))
}

/** What is wrong with an instance by the kinds of its fields; limits hold for what comes only. */
function faultsIn({ fields }: Collection, instance: JsonObject): readonly InputError[] {
  const errors: InputError[] = []
  for (const [name, field] of Object.entries(fields)) {
    fieldReader(unlimited(field))(instance[name] ?? null, `/${name}`, errors)
  }
  return errors
}

function unlimited(field: Field): Field {
  if (field.kind === 'object') {
    const properties = Object.entries(field.properties).map(
      ([name, inner]) => [name, unlimited(inner)] as const,
    )
    return { ...field, properties: Object.fromEntries(properties) }
  }
  if (field.kind === 'array') return { ...field, items: unlimited(field.items) }
  if (field.kind === 'map') return { ...field, values: unlimited(field.values) }
  if (field.kind === 'choice') return field
  const { nullable = false } = field
  return field.kind === 'text' || field.kind === 'integer' || field.kind === 'number'
    ? { kind: field.kind, nullable }
    : field
}

/** Asks every service, and states that they give the same answer. */
async function all(apis: readonly TestApi[], ask: (api: TestApi) => Promise<Read>): Promise<Read> {
  const [first, ...others] = await Promise.all(apis.map(ask))
  assert.ok(first !== undefined)
  for (const other of others) {
    assert.equal(other.status, first.status)
    assert.deepEqual(withoutRequestId(other.json), withoutRequestId(first.json))
    assert.equal(other.headers['etag'], first.headers['etag'])
  }
  return first
}

function withoutRequestId(json: JsonValue): JsonValue {
  return isJsonObject(json) ? { ...json, requestId: null } : json
}

/** Queries that look for values that are there, by every field that can be asked for. */
function queries(
  fields: unknown,
  served: readonly JsonObject[],
  searchedBy: readonly string[],
): readonly string[] {
  const asked = [new URLSearchParams({ page: '2', pageSize: '2' })]
  for (const [path, kind] of pathsOf(fields as Fields)) {
    const values = new Set(served.map((instance) => at(instance, path.split('.'))))
    for (const value of values) {
      const text = value === null ? 'null' : String(value)
      asked.push(
        new URLSearchParams({ [path]: text }),
        new URLSearchParams({ [`${path}_ne`]: text }),
      )
      if (value === null || kind === 'boolean' || kind === 'array') continue
      asked.push(new URLSearchParams({ [`${path}_gte`]: text }))
    }
    if (kind !== 'array') asked.push(new URLSearchParams({ sort: `${path}_desc`, pageSize: '3' }))
  }
  if (searchedBy.length > 0) asked.push(new URLSearchParams({ search: 'É' }))
  return asked.map(String)
}

/** The dotted paths of fields with single values, and of lists of such, outside maps. */
function pathsOf(fields: Fields, above = ''): readonly (readonly [string, Field['kind']])[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field.kind === 'object') return pathsOf(field.properties, `${above}${name}.`)
    return field.kind === 'map' ? [] : [[`${above}${name}`, field.kind] as const]
  })
}

function at(instance: JsonObject, path: readonly string[]): JsonValue {
  let value: JsonValue | undefined = instance
  for (const name of path) value = isJsonObject(value) ? value[name] : undefined
  const found = Array.isArray(value) ? value[0] : value
  return found === undefined || isJsonObject(found) ? null : found
}
