import type { Command } from './command.ts'
import { programHelp } from './help-text.ts'
import { refuse } from './refuse.ts'

/** `nuncio help`: what commands there are. It is given them, being one of them. */
export function help(commands: () => readonly Command[]): Command {
  return {
    name: 'help',
    summary: 'Shows the commands, or with a command its flags: nuncio help serve.',
    usage: 'help [command]',
    flags: [],
    run: async ({ faults }, surroundings) => {
      if (faults.length > 0) return refuse(surroundings, 'help', faults)
      surroundings.out.write(programHelp(commands()))
      return 0
    },
  }
}
