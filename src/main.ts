import { runInProcess } from './cli/run-in-process.ts'

// Loaded only where they are used: the other commands need none of it.
await runInProcess({
  startApp: async (config, surroundings) => {
    const { startApp } = await import('./app.ts')
    const app = await startApp(config, surroundings)
    // bin/nuncio.js kept it from growing while modules were loaded. Two is what V8 has by itself.
    process.getBuiltinModule('node:v8').setFlagsFromString('--semi-space-growth-factor=2')
    return app
  },
  moveStore: async (...asked) => {
    const { moveStoreBetween } = await import('./wiring/move-store.ts')
    return moveStoreBetween(...asked)
  },
})
