import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { release, ReleaseRefused } from './release.ts'
import { servedOpenApi } from './served-open-api.ts'

const usage = 'Makes a release: npm run release -- 0.2.0 [--dry-run]'
const { values, positionals } = readArguments()
const execute = promisify(execFile)

try {
  await release({
    root: join(import.meta.dirname, '..', '..'),
    version: positionals[0] ?? '',
    date: new Date().toISOString().slice(0, 10),
    isDryRun: values['dry-run'],
    run: async (program, args, cwd) => {
      const { stdout } = await execute(program, args, { cwd, maxBuffer: 64 * 1024 * 1024 })
      return stdout
    },
    readOpenApi: servedOpenApi,
    print: console.log,
  })
} catch (error) {
  if (!(error instanceof ReleaseRefused)) throw error
  console.error(error.message)
  process.exitCode = 1
}

/** Reads the arguments; ends the process with the usage if it is asked for, or if they are wrong. */
function readArguments() {
  try {
    const read = parseArgs({
      allowPositionals: true,
      options: {
        'dry-run': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    if (!read.values.help) return read
    console.log(usage)
    return process.exit(0)
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${usage}`)
    return process.exit(2)
  }
}
