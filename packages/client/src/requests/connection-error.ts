/** The reason for a missing response. */
export type ConnectionFault = 'unreachable' | 'timeout' | 'malformed'

/**
 * The service sent no response: it was unreachable, took too long, or is not Nuncio. It is unknown
 * if the request was carried out.
 */
export class NuncioConnectionError extends Error {
  override readonly name = 'NuncioConnectionError'
  readonly fault: ConnectionFault

  constructor(fault: ConnectionFault, message: string, cause?: unknown) {
    super(message, { cause })
    this.fault = fault
  }
}
