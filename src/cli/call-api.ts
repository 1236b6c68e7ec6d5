import type { ClientConfig } from '../config/client-settings.ts'
import { fetchApi, Unreachable, type ApiRequest } from './fetch-api.ts'
import type { ProcessContext } from './process-context.ts'

/** An answer of the service, read to its end. */
export interface ApiAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The address of the service that it came from. */
  readonly url: string
}

/** Sends a request to the service and reads its answer, whatever its status. Throws `Unreachable`. */
export async function callApi(
  surroundings: Pick<ProcessContext, 'fetch' | 'clock'>,
  config: ClientConfig,
  request: ApiRequest,
): Promise<ApiAnswer> {
  return readAnswer(await fetchApi(surroundings, config, request), config)
}

/** Reads an answer that has begun. Throws `Unreachable` where it breaks off. */
export async function readAnswer(response: Response, { url }: ClientConfig): Promise<ApiAnswer> {
  try {
    const { status, headers } = response
    return { status, headers, text: await response.text(), url }
  } catch (error) {
    throw new Unreachable(url, error)
  }
}
