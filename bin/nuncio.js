#!/usr/bin/env node
// Plain JavaScript, so that a Node too old to read TypeScript gets a sentence and no stack trace.
const [major, minor] = process.versions.node.split('.').map(Number)

if (major < 24 || (major === 24 && minor < 12)) {
  console.error(
    `Nuncio needs Node 24.12 or newer; this is ${process.version}. ` +
      'npm ci brings a suitable one for most machines: start with "npm start" instead of "node".',
  )
  process.exitCode = 1
} else {
  if (import.meta.url.includes('/node_modules/')) {
    const { runInstalledTypeScript } = await import('./strip-types.js')
    runInstalledTypeScript()
  }
  const { keepCompiled } = await import('./compiled.js')
  keepCompiled()
  const { setFlagsFromString } = process.getBuiltinModule('node:v8')
  // Else the heap for young objects grows while modules are loaded, and keeps what it took.
  setFlagsFromString('--semi-space-growth-factor=1')
  // Else a burst teaches V8 that what a request is made of grows old (docs/decisions/0018).
  setFlagsFromString('--no-allocation-site-pretenuring')
  await import('../src/main.ts')
}
