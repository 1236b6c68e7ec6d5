/**
 * What is there already, or will be. What is there needs no promise, of which every request would
 * have a chain.
 */
export type Soon<T> = T | Promise<T>

/**
 * Goes on with a value as soon as it is there: at once where it is. `failed` is told where its promise
 * is not kept, or nobody is and it goes on to whoever waits; what `goOn` throws is the caller's.
 */
export function whenThere<T, R>(
  value: Soon<T>,
  goOn: (value: T) => Soon<R>,
  failed?: (error: unknown) => Soon<R>,
): Soon<R> {
  return value instanceof Promise ? value.then(goOn, failed) : goOn(value)
}
