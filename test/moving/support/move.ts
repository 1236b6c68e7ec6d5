import type { StoreLocation } from '../../../src/config/store-location.ts'
import { parsers } from '../../../src/config/parsers.ts'
import type { Moved } from '../../../src/core/ports/moving.ts'
import { moveStoreBetween } from '../../../src/wiring/move-store.ts'

/** Moves a store from one place to another, each as a setting names it. */
export function move(from: string, to: string): Promise<Moved> {
  return moveStoreBetween(
    { from: locationOf(from), to: locationOf(to) },
    () => {},
    () => {},
  )
}

function locationOf(text: string): StoreLocation {
  const read = parsers.store.parse(text)
  if (!read.ok) throw new Error(read.rule)
  return read.value
}
