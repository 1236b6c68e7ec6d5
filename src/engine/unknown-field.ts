import { nearest } from '../core/declaration/nearest.ts'

/** The refusal of a name that is no field. */
export const isNoField = 'is not a field'

/** Names that get a hint per request: comparing costs more than refusing, and a body may have thousands. */
const hintsMax = 10

/** Longer names are no misspelt field. */
const nameLengthMax = 64

/** Returns the refusal of a name that is no field, with the nearest field. `faults` are those of the request so far. */
export function unknownField(name: string, fields: Iterable<string>, faults: number): string {
  const isHinted = faults < hintsMax && name.length <= nameLengthMax
  const meant = isHinted ? nearest(name, fields) : null
  return meant === null ? isNoField : `${isNoField}. Did you mean ${meant}?`
}

/** Returns a refusal whose hint is for the fields of an older version, which are called otherwise. */
export function withHintFor(
  detail: string,
  name: string,
  fields: Iterable<string>,
  faults: number,
): string {
  if (detail.startsWith(isNoField)) return unknownField(name, fields, faults)
  // A list of sort keys or fields names several: the hint is left out.
  return detail.replace(/(is not a field)\. Did you mean \S+\?$/, '$1')
}
