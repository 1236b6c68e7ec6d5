/**
 * What is there already, or will be. What is there needs no promise, of which every request would
 * have a chain.
 */
export type MaybePromise<T> = T | Promise<T>

/**
 * Goes on with a value as soon as it is there: at once where it is. `failed` is told where its promise
 * is not kept, or nobody is and it goes on to whoever waits; what `goOn` throws is the caller's.
 */
export function andThen<T, R>(
  value: MaybePromise<T>,
  goOn: (value: T) => MaybePromise<R>,
  failed?: (error: unknown) => MaybePromise<R>,
): MaybePromise<R> {
  return value instanceof Promise ? value.then(goOn, failed) : goOn(value)
}
