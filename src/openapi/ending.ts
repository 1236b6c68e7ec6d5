/** What is known of the end of a version; times in milliseconds since 1970. */
export interface LinkEnding {
  readonly deprecatedAt: number
  readonly sunsetAt: number | undefined
  readonly successor: string
}
