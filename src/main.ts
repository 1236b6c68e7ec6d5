import { runInProcess } from './cli/run-in-process.ts'

await runInProcess(async (config, surroundings) => {
  // Loaded only where a service is started: the other commands need none of it.
  const { startApp } = await import('./app.ts')
  return startApp(config, surroundings)
})
