import { constants, setPriority } from 'node:os'
import type { Target } from './attack.ts'
import { attacks } from './attacks.ts'

/** What an attacker is started with. */
export interface AttackerOrder {
  readonly name: string
  readonly target: Target
}

// A process of its own, at the lowest priority: clients are other machines, so that an attack must not take the cores
// from the service and from client B. It stops at its first message and sends what it noted.
setPriority(constants.priority.PRIORITY_LOW)
const order: AttackerOrder = JSON.parse(process.argv[2] ?? '')
const attack = attacks.find(({ name }) => name === order.name)
if (attack === undefined) throw new Error(`Unknown attack ${order.name}.`)

const notes = new Map<string, number>()
const stop = new AbortController()
process.once('message', () => stop.abort())
process.once('disconnect', () => process.exit())
process.send?.('begun')
await attack.run(order.target, stop.signal, (result) => {
  notes.set(result, (notes.get(result) ?? 0) + 1)
})
process.send?.(Object.fromEntries(notes), () => process.exit())
