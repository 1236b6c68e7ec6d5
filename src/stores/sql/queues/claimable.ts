/** Which submissions are claimed, and in which order. */
export interface Claimable {
  readonly where: string
  readonly by: string
}
