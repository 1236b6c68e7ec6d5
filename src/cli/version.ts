import packageJson from '../../package.json' with { type: 'json' }
import type { Command } from './command.ts'
import { refuse } from './refuse.ts'

/** The version of the program, as in `package.json`. */
export const programVersion: string = packageJson.version

/** `nuncio version`. */
export const version: Command = {
  name: 'version',
  summary: 'Shows the version.',
  usage: 'version',
  flags: [],
  run: async ({ faults }, surroundings) => {
    if (faults.length > 0) return refuse(surroundings, 'version', faults)
    surroundings.out.write(`nuncio ${programVersion}\n`)
    return 0
  },
}
