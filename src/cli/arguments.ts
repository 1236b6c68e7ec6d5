import { defaultText, type Setting } from '../config/setting.ts'
import { didYouMean } from '../core/declaration/nearest.ts'
import { printable } from './printable.ts'

// Importing it would load all of its exports (docs/decisions/0016).
const { parseArgs } = process.getBuiltinModule('node:util')

/** A flag of a command. */
export interface Flag {
  /** Without the two dashes. */
  readonly flag: string
  /** The name of its value in one word; null for a flag without a value. */
  readonly placeholder: string | null
  readonly description: string
  /** Further sentences for the help: other sources, default. */
  readonly note?: string
  /** The words of the command that take it; absent: all. */
  readonly words?: readonly string[]
}

/** A field of a collection, given as a flag: its name and its value. */
export type FieldFlag = readonly [name: string, value: string]

/** The arguments of a command. */
export interface Arguments {
  /** The values of the flags, by flag. The last of repeated flags counts. */
  readonly values: Readonly<Record<string, string>>
  /** The flags without a value. */
  readonly switches: ReadonlySet<string>
  /** The flags besides those of the command, in their order, if it takes fields as flags. */
  readonly fields: readonly FieldFlag[]
  /** One sentence for each invalid argument, without the values of flags, which may be secret. */
  readonly faults: readonly string[]
}

type Token = ReturnType<typeof tokenize>[number]

/**
 * Parses arguments by the flags of a command. `-h` means `--help`. With `takesFields`, every other
 * flag is a field.
 */
export function parseArguments(
  args: readonly string[],
  commandFlags: readonly Flag[],
  takesFields = false,
): Arguments {
  const values: Record<string, string> = {}
  const switches = new Set<string>()
  const faults: string[] = []
  const fields: FieldFlag[] = []
  const fieldFlags = takesFields ? otherFlags(args, commandFlags) : []
  const flags = [...commandFlags, ...fieldFlags]

  let before: { readonly name: string; readonly ok: boolean } | null = null
  for (const token of tokenize(args, flags)) {
    const fault = faultOf(token, flags, before)
    if (fault !== null) faults.push(fault)
    if (token.kind !== 'option') continue

    before = { name: token.rawName, ok: fault === null }
    if (fault !== null) continue
    if (token.value === undefined) switches.add(token.name)
    else if (fieldFlags.some(({ flag }) => flag === token.name)) {
      fields.push([token.name, token.value])
    } else values[token.name] = token.value
  }
  return { values, switches, fields, faults }
}

/** Returns the flags among the arguments that a command does not have. */
function otherFlags(args: readonly string[], known: readonly Flag[]): readonly Flag[] {
  const names = args.flatMap((arg) => /^--([^=]+)/.exec(arg)?.[1] ?? [])
  return [...new Set(names)]
    .filter((name) => !known.some(({ flag }) => flag === name))
    .map((flag) => ({ flag, placeholder: 'value', description: 'A field.' }))
}

function tokenize(args: readonly string[], flags: readonly Flag[]) {
  const options = Object.fromEntries(
    flags.map(({ flag, placeholder }) => {
      const type = placeholder === null ? ('boolean' as const) : ('string' as const)
      return [flag, flag === 'help' ? { type, short: 'h' } : { type }]
    }),
  )
  return parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  }).tokens
}

function faultOf(
  token: Token,
  flags: readonly Flag[],
  before: { readonly name: string; readonly ok: boolean } | null,
): string | null {
  if (token.kind === 'option-terminator') return null
  // The argument after a refused flag is probably its value.
  if (token.kind === 'positional') {
    if (before === null) return stray(token.value)
    return before.ok
      ? `There is an unexpected argument after ${before.name}: quote a value with spaces.`
      : null
  }

  const known = flags.find(({ flag }) => flag === token.name)
  if (known === undefined) return unknown(token.rawName, flags)
  if (known.placeholder === null) {
    return token.value === undefined ? null : `The flag ${token.rawName} takes no value.`
  }
  if (token.value === undefined || (!token.inlineValue && /^-./.test(token.value))) {
    const example = `${token.rawName}=<${known.placeholder}>`
    return `The flag ${token.rawName} needs a value; one that begins with a dash is given as ${example}.`
  }
  return null
}

function unknown(rawName: string, flags: readonly Flag[]): string {
  const names = flags.map(({ flag }) => `--${flag}`)
  const meant = didYouMean(rawName, names)
  // Who asks for a dry run wants to know what else is safe.
  const others = rawName === '--dry-run' ? ` The flags are ${names.join(', ')}.` : ''
  return `The flag ${rawName} is unknown.${meant === '' ? others : meant}`
}

/** A key or a webhook's secret, which no log of a start should have. */
const secretForm = /^(nuncio|whsec)_/

function stray(text: string): string {
  const shown = secretForm.test(text) ? '' : ` ${printable(text)}`
  return `The argument${shown} is unknown: use flags only.`
}

/** Returns the settings of a table as flags of a command. */
export function settingFlags(table: Readonly<Record<string, Setting>>): readonly Flag[] {
  return Object.values(table).map((setting) => ({
    flag: setting.flag,
    placeholder: setting.placeholder,
    description: setting.description,
    note: note(setting),
  }))
}

function note(setting: Setting): string {
  const key = setting.key === null ? '' : ` key ${setting.key};`
  return `Variable ${setting.variable};${key} default ${defaultText(setting)}`
}
