import { runInProcess } from './cli/run-in-process.ts'

await runInProcess(async (config, surroundings) => {
  // Loaded only where a service is started: the other commands need none of it.
  const { startApp } = await import('./app.ts')
  const app = await startApp(config, surroundings)
  // bin/nuncio.js kept it from growing while modules were loaded. Two is what V8 has by itself.
  process.getBuiltinModule('node:v8').setFlagsFromString('--semi-space-growth-factor=2')
  return app
})
