import type { Flag } from '../arguments.ts'
import { helpFlag, takes, type Command } from '../command.ts'

/** A word that may follow on the command line. */
export interface Suggestion {
  readonly text: string
  /** Its meaning; empty if its text says it. */
  readonly summary: string
}

/** Returns what can complete the last of the arguments, which may be empty. */
export function suggestions(
  args: readonly string[],
  commands: readonly Command[],
): readonly Suggestion[] {
  const last = args.at(-1) ?? ''
  return candidates(args.slice(0, -1), last, commands).filter(({ text }) => text.startsWith(last))
}

function candidates(
  before: readonly string[],
  last: string,
  commands: readonly Command[],
): readonly Suggestion[] {
  const names = commands.map(({ name, summary }) => ({ text: name, summary }))
  const [name, first, second] = before
  if (name === undefined) return names
  const command = commands.find((each) => each.name === name)
  if (command === undefined) return []

  const word = command.words?.find((each) => each.word === first)
  const isObject = second !== undefined && !second.startsWith('-')
  const further =
    word?.object?.choices?.().includes(second ?? '') === true
      ? word.object.flagsOf?.(second ?? '')
      : []
  const own = command.flags.filter((flag) => word === undefined || takes(flag, word))
  const flags = [...(further ?? []), ...own, helpFlag]
  if (needsValue(before.at(-1) ?? '', flags)) return []
  if (last.startsWith('-')) return flagSuggestions(flags)
  if (before.length === 1 && name === 'help') return names
  if (before.length === 1 && command.words !== undefined) {
    return command.words.map((each) => ({ text: each.word, summary: each.summary }))
  }
  const choices = isObject ? [] : (word?.object?.choices?.() ?? [])
  return choices.length === 0
    ? flagSuggestions(flags)
    : choices.map((text) => ({ text, summary: '' }))
}

function flagSuggestions(flags: readonly Flag[]): readonly Suggestion[] {
  return flags.map(({ flag, description }) => ({ text: `--${flag}`, summary: description }))
}

/** Returns true if an argument is a flag whose value comes next: the shell completes that. */
function needsValue(argument: string, flags: readonly Flag[]): boolean {
  return flags.some(({ flag, placeholder }) => placeholder !== null && argument === `--${flag}`)
}
