import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

/** Faults that are known and wait for their correction, by check. No check may gain one. */
export const knownFaults: Readonly<Record<string, readonly string[]>> = JSON.parse(
  readFileSync(new URL('../known-faults.json', import.meta.url), 'utf8'),
)

/** A fault, and the sentence that names the file and the correction. */
export interface Fault {
  /** The identity in `known-faults.json`. */
  readonly id: string
  readonly text: string
}

/** Fails if there is a fault, and shows all of them. */
export function assertNone(faults: readonly string[]): void {
  assert.deepEqual(faults, [], `\n${faults.join('\n')}\n`)
}

/** Fails if there is a fault that is not known, and if a known one no longer exists. */
export function assertOnlyKnown(check: string, faults: readonly Fault[]): void {
  const known = knownFaults[check] ?? []
  const gone = known.filter((id) => !faults.some((fault) => fault.id === id))
  assertNone([
    ...faults.filter(({ id }) => !known.includes(id)).map(({ text }) => text),
    ...gone.map((id) => `${id} is corrected: remove it from "${check}" in known-faults.json`),
  ])
}
