import { Server, type AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'

/**
 * Runs one example as it stands, in a process of its own. Whatever port it asks for it gets a free
 * one, which the parent is told. A default export with `fetch` is served, as Deno and Bun do.
 */
const [example = ''] = process.argv.slice(2)

const listen = Server.prototype.listen
Server.prototype.listen = function () {
  this.once('listening', () => process.send?.((this.address() as AddressInfo).port))
  return Reflect.apply(listen, this, [0, '127.0.0.1'])
}

const { default: app } = await import(example)
if (app !== undefined) serve({ fetch: app.fetch })
