/** Batches that replays send are told by their identifiers. */
export function isAgain(batchId: string): boolean {
  return batchId.startsWith('replayed_')
}
