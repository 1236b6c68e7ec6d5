/** The result of reading a text: the value, or the rule that the text breaks, as in "must be …". */
export type Parsed<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly rule: string }

/** A kind of value that a setting can have. */
export interface Parser<T> {
  /** The JSON type that a configuration file may use, besides text. */
  readonly form: 'text' | 'number' | 'list'
  /** The texts that `parse` accepts, if there are few. */
  readonly choices?: readonly string[]
  /** Reads and checks a text. A broken rule never repeats the text. */
  readonly parse: (text: string) => Parsed<T>
}

/** The row of a setting. Its type, names, help and reference derive from it. */
export interface SettingRow<T = unknown> {
  readonly parser: Parser<T>
  /** As text, in the form of the flag; null if there is none, or if it depends on other settings. */
  readonly default: string | null
  /** The default in words, if `default` cannot express it. */
  readonly defaultNote?: string | undefined
  /** The value in one word, for the help. */
  readonly placeholder: string
  /** One sentence. */
  readonly description: string
  /** The value may hold a secret: no message repeats it. */
  readonly secret?: boolean
  /** False if a configuration file cannot set it. */
  readonly inFile?: boolean
}

/** The names of a setting: of `rateLimit`, `--rate-limit`, `NUNCIO_RATE_LIMIT` and the key `rateLimit`. */
interface SettingNames {
  /** The flag, without the two dashes. */
  readonly flag: string
  /** The environment variable. */
  readonly variable: string
  /** The key in the configuration file; null if a file cannot set it. */
  readonly key: string | null
}

/** A row with its names. */
export type Setting<R extends SettingRow = SettingRow> = R & SettingNames

/** Settings by name. */
export type SettingTable<Rows extends Readonly<Record<string, SettingRow>>> = {
  readonly [K in keyof Rows]: Setting<Rows[K]>
}

/** The values of a table of settings: null if a setting has no value and no default. */
export type SettingValues<Table extends Readonly<Record<string, Setting>>> = {
  readonly [K in keyof Table]: Table[K]['parser'] extends Parser<infer T>
    ? Table[K]['default'] extends string
      ? T
      : T | null
    : never
}

/** Adds the names, which follow from the keys of the rows. */
export function settingTable<const Rows extends Readonly<Record<string, SettingRow>>>(
  rows: Rows,
): SettingTable<Rows> {
  const settings = Object.entries(rows).map(([name, row]) => [
    name,
    { ...row, ...names(name, row) },
  ])
  // Object.fromEntries loses the keys.
  return Object.freeze(Object.fromEntries(settings)) as SettingTable<Rows>
}

function names(name: string, { inFile = true }: SettingRow): SettingNames {
  const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const variable = `NUNCIO_${flag.toUpperCase().replaceAll('-', '_')}`
  return { flag, variable, key: inFile ? name : null }
}

/** Returns the default for people: as text, as a note, or `none`. */
export function defaultText(setting: SettingRow): string {
  return (
    setting.defaultNote ??
    (setting.default === null || setting.default === '' ? 'none' : setting.default)
  )
}
