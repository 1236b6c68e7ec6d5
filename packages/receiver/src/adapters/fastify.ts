import { nodeHandler, type NodeResponse } from './node.ts'
import type { Receiver } from '../receiver.ts'
import type { NodeRequest } from '../webhook-request.ts'

/** The part of a Fastify instance that the plugin uses. */
export interface FastifyScope {
  removeAllContentTypeParsers(): unknown
  addContentTypeParser(type: string, parser: PassBodyBy): unknown
  all(path: string, handler: FastifyHandler): unknown
}

type PassBodyBy = (request: unknown, payload: unknown, done: (error: null) => void) => void

type FastifyHandler = (
  request: { readonly raw: NodeRequest },
  reply: { readonly raw: NodeResponse; hijack(): unknown },
) => Promise<void>

/** An argument of `app.register`; its option `prefix` is the path of the receiver. */
export type FastifyPlugin = (scope: FastifyScope, options: object, done: () => void) => void

/**
 * Makes a Fastify plugin that serves the receiver at its prefix. The body parsers of other routes do
 * not change: inside the plugin the body stays unread.
 */
export function fastifyPlugin(receive: Receiver): FastifyPlugin {
  const handle = nodeHandler(receive)

  return (scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null))
    scope.all('/', (request, reply) => {
      reply.hijack()
      return handle(request.raw, reply.raw)
    })
    done()
  }
}
