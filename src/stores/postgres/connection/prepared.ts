/** A statement as it is sent; the server does not store one without a name. */
export interface Prepared {
  readonly text: string
  readonly name?: string
}
