import { fork } from 'node:child_process'
import { once } from 'node:events'
import { memoryOf } from '../../../bench/processes.ts'
import { headers, startService } from '../measures/parts/programs.ts'
import type { Attack } from './attack.ts'
import type { AttackerOrder } from './attacker.ts'
import { bystander, quantile, type Seen } from './bystander.ts'
import { bystanderContact, createClients } from './clients.ts'
import type { FilledStore } from './filled-stores.ts'
import { measureStrain, type Strain } from './machine.ts'
import { pause } from './requests.ts'

/** What client B and the process saw of an attack. */
export interface Measured {
  /** B's p99 without and with the attack, in milliseconds. */
  readonly quietMs: number
  readonly attackedMs: number
  readonly attackedP50Ms: number
  /** B's requests next to the attack. */
  readonly requests: number
  readonly failures: readonly string[]
  /** The most memory above that before the attack, in MB. */
  readonly memoryMb: number
  /** Time from SIGTERM to the end of the process, and its exit code. */
  readonly endMs: number
  readonly exitCode: number | null
  /** What the service's process had to bear next to the attack. */
  readonly strain: Strain
  /** How often each result of the attack occurred. */
  readonly results: Readonly<Record<string, number>>
}

/** How long an attack is measured, and its size. */
export interface Extent {
  readonly seconds: number
  readonly size: number
}

const warmUpMs = 1000
const memoryEveryMs = 100
/** A process that does not end within this time is killed, in milliseconds. */
const killAfterMs = 60_000

/** Measures one attack on a service of its own. */
export async function measureAttack(
  attack: Attack,
  filled: FilledStore,
  { seconds, size }: Extent,
): Promise<Measured> {
  await using store = await filled.copy()
  const service = await startService(store.folder, {
    NUNCIO_STORE: store.url,
    NUNCIO_LOG: 'error',
    ...attack.environment,
  })
  const { pid = 0 } = service.process
  const ended = once(service.process, 'exit')
  try {
    const clients = await createClients(service.url, headers, size)
    const { target } = clients
    await attack.prepare?.(target)
    const client = bystander(target, clients.bystander, bystanderContact)
    const during = (ms: number): Promise<Seen> => {
      const until = performance.now() + ms
      return client.watch(() => performance.now() > until)
    }
    await during(warmUpMs)
    const quiet = await during(seconds * 500)

    const before = memoryOf(pid)?.now ?? 0
    let most = before
    const sampling = setInterval(() => {
      most = Math.max(most, memoryOf(pid)?.now ?? 0)
    }, memoryEveryMs)
    const attacker = await startAttacker({ name: attack.name, target })
    const endStrain = await measureStrain(service.url, pid)
    const seen = await during(seconds * 1000)
    const strain = await endStrain()
    clearInterval(sampling)

    // Still under attack.
    const began = performance.now()
    service.process.kill('SIGTERM')
    await Promise.race([ended, pause(killAfterMs)])
    const endMs = performance.now() - began
    return {
      quietMs: quantile(quiet, 0.99),
      attackedMs: quantile(seen, 0.99),
      attackedP50Ms: quantile(seen, 0.5),
      requests: seen.times.length,
      failures: [...quiet.failures, ...seen.failures],
      memoryMb: most - before,
      endMs,
      exitCode: service.process.exitCode,
      strain,
      results: await attacker.stop(),
    }
  } finally {
    service.process.kill('SIGKILL')
    await ended
  }
}

interface Attacker {
  stop(): Promise<Measured['results']>
}

async function startAttacker(order: AttackerOrder): Promise<Attacker> {
  const child = fork(new URL('attacker.ts', import.meta.url), [JSON.stringify(order)])
  await once(child, 'message')
  return {
    stop: async () => {
      const answer = once(child, 'message')
      const ended = once(child, 'exit')
      child.send('stop')
      const [results] = (await answer) as [Measured['results']]
      await ended
      return results
    },
  }
}
