import type { ClientConfig } from '../config/client-settings.ts'
import { networkReason } from './network-reason.ts'
import type { ProcessContext } from './process-context.ts'
import { programVersion } from './version.ts'

/** A request to the service. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Begins with `/v1`. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Gives the request up, the reading of its answer included. */
  readonly signal?: AbortSignal
}

/** No answer came. The message says where from, why, and what to do. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'

  constructor(url: string, cause: unknown) {
    super(
      `No service answers at ${url} (${networkReason(cause)}).\n` +
        'Start it with "nuncio serve", or name another with --url or NUNCIO_URL.',
      { cause },
    )
  }
}

/** How long the service may take until it begins to answer. */
const answerMsMax = 30_000

/** Sends a request and returns its answer, whatever its status, once that begins. Throws `Unreachable`. */
export async function fetchApi(
  { fetch, clock }: Pick<ProcessContext, 'fetch' | 'clock'>,
  { url, key }: ClientConfig,
  { method, path, headers, body, signal }: ApiRequest,
): Promise<Response> {
  const tooLate = new AbortController()
  const cancel = clock.after(answerMsMax, () => tooLate.abort(new Error('no answer in 30 s')))
  try {
    return await fetch(url + path, {
      method,
      headers: {
        'user-agent': `nuncio/${programVersion}`,
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...headers,
      },
      // A redirect would take the key to an address that nobody named.
      redirect: 'manual',
      signal: signal === undefined ? tooLate.signal : AbortSignal.any([tooLate.signal, signal]),
      ...(body === undefined ? {} : { body }),
    })
  } catch (error) {
    throw new Unreachable(url, error)
  } finally {
    cancel()
  }
}
