import type { Loaded } from './load-config.ts'
import { parsers } from './parsers.ts'

/** A distribution that the command line asks for. */
export interface Distribution {
  readonly url: string
  /** In how many pieces each table is cut; null if that was not said. */
  readonly shards: number | null
}

const shardsMax = 256

/** Reads the store that is to be distributed; returns all faults together. */
export function readDistribution(given: {
  readonly store?: string
  readonly shards?: string
}): Loaded<Distribution> {
  const shards = given.shards === undefined ? null : Number(given.shards)
  const store = parsers.store.parse(given.store ?? '')
  const faults = [
    ...(store.ok && store.value.kind === 'postgres'
      ? []
      : ['--store must name a PostgreSQL: postgres://user@host/database.']),
    ...(shards === null || (Number.isInteger(shards) && shards >= 1 && shards <= shardsMax)
      ? []
      : [`--shards must be an integer from 1 to ${shardsMax}.`]),
  ]
  if (faults.length > 0 || !store.ok || store.value.kind !== 'postgres')
    return { ok: false, faults }
  return { ok: true, config: { url: store.value.url, shards } }
}
