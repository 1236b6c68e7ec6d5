/** The fetch of the platform, or one of a test. */
export type PlatformFetch = typeof fetch

/** Time for a request to the provider and its response, in milliseconds. */
const timeoutMs = 5000

/** Octets of a response: documents of providers have a few thousand. */
const responseBytesMax = 256 * 1024

/** What the protocol library asks for. */
interface BoundedFetchOptions {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: URLSearchParams | undefined
}

/** Returns a fetch with a timeout, without redirects, whose responses have a limited length. */
export function boundedFetch(own: PlatformFetch) {
  return async (target: string, { method, headers: sent, body: form }: BoundedFetchOptions) => {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await own(target, {
      method,
      headers: sent,
      ...(form === undefined ? {} : { body: form }),
      redirect: 'manual',
      signal,
    })
    const chunks: Uint8Array[] = []
    let length = 0
    for await (const chunk of response.body ?? []) {
      length += chunk.length
      if (length > responseBytesMax) throw new Error('the response is too long')
      chunks.push(chunk)
    }
    const { status, headers } = response
    const body = status === 204 || status === 304 ? null : Buffer.concat(chunks)
    return new Response(body, { status, headers })
  }
}
