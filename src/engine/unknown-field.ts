import { nearest } from '../core/declaration/nearest.ts'

/** The refusal of a name that is no field. */
export const isNoField = 'is not a field'

const questionBegin = `${isNoField}. Did you mean `

/** Names that get a hint per request: comparing costs more than refusing, and a body may have thousands. */
const hintsMax = 10

/** Longer names are no misspelt field. */
const nameLengthMax = 64

/** Returns the refusal of a name that is no field, with the nearest field. `faults` are those of the request so far. */
export function unknownField(name: string, fields: Iterable<string>, faults: number): string {
  const isHinted = faults < hintsMax && name.length <= nameLengthMax
  const meant = isHinted ? nearest(name, fields) : null
  return meant === null ? isNoField : `${questionBegin}${meant}?`
}

/** Returns the refusal with the field that it names translated; `translate` returns null for an unknown one. */
export function translateHint(detail: string, translate: (name: string) => string | null): string {
  if (!detail.startsWith(questionBegin)) return detail
  const meant = translate(detail.slice(questionBegin.length, -1))
  return meant === null ? isNoField : `${questionBegin}${meant}?`
}
