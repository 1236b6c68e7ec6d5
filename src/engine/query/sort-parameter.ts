import type { InputError } from '../../core/problem.ts'
import type { SortKey } from '../../core/declaration/query.ts'
import type { Compiled } from '../compiled.ts'
import { findField, refusalOf } from './field-path.ts'

/** More keys than this do not order anything further. */
const keysMax = 8

/**
 * Reads `sort=<field>_asc,<field>_desc`, repeated or separated by commas. Without it the collection's
 * own order holds. The last key is always `id`: the order is total.
 */
export function readSort(
  compiled: Compiled,
  values: readonly string[],
  errors: InputError[],
): readonly SortKey[] {
  if (values.length === 0) return defaultSort(compiled)
  const keys: SortKey[] = []
  for (const part of values.flatMap((value) => value.split(','))) {
    const match = /^(.+)_(asc|desc)$/.exec(part.trim())
    const found = match === null ? null : findField(compiled, match[1] ?? '')
    if (match === null || found === null) {
      errors.push({
        parameter: 'sort',
        detail: `${quoted(part)} must be a field with _asc or _desc`,
      })
    } else if ('refusal' in found) {
      const [, name = ''] = match
      const refusal = refusalOf(compiled, name, found.refusal, { faults: errors.length })
      errors.push({ parameter: 'sort', detail: `${quoted(name)} ${refusal}` })
    } else if (['object', 'map', 'array'].includes(found.field.kind)) {
      errors.push({ parameter: 'sort', detail: `${quoted(match[1] ?? '')} has no order` })
    } else if (!keys.some((key) => samePath(key.path, found.path))) {
      keys.push({ path: found.path, direction: match[2] === 'desc' ? 'desc' : 'asc' })
    }
  }
  if (keys.length > keysMax)
    errors.push({ parameter: 'sort', detail: `has at most ${keysMax} keys` })
  return endWithId(keys)
}

const newestFirst: readonly SortKey[] = [{ path: ['id'], direction: 'desc' }]
const oldestFirst: readonly SortKey[] = [
  { path: ['createdAt'], direction: 'asc' },
  { path: ['id'], direction: 'asc' },
]

function defaultSort(compiled: Compiled): readonly SortKey[] {
  return compiled.declared.order === 'newestFirst' ? newestFirst : oldestFirst
}

/** Returns whether a sort is the default order of a collection. */
export function isDefaultSort(compiled: Compiled, sort: readonly SortKey[]): boolean {
  return JSON.stringify(sort) === JSON.stringify(defaultSort(compiled))
}

/** Ends a sort with `id`: later keys decide nothing. */
function endWithId(keys: readonly SortKey[]): readonly SortKey[] {
  const at = keys.findIndex((key) => samePath(key.path, ['id']))
  return at === -1 ? [...keys, { path: ['id'], direction: 'asc' }] : keys.slice(0, at + 1)
}

function samePath(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, index) => name === b[index])
}

function quoted(text: string): string {
  return JSON.stringify(text.trim())
}
