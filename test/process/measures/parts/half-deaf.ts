import { createServer } from 'node:http'

/**
 * Receivers: those below /healthy answer at once, the others never do. It notes how long ago the
 * messages were sent that arrive at the healthy ones: their bodies say when.
 */
let tookMs: number[] = []
let silent = 0

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    if (request.url?.startsWith('/healthy') !== true) return void (silent += 1)
    response.writeHead(204).end()
    const now = performance.timeOrigin + performance.now()
    const records = JSON.parse(Buffer.concat(chunks).toString()) as { body: string }[]
    for (const { body } of records) tookMs.push(now - Number(body))
  })
})
server.listen(0, '0.0.0.0', () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) process.send?.({ port: address.port })
})
process.on('message', () => {
  process.send?.({ tookMs, silent })
  tookMs = []
  silent = 0
})
process.on('disconnect', () => process.exit())
