import type { ConfigFile } from './config-file.ts'
import type { Environment } from './environment.ts'
import type { Parsed, Setting, SettingValues } from './setting.ts'

/** The sources of values, the strongest first. */
export interface Sources {
  /** The texts of the flags, by flag without its dashes. */
  readonly flags: Readonly<Record<string, string>>
  readonly environment: Environment
  readonly file: ConfigFile | null
}

/** The result of reading a table of settings. */
export interface SettingReader<V> {
  /** One sentence for each value that breaks a rule: the setting, its source, the rule. */
  readonly faults: readonly string[]
  /** Returns the values. Throws if there are faults. */
  values(): V
}

/** Reads settings from their sources: flags override the environment, which overrides the file. */
export function settingReader<T extends Readonly<Record<string, Setting>>>(
  table: T,
  sources: Sources,
): SettingReader<SettingValues<T>> {
  const read = Object.entries<Setting>(table).map(([name, setting]) => ({
    name,
    ...readSetting(name, setting, sources),
  }))
  const faults = read.flatMap(({ fault }) => fault ?? [])
  return {
    faults,
    values: () => {
      if (faults.length > 0) throw new Error(faults.join('\n'))
      // Object.fromEntries loses the keys; each parser gives the type of its row.
      return Object.fromEntries(read.map(({ name, value }) => [name, value])) as SettingValues<T>
    },
  }
}

/** Reads one setting: its value, null if there is none, or the fault. */
function readSetting(
  name: string,
  setting: Setting,
  sources: Sources,
): { readonly value: unknown; readonly fault: string | null } {
  const given = find(setting, sources)
  if (given === null) return { value: null, fault: null }
  const parsed = parse(setting, given)
  return parsed.ok
    ? { value: parsed.value, fault: null }
    : { value: null, fault: describeFault(name, setting, given, parsed.rule) }
}

/** A value as given; `text` is null if the file has a value of the wrong type. */
interface Given {
  readonly text: string | null
  readonly source: string
}

function find(setting: Setting, { flags, environment, file }: Sources): Given | null {
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

/** Returns the text that a flag would have for a value of the configuration file. */
function asText({ parser: { form } }: Setting, written: unknown): string | null {
  if (typeof written === 'string') return written
  if (form === 'number' && typeof written === 'number') return String(written)
  if (form === 'list' && Array.isArray(written) && written.every(isItem)) return written.join(',')
  return null
}

function isItem(item: unknown): boolean {
  return (typeof item === 'string' && item !== '') || typeof item === 'number'
}

function parse({ parser }: Setting, { text }: Given): Parsed<unknown> {
  if (text !== null) return parser.parse(text)
  const wanted = { text: 'a text', number: 'a number', list: 'an array' }[parser.form]
  return { ok: false, rule: `must be ${wanted}` }
}

/** Limits the text in a fault: a whole file pasted by mistake would hide the rule. */
const shownMax = 60

function describeFault(name: string, setting: Setting, given: Given, rule: string): string {
  const { text, source } = given
  const found =
    setting.secret || text === null
      ? ''
      : `, not ${JSON.stringify(text.length > shownMax ? `${text.slice(0, shownMax)}…` : text)}`
  return `The setting ${name} (from ${source}) ${rule}${found}.`
}
