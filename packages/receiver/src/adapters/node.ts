import type { Receiver } from '../receiver.ts'
import type { NodeRequest } from '../webhook-request.ts'

/** A Node `ServerResponse`, by its shape. */
export interface NodeResponse {
  statusCode: number
  readonly headersSent: boolean
  setHeader(name: string, value: string): unknown
  end(body: string): unknown
}

/** Writes the receiver's response. Rejects only if `onError` throws. */
export type NodeHandler = (request: NodeRequest, response: NodeResponse) => Promise<void>

/** Makes a request listener of node:http, also for Express and Connect. */
export function nodeHandler(receive: Receiver): NodeHandler {
  return async (request, response) => {
    const { status, headers, body, close } = await receive(request)
    if (response.headersSent) return

    response.statusCode = status
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    if (close) response.setHeader('connection', 'close')
    response.end(body)
  }
}
