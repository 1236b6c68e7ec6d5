import { runInProcess } from './cli/run-in-process.ts'

// Loaded only where they are used: the other commands need none of it.
await runInProcess({
  startApp: async (config, surroundings) => {
    const { startApp } = await import('./app.ts')
    const app = await startApp(config, surroundings)
    // bin/nuncio.ts limits the growth while modules load. Two is V8's default.
    process.getBuiltinModule('node:v8').setFlagsFromString('--semi-space-growth-factor=2')
    return app
  },
  moveStore: async (...asked) => {
    const { moveStoreBetween } = await import('./wiring/move-store.ts')
    return moveStoreBetween(...asked)
  },
  backUp: async (...asked) => {
    const { backUpStore } = await import('./wiring/back-up-store.ts')
    return backUpStore(...asked)
  },
  distributeStore: async (...asked) => {
    const { distributeStore } = await import('./wiring/distribute-store.ts')
    return distributeStore(...asked)
  },
  lookAtStore: async (store) => {
    const { lookAtStore } = await import('./wiring/look-at-store.ts')
    return lookAtStore(store)
  },
})
