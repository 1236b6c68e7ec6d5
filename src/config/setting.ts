/** What reading a setting gives: its value, or the rule that the text breaks, as in "must be …". */
export type Parsed<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly rule: string }

/** One setting. Its name is its key in the table of settings. */
export interface Setting<T> {
  /** The flag, without the two dashes. */
  readonly flag: string
  /** The environment variable. */
  readonly variable: string
  /** The key in the configuration file; null where it cannot stand there. */
  readonly key: string | null
  /** What the value is, in a word, for the help. */
  readonly placeholder: string
  /** How the configuration file may write it, besides as text. */
  readonly form: 'text' | 'number' | 'list'
  /** As text, in the form that a flag takes; null where there is none, or it depends. */
  readonly default: string | null
  /** What applies without a value, in words, where `default` cannot say it. */
  readonly defaultNote?: string
  /** One sentence. */
  readonly description: string
  /** The value may hold a secret, so no message repeats it. */
  readonly secret: boolean
  /** Reads and checks a text. */
  readonly parse: (text: string) => Parsed<T>
}

/** Settings by name. */
export type SettingTable<V> = { readonly [K in keyof V]: Setting<NonNullable<V[K]>> }

/** The default in words, for people: as text, as a note, or `none`. */
export function defaultText(setting: Setting<unknown>): string {
  return (
    setting.defaultNote ??
    (setting.default === null || setting.default === '' ? 'none' : setting.default)
  )
}
