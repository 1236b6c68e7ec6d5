import hooks from 'node:async_hooks'

/**
 * Loaded by `npm test` before the test runner, which otherwise follows each promise in order to assign
 * errors outside the flow of a test: that takes up to half of the CPU of a test. Such an error still
 * fails its file; run the file alone to see the test.
 */
const { createHook } = hooks
hooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false })
