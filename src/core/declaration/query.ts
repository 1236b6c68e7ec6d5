/** A value that a filter compares with. */
export type Scalar = string | number | boolean | null

/** The comparisons of the query language. */
export type Operator = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'like'

/**
 * One condition on one field. `eq` holds for any of its values, `ne` for none of them; the others
 * have one value. A null in the instance matches no comparison except `eq` with null. Texts compare
 * by Unicode code point. In `like`, `*` matches any characters. On an array, `eq` holds if an
 * element is equal, `ne` if none is.
 */
export interface Condition {
  /** The names that lead to the field, such as `['status', 'type']`. */
  readonly path: readonly string[]
  readonly operator: Operator
  readonly values: readonly Scalar[]
}

/** One key of an order. Nulls come last in both directions. */
export interface SortKey {
  readonly path: readonly string[]
  readonly direction: 'asc' | 'desc'
}

/** Start of a page: an offset, or the sort values of the instance before it. */
export type Start = { readonly offset: number } | { readonly after: readonly Scalar[] }

/**
 * A list request as data, between its parser and the stores. All conditions must hold; every
 * folded word must occur in the searched fields. The last key of `sort` is always `id`, so that
 * the order is total and the same in every store.
 */
export interface Query {
  readonly conditions: readonly Condition[]
  /** Groups of conditions; at least one group must hold as a whole. Absent: none must. */
  readonly alternatives?: readonly (readonly Condition[])[]
  readonly searchTerms: readonly string[]
  readonly sort: readonly SortKey[]
  readonly start: Start
  readonly limit: number
}

/**
 * Characters that the instances of a page may have together; pages of the usual size have far fewer. Four times as
 * many occupied the process for 0.1 s.
 */
export const pageLengthMax = 4 * 1024 * 1024

/** A page with more than `pageLengthMax` characters. */
export class PageTooLarge extends Error {
  override readonly name = 'PageTooLarge'
}

/**
 * Folds a text for `search`: canonical composition and Unicode's full case folding
 * (CaseFolding.txt, C and F). The dotless i has no other case. A final sigma equals any other
 * sigma, because a search term may end inside a word.
 */
export function fold(text: string): string {
  if (isAscii.test(text)) return text.toLowerCase()
  const folded = text
    .normalize('NFC')
    .replaceAll(/[^ı]+/gu, (part) => part.toLowerCase().toUpperCase().toLowerCase())
  return folded.normalize('NFC').replaceAll('ς', 'σ')
}

/** The letters of most texts have neither compositions nor forms. */
// eslint-disable-next-line no-control-regex
const isAscii = /^[\0-\x7f]*$/
