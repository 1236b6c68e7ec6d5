/** How long the service signs with an old secret too. */
export const overlapMs = 24 * 3_600_000

/** Returns the end of an old secret; null if it has ended or nothing was rotated. */
export function overlapEnd(rotatedAt: string | null | undefined, nowMs: number): string | null {
  if (rotatedAt === null || rotatedAt === undefined) return null
  const endMs = Date.parse(rotatedAt) + overlapMs
  return endMs > nowMs ? new Date(endMs).toISOString() : null
}
