import { runInProcess } from './cli/run-in-process.ts'

// Loaded only where they are used: the other commands need none of it.
await runInProcess({
  startApp: async (config, surroundings) => {
    const { startApp } = await import('./app.ts')
    return startApp(config, surroundings)
  },
  moveStore: async (...asked) => {
    const { moveStoreBetween } = await import('./move-store.ts')
    return moveStoreBetween(...asked)
  },
})
