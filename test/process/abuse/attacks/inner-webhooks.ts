import { createServer, type RequestListener, type Server } from 'node:http'
import { forbidden, type Attack, type Note, type Target } from '../attack.ts'
import { loopback } from '../clients.ts'
import { pause, send } from '../requests.ts'

/** The only network that the operator allows, and an address that no webhook may reach. */
const [allowed, inner] = [loopback(1), loopback(3)]

const names = 10
const message = JSON.stringify({ to: '+4915112345678', body: 'Hello' })

/**
 * Webhooks that try to reach a forbidden address: written in other forms, by a redirect, and by names that resolve
 * to an allowed address at first.
 */
export const innerWebhooks: Attack = {
  name: 'inner-webhooks',
  title:
    'webhooks of four accounts to a forbidden address: other forms, redirects, rebinding names',
  environment: {
    NUNCIO_WEBHOOK_NETWORKS: `${allowed}/32`,
    NODE_OPTIONS: `--import=${new URL('../rebinding-lookup.ts', import.meta.url).href}`,
  },
  run: async (target, signal, note) => {
    if (allowed === inner) return note('needs several loopback addresses')
    const outside = await listen(allowed, 0, (request, response) => {
      note(request.headers.host?.includes('test') === true ? 'called by name' : 'redirected')
      // Without keep-alive each request resolves its name again.
      response.setHeader('connection', 'close')
      response.writeHead(request.url === '/redirect' ? 307 : 204, {
        location: `http://${inner}:${portOf(outside)}/`,
      })
      response.end()
    })
    const inside = await listen(inner, portOf(outside), (_, response) => {
      note(forbidden)
      response.end()
    })
    await Promise.all(
      target.accounts.map((own) => attackAs({ ...target, own }, portOf(outside), signal, note)),
    )
    for (const server of [outside, inside]) {
      server.closeAllConnections()
      server.close()
    }
  },
}

async function attackAs(
  target: Target,
  port: number,
  signal: AbortSignal,
  note: Note,
): Promise<void> {
  const account = target.accounts.indexOf(target.own)
  const forms = ['2130706435', '0x7f.3', '0177.0.0.3', '[::ffff:127.0.0.3]', '[::7f00:3]']
  const rebinding = Array.from(
    { length: names },
    (_, index) => `${account}-${index}.rebinding.test`,
  )
  const urls = [inner, ...forms, ...rebinding, allowed].map(
    (host) => `http://${host}:${port}/${host === allowed ? 'redirect' : ''}`,
  )
  for (const [index, url] of urls.entries()) {
    const body = JSON.stringify({ url, statuses: ['ACCEPTED'] })
    await send(target, { method: 'PUT', path: `/v1/webhooks/inner${index}`, body }, signal, note)
  }
  while (!signal.aborted) {
    const posted = { method: 'POST', path: '/v1/messages', body: message }
    await Promise.all([send(target, posted, signal, note), pause(50)])
  }
}

async function listen(host: string, port: number, listener: RequestListener): Promise<Server> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen({ host, port }, resolve))
  return server
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}
