import packageJson from '../../../package.json' with { type: 'json' }
import { refuse, type Command } from '../command.ts'

/** The version of the program, as in `package.json`. */
export const programVersion: string = packageJson.version

/** `nuncio version`. */
export const version: Command = {
  name: 'version',
  summary: 'Shows the version.',
  usage: 'version',
  flags: [],
  run: async ({ faults }, context) => {
    if (faults.length > 0) return refuse(context, 'version', faults)
    context.out.write(`nuncio ${programVersion}\n`)
    return 0
  },
}
