import { refuse, type Command, type CommandWord } from '../command.ts'

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
