import { createServer } from 'node:http'

/** The ceiling: Node's own server, answering bytes that are ready, after it has read the request's body. */
const answer: { status: number; headers: Record<string, string>; body: string } = JSON.parse(
  process.argv[2] ?? '{}',
)

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    const length = Buffer.byteLength(answer.body)
    response.writeHead(answer.status, { ...answer.headers, 'content-length': length })
    response.end(answer.body)
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) process.send?.({ port: address.port })
})
process.on('disconnect', () => process.exit())
