import { createServer, type Server } from 'node:http'

/** What a sink is to be: so many addresses, of which the last ones never answer. */
interface Wanted {
  readonly addresses?: number
  readonly silent?: number
}

// A receiver that takes everything at once and counts the records. Asked, it says how many it has,
// and how many its slowest address has.
const { addresses = 1, silent = 0 }: Wanted = JSON.parse(process.argv[2] || '{}')
const counts: number[] = []
let requests = 0

const servers = Array.from({ length: addresses }, (_, index) => sink(index))
await Promise.all(
  servers.map((server) => new Promise((resolve) => server.on('listening', resolve))),
)
const ports = servers.map(portOf)
process.send?.({ port: ports[0], ports })
process.on('message', () => {
  const answering = counts.slice(0, addresses - silent)
  process.send?.({
    requests,
    records: answering.reduce((sum, count) => sum + count, 0),
    least: Math.min(...answering),
    ports,
  })
})
process.on('disconnect', () => process.exit())

function sink(index: number): Server {
  counts[index] = 0
  const server = createServer((request, response) => {
    if (index >= addresses - silent) return
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      requests += 1
      const body = JSON.parse(Buffer.concat(chunks).toString()) as unknown
      counts[index] = (counts[index] ?? 0) + (Array.isArray(body) ? body.length : 1)
      response.writeHead(204)
      response.end()
    })
  })
  return server.listen(0, '127.0.0.1')
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}
