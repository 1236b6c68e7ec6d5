import { readFileSync } from 'node:fs'

/**
 * Loaded before the service (`--import`): moves its wall clock by as many milliseconds as the file
 * of `CHAOS_CLOCK` says, at the start and at each SIGUSR2. The monotonic clock and timers stay as
 * they are, as they do when somebody sets the clock of a machine.
 */
const file = process.env['CHAOS_CLOCK'] ?? ''
const read = (): number => Number(readFileSync(file, 'utf8'))
let offset = read()
process.on('SIGUSR2', () => {
  offset = read()
})

const Real = Date
const now = (): number => Real.now() + offset
globalThis.Date = new Proxy(Real, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new Real(now()).toString(),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
})
