/** Preferences of a client (RFC 7240) that the service supports. */
export interface Preferences {
  /** `count=exact`: the response contains the number of instances. */
  readonly countExactly: boolean
  /** `handling=dry-run`: the response shows the result of a write, without writing. */
  readonly dryRun: boolean
}

/**
 * Reads `Prefer`. Unknown and malformed preferences are ignored; the first of a name counts. A dry
 * run is honoured in any spelling and position, since to write would do more harm.
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
