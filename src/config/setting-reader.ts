import type { ConfigFile } from './config-file.ts'
import type { Environment } from './environment.ts'
import type { Parsed, Setting, SettingTable } from './setting.ts'

/** Where values come from, the strongest first. */
export interface Sources {
  /** The texts of the flags, by flag without its dashes. */
  readonly flags: Readonly<Record<string, string>>
  readonly environment: Environment
  readonly file: ConfigFile | null
}

/** The values of a table's settings. */
export interface SettingReader<V> {
  /** One sentence for each value that breaks a rule: the setting, where it is set, the rule. */
  readonly faults: readonly string[]
  /** The value, or null where none is given and there is no default. Throws where there are faults. */
  value<K extends keyof V>(name: K): NonNullable<V[K]> | null
  /** The value of a setting that has a default. Throws where there are faults. */
  required<K extends keyof V>(name: K): NonNullable<V[K]>
}

/** Reads settings from their sources: a flag goes before the environment, that before the file. */
export function settingReader<V>(table: SettingTable<V>, sources: Sources): SettingReader<V> {
  const value = <K extends keyof V>(name: K): NonNullable<V[K]> | null => {
    const setting = table[name]
    const given = find(setting, sources)
    if (given === null) return null

    const parsed = read(setting, given)
    if (parsed.ok) return parsed.value
    throw new Error(complaint(String(name), setting, given, parsed.rule))
  }

  return {
    faults: Object.entries<Setting<unknown>>(table).flatMap(([name, setting]) =>
      faultOf(name, setting, sources),
    ),
    value,
    required: (name) => {
      const found = value(name)
      if (found !== null) return found
      throw new Error(`the setting ${String(name)} has no value and no default`)
    },
  }
}

/** A value as it was given; `text` is null where the file has a value that no text can stand for. */
interface Given {
  readonly text: string | null
  readonly source: string
}

function find(setting: Setting<unknown>, { flags, environment, file }: Sources): Given | null {
  const flag = Object.hasOwn(flags, setting.flag) ? flags[setting.flag] : undefined
  if (flag !== undefined) return { text: flag, source: `--${setting.flag}` }

  const variable = environment[setting.variable]
  if (variable !== undefined) return { text: variable, source: setting.variable }

  const written = setting.key === null ? undefined : file?.values[setting.key]
  if (file !== null && written !== undefined) {
    return { text: asText(setting, written), source: file.path }
  }
  return setting.default === null ? null : { text: setting.default, source: 'the default' }
}

/** The text that a flag would have for a value of the configuration file. */
function asText({ form }: Setting<unknown>, written: unknown): string | null {
  if (typeof written === 'string') return written
  if (form === 'number' && typeof written === 'number') return String(written)
  if (form === 'list' && Array.isArray(written) && written.every(isItem)) return written.join(',')
  return null
}

function isItem(item: unknown): boolean {
  return (typeof item === 'string' && item !== '') || typeof item === 'number'
}

function read<T>(setting: Setting<T>, { text }: Given): Parsed<T> {
  if (text !== null) return setting.parse(text)
  const wanted = { text: 'a text', number: 'a number', list: 'an array' }[setting.form]
  return { ok: false, rule: `must be ${wanted}` }
}

function faultOf(name: string, setting: Setting<unknown>, sources: Sources): readonly string[] {
  const given = find(setting, sources)
  const parsed = given === null ? null : read(setting, given)
  return given === null || parsed === null || parsed.ok
    ? []
    : [complaint(name, setting, given, parsed.rule)]
}

/** Longer texts are cut: a whole file pasted by mistake helps nobody. */
const shownMax = 60

function complaint(name: string, setting: Setting<unknown>, given: Given, rule: string): string {
  const { text, source } = given
  const found =
    setting.secret || text === null
      ? ''
      : `, not ${JSON.stringify(text.length > shownMax ? `${text.slice(0, shownMax)}…` : text)}`
  return `The setting ${name} (from ${source}) ${rule}${found}.`
}
