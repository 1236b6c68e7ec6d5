/** A parameter of a query: its name and its value. */
export type Parameter = readonly [name: string, value: string]

/** A value of a filter. */
type Given = string | number | boolean | null | Date

/** A condition: a value, any of several, or comparisons. */
type Condition = Given | readonly Given[] | Comparisons | undefined

interface Comparisons {
  readonly [operator: string]: Given | readonly Given[] | undefined
}

/** A list request without the types of its fields. */
export interface AnyQuery {
  readonly where?: { readonly [path: string]: Condition } | undefined
  readonly account?: string | undefined
  readonly sort?: string | readonly string[] | undefined
  readonly search?: string | undefined
  readonly page?: number | undefined
  readonly pageSize?: number | undefined
  readonly after?: string | undefined
  readonly fields?: readonly string[] | undefined
  readonly count?: boolean | undefined
}

/**
 * Returns the parameters of a list request; null if nothing can match, such as any value of an empty
 * list. Without a parameter, everything would match.
 */
export function parametersOf(query: AnyQuery): readonly Parameter[] | null {
  const { where = {}, account, sort, search, page, pageSize, after, fields } = query
  const conditions = Object.entries(where)
  if (conditions.some(([, condition]) => isList(condition) && condition.length === 0)) return null
  return [
    ...conditions.flatMap(([path, condition]) => filters(path, condition)),
    ...repeated('account', account),
    ...repeated('sort', sort),
    ...repeated('search', search),
    ...repeated('page', page),
    ...repeated('pageSize', pageSize),
    ...repeated('after', after),
    ...(fields === undefined ? [] : repeated('fields', fields.join(',') || 'id')),
  ]
}

function filters(path: string, condition: Condition): readonly Parameter[] {
  if (!isComparisons(condition)) return repeated(path, condition)
  return Object.entries(condition).flatMap(([operator, value]) =>
    repeated(`${path}_${operator}`, value),
  )
}

function repeated(name: string, given: Given | readonly Given[] | undefined): readonly Parameter[] {
  if (given === undefined) return []
  return (isList(given) ? given : [given]).map((value) => [name, textOf(value)])
}

function textOf(value: Given): string {
  return value instanceof Date ? value.toISOString() : String(value)
}

function isList(condition: Condition): condition is readonly Given[] {
  return Array.isArray(condition)
}

function isComparisons(condition: Condition): condition is Comparisons {
  return (
    typeof condition === 'object' &&
    condition !== null &&
    !isList(condition) &&
    !(condition instanceof Date)
  )
}
