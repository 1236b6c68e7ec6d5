import type { Flag } from '../arguments.ts'
import { type Command, type CommandWord, helpFlag, refuse, takes } from '../command.ts'

/**
 * The name under which a shell asks for suggestions. It is not in the table of commands: no person
 * types it.
 */
export const suggestName = '__complete'

/** The script of each shell. All ask the program, so that they never differ from its commands. */
const scripts = {
  bash: `_nuncio() {
  local IFS=$'\\n'
  COMPREPLY=($(nuncio ${suggestName} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
}
complete -o default -F _nuncio nuncio
`,
  zsh: `#compdef nuncio
_nuncio() {
  local -a lines
  lines=("\${(@f)$(nuncio ${suggestName} "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n \${lines[1]} ]]; then
    lines=("\${(@)lines//$'\\t'/:}")
    _describe nuncio lines
  else
    _files
  fi
}
compdef _nuncio nuncio
`,
  fish: `complete -c nuncio -f -a '(nuncio ${suggestName} (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
complete -c nuncio -l file -r -F
`,
} as const

const installs: Readonly<Record<keyof typeof scripts, string>> = {
  bash: 'For ~/.bashrc: eval "$(nuncio completion bash)"',
  zsh: 'For ~/.zshrc, after compinit: eval "$(nuncio completion zsh)"',
  fish: 'For fish: nuncio completion fish > ~/.config/fish/completions/nuncio.fish',
}

const words: readonly CommandWord[] = Object.entries(installs).map(([word, install]) => ({
  word,
  summary: install,
}))

/** `nuncio completion`: prints the script by which a shell completes commands and flags. */
export const completion: Command = {
  name: 'completion',
  summary: 'Prints the script by which a shell completes commands and flags.',
  usage: 'completion bash|zsh|fish',
  words,
  flags: [],
  run: async ({ word, faults }, context) => {
    const script = Object.entries(scripts).find(([shell]) => shell === word)?.[1]
    const missing = script === undefined && faults.length === 0 ? [usage] : []
    if (script === undefined || faults.length > 0) {
      return refuse(context, 'completion', [...faults, ...missing])
    }
    context.out.write(script)
    return 0
  },
}

const usage = 'Give bash, zsh or fish: nuncio completion bash'

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
