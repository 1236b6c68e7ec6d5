import type { Receiver } from '../receiver.ts'

/** Makes a Fetch handler for Deno, Bun, and frameworks that pass a `Request`, such as Hono. */
export function fetchHandler(receive: Receiver): (request: Request) => Promise<Response> {
  return async (request) => {
    const { status, headers, body } = await receive(request)
    return new Response(body === '' ? null : body, { status, headers })
  }
}
