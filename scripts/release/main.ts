import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { release, ReleaseRefused } from './release.ts'
import { servedOpenApi } from './served-open-api.ts'

// Makes a release: npm run release -- 0.2.0 [--dry-run]
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'dry-run': { type: 'boolean', default: false } },
})
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
