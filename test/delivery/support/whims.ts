import fc from 'fast-check'
import type { Posted } from '../../../src/delivery/egress/post.ts'
import { status } from './world.ts'

/** What may come of a request, and what that is to the order of the records. */
export const whims = {
  accept: status(204),
  refuse: status(422),
  refuseForNow: status(429, '30'),
  redirect: status(302),
  fail: status(503),
  gone: status(410),
  timeout: { outcome: { kind: 'TIMEOUT', detail: 'no answer within 1 ms' }, response: null },
  unreachable: { outcome: { kind: 'UNREACHABLE', detail: 'it was refused' }, response: null },
  block: { outcome: { kind: 'BLOCKED', detail: 'its address is private' }, response: null },
} as const satisfies Record<string, Posted>

/** What may come of one. */
export type Whim = keyof typeof whims

/** What is neither of these decides nothing. */
export const meanings: Partial<Record<Whim, 'accepted' | 'refused'>> = {
  accept: 'accepted',
  refuse: 'refused',
}

const names: readonly Whim[] = [
  ...Array<Whim>(6).fill('accept'),
  ...(Object.keys(whims) as Whim[]),
  ...Array<Whim>(3).fill('refuse'),
]

/** A run of a property. */
export interface Run {
  readonly seed: number
  readonly maxBatch: number
  readonly messages: number
  /** Records that are refused whenever they are in a batch. */
  readonly poison: readonly number[]
  /** What the receiver does at first, request by request; then it accepts all but poison. */
  readonly whims: readonly Whim[]
  /** The requests after whose answer, before the commit, the node dies. */
  readonly crashes: readonly number[]
}

/** Runs of every kind. */
export const runs: fc.Arbitrary<Run> = fc.record({
  seed: fc.integer({ min: 1, max: 1_000_000 }),
  maxBatch: fc.integer({ min: 1, max: 12 }),
  messages: fc.integer({ min: 1, max: 40 }),
  poison: fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 3 }),
  whims: fc.array(fc.constantFrom(...names), { maxLength: 40 }),
  crashes: fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 3 }),
})
