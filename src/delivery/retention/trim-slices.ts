/** So many rows are removed in one transaction. */
export const sliceMax = 200

/** The rest of the service comes first: slices leave room between them. */
export const slicePauseMs = 20
