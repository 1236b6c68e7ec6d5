import { hash, timingSafeEqual } from 'node:crypto'

/** Compares two texts in constant time. */
export function same(given: string, wanted: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', wanted, 'buffer'))
}
