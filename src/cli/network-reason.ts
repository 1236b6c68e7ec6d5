/** Why a request came to nothing, in a word or two: `fetch` itself says only that it failed. */
export function networkReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && typeof error.code === 'string') return error.code
  if (error instanceof AggregateError && error.errors.length > 0)
    return networkReason(error.errors[0])
  return error.cause === undefined ? error.message : networkReason(error.cause)
}
