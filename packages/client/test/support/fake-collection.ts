import type { Declared } from '../../src/declarations/declared.ts'

/** An instance as JSON. */
export type Instance = Record<string, unknown>

/** A refusal: a status, the name of the problem, and the faults of the input. */
export class Refused extends Error {
  readonly status: number
  readonly type: string
  readonly errors: readonly object[]

  constructor(status: number, type: string, errors: readonly object[] = []) {
    super(`${status} ${type}`)
    this.status = status
    this.type = type
    this.errors = errors
  }
}

/** A page of a list, as the service answers it. */
export interface FakePage {
  readonly items: readonly Instance[]
  readonly next: number | null
  readonly total: number
}

/** The instances of one collection, in memory. */
export interface FakeCollection {
  list(parameters: readonly (readonly [string, string])[]): FakePage
  find(id: string): { readonly instance: Instance; readonly etag: string }
  save(id: string, input: Instance, merges: boolean): void
  remove(id: string): void
  has(id: string): boolean
}

/** Makes a collection that keeps instances, and as much of the query language as the tests use. */
export function fakeCollection({ fields, name }: Declared): FakeCollection {
  const kept = new Map<string, { instance: Instance; revision: number }>()
  const settable = Object.entries(fields).filter(
    ([, field]) => field.readOnly !== true && field.internal !== true,
  )

  const compose = (id: string, input: Instance): Instance => {
    const errors = settable.flatMap(([name, field]) => {
      const maximum = 'maximum' in field ? (field.maximum ?? Infinity) : Infinity
      if (field.required === true && input[name] === undefined)
        return [{ pointer: `/${name}`, detail: 'is required' }]
      if (
        field.kind === 'text' &&
        field.format === 'recipient' &&
        !/^\+?\d+$/.test(String(input[name]))
      )
        return [{ pointer: `/${name}`, detail: 'is no number' }]
      return Number(input[name]) > maximum ? [{ pointer: `/${name}`, detail: 'is too large' }] : []
    })
    if (errors.length > 0) throw new Refused(400, 'invalid-body', errors)
    const values = Object.entries(fields)
      .filter(([, field]) => field.writeOnly !== true && field.internal !== true)
      .map(([name, field]) => [name, input[name] ?? field.default ?? null])
    const at = '2026-01-01T00:00:00.000Z'
    return { id, ...Object.fromEntries(values), createdAt: at, updatedAt: at }
  }

  const find = (id: string): { instance: Instance; etag: string } => {
    const found = kept.get(id)
    if (found === undefined) throw new Refused(404, 'not-found')
    return { instance: found.instance, etag: `"${found.revision}"` }
  }

  return {
    find,
    has: (id) => kept.has(id),
    remove: (id) => {
      find(id)
      kept.delete(id)
    },
    save: (id, input, merges) => {
      const before = kept.get(id)
      const merged = merges ? withoutNulls({ ...before?.instance, ...input }) : input
      const instance = compose(id, merged)
      const same = JSON.stringify(before?.instance) === JSON.stringify(instance)
      if (!same) kept.set(id, { instance, revision: (before?.revision ?? 0) + 1 })
    },
    list: (parameters) => {
      const all = [...kept.values()].map(({ instance }) => instance)
      return page(name === 'messages' ? all.toReversed() : all, parameters)
    },
  }
}

function withoutNulls(instance: Instance): Instance {
  return Object.fromEntries(Object.entries(instance).filter(([, value]) => value !== null))
}

function page(
  all: readonly Instance[],
  parameters: readonly (readonly [string, string])[],
): FakePage {
  const values = Map.groupBy(parameters, ([name]) => name)
  const of = (name: string): readonly string[] => values.get(name)?.map(([, value]) => value) ?? []
  const filters = [...values.keys()].filter((name) => !reserved.has(name))
  const selected = all.filter((each) => filters.every((name) => holds(each, name, of(name))))
  const sorted = of('sort').toReversed().reduce(sortedBy, selected)

  const size = Number(of('pageSize')[0] ?? 50)
  const start = Number(of('after')[0] ?? (Number(of('page')[0] ?? 1) - 1) * size)
  const names = of('fields')[0]?.split(',')
  const items = sorted.slice(start, start + size).map((each) => pick(each, names))
  const next = start + size < sorted.length ? start + size : null
  return { items, next, total: sorted.length }
}

const reserved = new Set(['sort', 'search', 'page', 'pageSize', 'after', 'fields'])

function holds(instance: Instance, name: string, wanted: readonly string[]): boolean {
  const [, path = name, operator = 'eq'] = /^(.+)_(ne|gte|gt|lte|lt|like)$/.exec(name) ?? []
  const value = path
    .split('.')
    .reduce<unknown>((at, step) => (at as Instance | null)?.[step], instance)
  const texts = Array.isArray(value) ? value.map(String) : [String(value)]
  const [first = ''] = wanted
  switch (operator) {
    case 'ne':
      return !wanted.some((each) => texts.includes(each))
    case 'gt':
      return String(value) > first
    case 'gte':
      return String(value) >= first
    case 'lt':
      return String(value) < first
    case 'lte':
      return String(value) <= first
    case 'like':
      return new RegExp(`^${first.replaceAll('*', '.*')}$`, 's').test(String(value))
    default:
      return wanted.some((each) => texts.includes(each))
  }
}

function sortedBy(list: Instance[], key: string): Instance[] {
  const [, name = '', direction] = /^(.+)_(asc|desc)$/.exec(key) ?? []
  const sign = direction === 'asc' ? 1 : -1
  return list.toSorted((a, b) => (String(a[name]) < String(b[name]) ? -sign : sign))
}

function pick(instance: Instance, names: readonly string[] | undefined): Instance {
  if (names === undefined) return instance
  return Object.fromEntries(
    Object.entries(instance).filter(([name]) => name === 'id' || names.includes(name)),
  )
}
