import { NuncioConnectionError, NuncioProblem } from '@nuncio/client'

/** A failed request as people read it. */
export interface Failure {
  readonly title: string
  readonly detail: string
  readonly requestId: string | null
  /** The service's page about this kind of problem. */
  readonly page: string | null
  /** Faults of the input by JSON Pointer. */
  readonly faults: ReadonlyMap<string, string>
}

/** Explains why a request failed. */
export function explain(error: unknown): Failure {
  if (error instanceof NuncioProblem) {
    const faults = error.errors.map((fault) => {
      const place = 'pointer' in fault ? fault.pointer : fault.parameter
      return [String(place ?? ''), fault.detail] as const
    })
    const { title, detail, requestId, page } = error
    return { title, detail, requestId, page, faults: new Map(faults) }
  }
  const detail =
    error instanceof NuncioConnectionError
      ? 'The service did not respond. Check that it runs and that you are online, then retry.'
      : error instanceof Error
        ? error.message
        : String(error)
  return { title: 'Request failed', detail, requestId: null, page: null, faults: new Map() }
}

/** Returns true if the session has ended or never existed. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof NuncioProblem && error.status === 401
}

/** Returns true if the resource does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof NuncioProblem && error.status === 404
}

/** Returns true if a resource has changed since it was read. */
export function hasChanged(error: unknown): boolean {
  return error instanceof NuncioProblem && error.status === 412
}
