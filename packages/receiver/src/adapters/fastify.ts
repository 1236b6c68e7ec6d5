import { nodeHandler, type NodeResponse } from './node.ts'
import type { Receiver } from '../receiver.ts'
import type { NodeRequest } from '../webhook-request.ts'

/** What the plugin uses of a Fastify instance, by its shape. */
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

/** What `app.register` takes; `prefix` among its options says where the receiver answers. */
export type FastifyPlugin = (scope: FastifyScope, options: object, done: () => void) => void

/**
 * A Fastify plugin that answers at the prefix it is registered with. The body parsers of the rest
 * of the application stay as they are: within the plugin's own scope the body is left unread for
 * the receiver.
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
