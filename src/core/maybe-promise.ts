/** Value or promise. A plain value avoids a chain of promises per request. */
export type MaybePromise<T> = T | Promise<T>

/**
 * Calls `goOn` with the value, synchronously unless it is a promise. A rejection goes to `failed`,
 * or to the caller without one; errors of `goOn` go to the caller.
 */
export function andThen<T, R>(
  value: MaybePromise<T>,
  goOn: (value: T) => MaybePromise<R>,
  failed?: (error: unknown) => MaybePromise<R>,
): MaybePromise<R> {
  return value instanceof Promise ? value.then(goOn, failed) : goOn(value)
}
