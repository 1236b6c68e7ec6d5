import type { ListRequest } from '../../api/client.ts'
import type { CollectionDescription } from '../../api/collection.ts'

/** The parameters of an address, in which a name can repeat. */
export type AddressParameters = Readonly<Record<string, string | readonly string[]>>

/** What a list shows. All of it is in the address, so that every view can be shared. */
export interface ListState {
  /** Conditions as the service takes them: `createdAt_gte`, `2026-01-31`. */
  readonly filters: readonly (readonly [name: string, value: string])[]
  readonly sort: string | null
  readonly search: string
  /** Paths of fields; null for the usual ones. */
  readonly columns: readonly string[] | null
}

/** Parameters of the console start with a character that no field can start with. */
const columnsParameter = '_columns'

/** Reads the state of a list from the parameters of an address. */
export function readListState(parameters: AddressParameters): ListState {
  const filters = Object.entries(parameters).flatMap(([name, values]) =>
    name.startsWith('_') || name === 'sort' || name === 'search'
      ? []
      : [values].flat().map((value) => [name, value] as const),
  )
  const columns = firstOf(parameters[columnsParameter])
  return {
    filters,
    sort: firstOf(parameters['sort']) ?? null,
    search: firstOf(parameters['search']) ?? '',
    columns: columns === undefined ? null : columns.split(',').filter((name) => name !== ''),
  }
}

/**
 * Reads the state of a collection's list. The account that is viewed is no condition, unless it is a field
 * of the collection.
 */
export function listStateIn(
  { filters }: CollectionDescription,
  parameters: AddressParameters,
): ListState {
  const state = readListState(parameters)
  const isCondition = (name: string): boolean => name !== 'account' || filters.has(name)
  return { ...state, filters: state.filters.filter(([name]) => isCondition(name)) }
}

/** Writes the state of a list as parameters of an address. Usual values are left out. */
export function writeListState(state: ListState): AddressParameters {
  const filters = Map.groupBy(state.filters, ([name]) => name)
  return {
    ...Object.fromEntries(
      [...filters].map(([name, values]) => [name, values.map(([, value]) => value)]),
    ),
    ...(state.sort === null ? {} : { sort: state.sort }),
    ...(state.search === '' ? {} : { search: state.search }),
    ...(state.columns === null ? {} : { [columnsParameter]: state.columns.join(',') }),
  }
}

/** Returns the request that reads a list in this state. */
export function listRequest({ filters, sort, search }: ListState): ListRequest {
  const where = Map.groupBy(filters, ([name]) => name)
  return {
    ...(where.size === 0
      ? {}
      : {
          where: Object.fromEntries(
            [...where].map(([name, values]) => [name, values.map(([, value]) => value)]),
          ),
        }),
    ...(sort === null ? {} : { sort: [sort] }),
    ...(search === '' ? {} : { search }),
  }
}

/** Reads the parameters of an address, such as `?status.type=FAILED`. */
export function parseParameters(query: string): Record<string, string | string[]> {
  const values = Map.groupBy(new URLSearchParams(query), ([name]) => name)
  return Object.fromEntries(
    [...values].map(([name, pairs]) => {
      const texts = pairs.map(([, value]) => value)
      return [name, texts.length === 1 ? (texts[0] ?? '') : texts]
    }),
  )
}

/** Writes the parameters of an address in a form that people can read. */
export function formatParameters(parameters: Record<string, unknown>): string {
  const query = new URLSearchParams()
  for (const [name, values] of Object.entries(parameters)) {
    for (const value of [values].flat())
      if (value !== undefined && value !== null) query.append(name, String(value))
  }
  const text = query.toString().replaceAll('%3A', ':').replaceAll('%2C', ',')
  return text === '' ? '' : `?${text}`
}

function firstOf(values: string | readonly string[] | undefined): string | undefined {
  return [values ?? []].flat()[0]
}
