/** Why there is no answer of the service. */
export type ConnectionFault = 'unreachable' | 'timeout' | 'malformed'

/**
 * No answer of the service came: it was not reached, took too long, or what answered is not Nuncio.
 * Whether the request was carried out is not known.
 */
export class NuncioConnectionError extends Error {
  override readonly name = 'NuncioConnectionError'
  readonly fault: ConnectionFault

  constructor(fault: ConnectionFault, message: string, cause?: unknown) {
    super(message, { cause })
    this.fault = fault
  }
}
