#!/usr/bin/env node
// The command of a checkout. An installed package starts `bin/nuncio.js` itself.
import { existsSync } from 'node:fs'

const program = new URL('../../dist/bin/nuncio.js', import.meta.url)

if (existsSync(program)) {
  await import(program.href)
} else {
  console.error('There is no build. Run "npm run build".')
  process.exitCode = 1
}
