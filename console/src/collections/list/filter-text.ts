import type { CollectionDescription } from '../../api/collection.ts'
import { failureReasons } from '../../api/statuses.ts'
import type { Suggestion } from '../../ui/suggest.tsx'
import { leavesOf, fieldTitle, type Leaf } from '../columns.ts'

/** A condition: the parameter of the service, and its value. */
export type Condition = readonly [name: string, value: string]

/** Comparisons as people write them, and the suffix of the parameter. Longer ones first. */
const comparisons = [
  ['!=', '_ne', 'is not'],
  ['>=', '_gte', 'at least'],
  ['<=', '_lte', 'at most'],
  ['>', '_gt', 'more than'],
  ['<', '_lt', 'less than'],
  ['~', '_like', 'like, with * for any text'],
  ['=', '', 'is'],
] as const

/** Reads `status.type!=FAILED` as a condition; null if the collection has no such filter. */
export function parseCondition(text: string, collection: CollectionDescription): Condition | null {
  const match = /^\s*([\w.]+)\s*(!=|>=|<=|>|<|~|=)\s*(.+)$/.exec(text)
  if (match === null) return null
  const [, path = '', sign = '', value = ''] = match
  const suffix = comparisons.find(([one]) => one === sign)?.[1] ?? ''
  const name = path + suffix
  return collection.filters.has(name) ? [name, value.trim()] : null
}

/** Writes a condition as people read it: `createdAt ≥ 2026-01-31`. */
export function conditionText([name, value]: Condition): string {
  const found = comparisons.find(([, suffix]) => suffix !== '' && name.endsWith(suffix))
  const path = found === undefined ? name : name.slice(0, -found[1].length)
  return `${fieldTitle(path)} ${signOf(found?.[0] ?? '=')} ${value}`
}

function signOf(sign: string): string {
  return signs[sign] ?? sign
}

const signs: Readonly<Record<string, string>> = { '!=': '≠', '>=': '≥', '<=': '≤', '~': '∼' }

/** Suggestions shown together. */
const suggestionsMax = 40

/** Suggests how to complete a filter: a field, then a comparison, then a value. */
export function suggestFilters(
  text: string,
  collection: CollectionDescription,
  nowMs: number,
): readonly Suggestion[] {
  const leaves = leavesOf(collection.fields).filter(({ path }) => collection.filters.has(path))
  const match = /^\s*([\w.]+)\s*(!=|>=|<=|>|<|~|=)\s*(.*)$/.exec(text)
  const chosen = leaves.find(({ path }) => path === match?.[1])
  if (match !== null && chosen !== undefined) {
    return suggestValues(chosen, match[2] ?? '=', match[3] ?? '', nowMs)
  }
  const typed = leaves.find(({ path }) => path === text.trim())
  if (typed !== undefined) return suggestComparisons(typed, collection)
  const wanted = text.trim().toLowerCase()
  const search: readonly Suggestion[] =
    wanted === '' || collection.search === null
      ? []
      : [{ id: `search:${text.trim()}`, label: `Search for “${text.trim()}”`, icon: 'search' }]
  const fields = leaves
    .filter(({ path }) => `${path} ${fieldTitle(path)}`.toLowerCase().includes(wanted))
    .map(({ path, field }) => ({
      id: path,
      label: fieldTitle(path),
      hint: hintOf(field.kind, path),
    }))
  return [...search, ...fields].slice(0, suggestionsMax)
}

function hintOf(kind: string, path: string): string {
  return kind === 'choice' ? `${path} · one of several` : path
}

function suggestComparisons(leaf: Leaf, { filters }: CollectionDescription): readonly Suggestion[] {
  return comparisons
    .filter(([, suffix]) => filters.has(leaf.path + suffix))
    .toReversed()
    .map(([sign, , meaning]) => ({
      id: `${leaf.path}${sign}`,
      label: `${fieldTitle(leaf.path)} ${meaning} …`,
      hint: sign,
    }))
}

function suggestValues(
  { path, field }: Leaf,
  sign: string,
  begun: string,
  nowMs: number,
): readonly Suggestion[] {
  const choices = field.kind === 'list' ? (field.item?.choices ?? []) : field.choices
  const values = [
    ...choices,
    ...(path === 'status.id' ? statusIds : []),
    ...(field.kind === 'boolean' ? ['true', 'false'] : []),
    ...(field.nullable ? ['null'] : []),
  ].map((value) => ({ value, hint: value === 'null' ? 'not set' : '' }))
  const times = field.kind === 'time' ? recentTimes(nowMs) : []
  return [...values, ...times]
    .filter(({ value }) => value.toLowerCase().includes(begun.toLowerCase()))
    .map(({ value, hint }) => ({
      id: `=${path}${sign}${value}`,
      label: hint || value,
      hint: value,
    }))
}

/** The service gives a detail to a failure. */
const statusIds = Object.keys(failureReasons).map((detail) => `FAILED.${detail}`)

function recentTimes(nowMs: number): readonly { readonly value: string; readonly hint: string }[] {
  const minuteMs = 60_000
  const spans = [
    [15, '15 minutes ago'],
    [60, '1 hour ago'],
    [1440, '1 day ago'],
    [10_080, '7 days ago'],
  ] as const
  return spans.map(([minutes, hint]) => ({
    value: `${new Date(Math.floor((nowMs - minutes * minuteMs) / minuteMs) * minuteMs).toISOString()}`,
    hint,
  }))
}
