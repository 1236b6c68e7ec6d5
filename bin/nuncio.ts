#!/usr/bin/env node
// Imports nothing before the check, so that a Node too old for the rest gets a sentence and no stack trace.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < 24 || (major === 24 && minor < 12)) {
  console.error(
    `Nuncio needs Node 24.12 or newer; this is ${process.version}. Install Node 26 from https://nodejs.org, ` +
      'or for this folder with "npm install node@26". A checkout has its own: start it with "npm start".',
  )
  process.exitCode = 1
} else {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8')
  // Else the heap for young objects grows while modules are loaded, and keeps what it took.
  setFlagsFromString('--semi-space-growth-factor=1')
  // Else a burst teaches V8 that what a request is made of grows old (docs/decisions/0018).
  setFlagsFromString('--no-allocation-site-pretenuring')
  await import('../src/main.ts')
}
