/** A statement as it is sent; one without a name is not kept by the server. */
export interface Prepared {
  readonly text: string
  readonly name?: string
}
