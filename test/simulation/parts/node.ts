import { typeIds } from '../../../src/core/id.ts'
import { egressGuard, networks } from '../../../src/delivery/egress/guard.ts'
import { wireApp, standardOffer } from '../../../src/wiring/wire.ts'
import { testConfig } from '../../support/api.ts'
import { adminKey } from './clients.ts'
import { machine, type Machine } from './machine.ts'
import type { Phones } from './phones.ts'
import type { Receivers } from './receivers.ts'
import type { Plant } from './plants.ts'
import { storeView } from './store-view.ts'
import type { World } from './world.ts'

/** The service, running in a process. */
export interface Node {
  readonly machine: Machine
  /** A client's request: null where no answer comes. */
  ask(request: Ask): Promise<Answer | null>
  /** Ends it as an operator does; the process is gone when this is kept. */
  stop(): Promise<void>
}

/** A request of a client. */
export interface Ask {
  readonly method: string
  readonly target: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** The key of the client; the administrator's if none is given. */
  readonly key?: string
}

/** What a client hears. */
export interface Answer {
  readonly status: number
  readonly text: string
}

const config = { ...testConfig, retrySchedule: [1, 3, 10, 20] }
const guard = egressGuard(networks([]))

/** Starts the service on a machine of its own, over the disk of the world. */
export function startNode(
  name: string,
  world: World,
  { phones, receivers }: { readonly phones: Phones; readonly receivers: Receivers },
  plant: Plant | undefined,
): Node {
  const { dice, temper, random } = world
  const drift = Math.floor((dice.fraction() * 2 - 1) * temper.driftMs)
  const runs = machine(name, world.timeline, drift)
  const store = storeView(world, runs, plant?.store ?? {})
  const { clock } = runs
  const joined = wireApp(
    config,
    {
      store,
      clock,
      random,
      newId: typeIds(clock, random),
      log: (level, event) => {
        if (level === 'error' && runs.state() !== 'DEAD') world.note(`${name} logs: ${event}`)
      },
      guard,
      carrierGuard: guard,
      send: async () => ({ kind: 'NOT_SENT', detail: 'there is no such carrier' }),
      post: receivers.postOf(runs, plant?.acknowledgesUnheard ?? (() => false)),
    },
    { ...standardOffer, carrierTypes: [phones.typeOf(runs)] },
  )
  world.note(`${name} starts`)
  const started = joined.start().catch((error: unknown) => {
    world.note(`${name} does not start: ${String(error)}`)
    runs.die()
  })

  return {
    machine: runs,
    ask: ({ method, target, body, headers = {}, key = adminKey }) =>
      new Promise((resolve) => {
        if (runs.state() === 'DEAD') return resolve(null)
        const calledOff = world.timeline.after(30_000, () => resolve(null))
        runs.enter(() => {
          const sent = {
            method,
            target,
            headers: {
              authorization: `Bearer ${key}`,
              'content-type': 'application/json',
              ...headers,
            },
            body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
          }
          void Promise.resolve(joined.handle(sent)).then(({ status, body: text }) => {
            if (runs.state() === 'DEAD') return
            calledOff()
            resolve({ status, text: typeof text === 'string' ? text : '' })
          })
        })
      }),
    stop: async () => {
      await started
      joined.leave()
      await joined[Symbol.asyncDispose]()
      runs.die()
      world.note(`${name} has stopped`)
    },
  }
}
