/** What a client prefers (RFC 7240) that the service can follow. */
export interface Preferences {
  /** `count=exact`: the answer says how many instances there are. */
  readonly countExactly: boolean
  /** `handling=dry-run`: the answer shows what would become of a write, and nothing is written. */
  readonly dryRun: boolean
}

/**
 * Reads `Prefer`. What is not known, or not well formed, is passed over; the first of a name counts. A
 * dry run is followed however it is written and wherever it stands: to do it in earnest would be worse.
 */
export function readPreferences(field: string | undefined): Preferences {
  if (field === undefined) return nothing
  const values = new Map<string, string>()
  let dryRun = false
  for (const [, name = '', quoted, token] of field.matchAll(preference)) {
    const known = name.toLowerCase()
    const given = quoted ?? token ?? ''
    if (!values.has(known)) values.set(known, given)
    dryRun ||= known === 'handling' && given.toLowerCase() === 'dry-run'
  }
  return { countExactly: values.get('count') === 'exact', dryRun }
}

const nothing: Preferences = { countExactly: false, dryRun: false }

const token = String.raw`[\w!#$%&'*+.^|~\x60-]+`
const value = String.raw`[ \t]*=[ \t]*(?:"([^"\\]*)"|(${token}))`
const parameters = String.raw`;[^,"]*(?:"[^"]*"[^,"]*)*`

/** One preference, from the beginning of the field or a comma to its end or the next. */
const preference = new RegExp(
  String.raw`(?:^|,)[ \t]*(${token})(?:${value})?[ \t]*(?:${parameters})?(?=$|,)`,
  'g',
)
