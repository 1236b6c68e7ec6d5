/** Waits are as long as the service asks for, but not for ever. */
const retryAfterMsMax = 60_000

/** Tells whether the service answered that it may take the request later. */
export function isBusy({ status }: { readonly status: number }): boolean {
  return status === 408 || status === 429 || status >= 500
}

/** How long the service asks to wait (RFC 9110 section 10.2.3), in milliseconds; 0 where it does not say. */
export function retryAfterMs({ headers }: { readonly headers: Headers }): number {
  const text = headers.get('retry-after') ?? ''
  return /^\d+$/.test(text) ? Math.min(Number(text) * 1_000, retryAfterMsMax) : 0
}
