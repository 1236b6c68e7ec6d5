import assert from 'node:assert/strict'
import { registerHooks } from 'node:module'
import { it } from 'node:test'

it('The start loads no library that only some installations use', async () => {
  const loaded = new Set<string>()
  const hooks = registerHooks({
    resolve: (specifier, context, next) => {
      if (/^[@a-z]/.test(specifier) && !specifier.startsWith('node:')) loaded.add(specifier)
      return next(specifier, context)
    },
  })
  const { startApp } = await import('../../src/app.ts')
  const { loadConfig } = await import('../../src/config/load-config.ts')
  await import('../../src/cli/run.ts')
  const flags = { store: 'memory:', port: '0' }
  const read = await loadConfig({ flags, environment: {}, cwd: import.meta.dirname })
  if (!read.ok) assert.fail(read.faults.join('\n'))
  const app = await startApp(read.config, { log: () => {} })
  await fetch(`${app.url}/health/ready`)
  await app.stop()
  hooks.deregister()

  const packages = [...loaded].filter((name) => !/^(file:|data:)/.test(name))
  assert.deepEqual(packages, ['@nuncio/receiver'])
})
