import { createServer } from 'node:http'

/** A receiver that takes everything at once, and counts the records by their bodies' commas between objects. */
let requests = 0
let records = 0

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    requests += 1
    records += (JSON.parse(Buffer.concat(chunks).toString()) as unknown[]).length
    response.writeHead(204)
    response.end()
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) process.send?.({ port: address.port })
})
process.on('message', () => process.send?.({ requests, records }))
process.on('disconnect', () => process.exit())
