import type { Slice } from '../tables/slice.ts'

/** Which submissions are claimed, and in which order. */
export interface Claimable {
  readonly slice: Slice
  readonly where: string
  readonly by: string
}
