import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { figure } from './figures.ts'
import { start, stop } from './processes.ts'

/**
 * `node bench/latency.ts [seconds] [a second]`: the time from the beginning of a POST of a message
 * to the arrival of its DELIVERED at a webhook, at a steady rate, over the simulator without delay.
 */
const seconds = Number(process.argv[2] ?? 20)
const perSecond = Number(process.argv[3] ?? 1000)

const begun = new Map<string, number>()
const took: number[] = []
const refused = new Set<string>()
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    response.writeHead(204).end()
    const now = performance.now()
    const records = JSON.parse(Buffer.concat(chunks).toString()) as { userSuppliedId: string }[]
    for (const { userSuppliedId } of records) {
      const at = begun.get(userSuppliedId)
      if (at !== undefined) took.push(now - at)
      begun.delete(userSuppliedId)
    }
  })
})
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
const address = receiver.address()
const port = typeof address === 'object' && address !== null ? address.port : 0

const folder = mkdtempSync(join(tmpdir(), 'nuncio-bench-'))
const service = await start('service.ts', folder)
const base = `http://127.0.0.1:${service.port}/v1`
const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' }
const send = async (method: string, path: string, body: object): Promise<void> => {
  const answer = await fetch(base + path, { method, headers, body: JSON.stringify(body) })
  await answer.text()
}
await send('PUT', '/webhooks/sink', { url: `http://127.0.0.1:${port}/` })

const wanted = seconds * perSecond
const sending: Promise<void>[] = []
const began = performance.now()
for (let sent = 0; sent < wanted;) {
  const due = Math.min(wanted, Math.floor(((performance.now() - began) / 1000) * perSecond))
  for (; sent < due; sent += 1) {
    begun.set(`n${sent}`, performance.now())
    const body = { to: '+4915112345678', body: 'on its way', userSuppliedId: `n${sent}` }
    const name = `n${sent}`
    sending.push(send('POST', '/messages', body).catch(() => void refused.add(name)))
  }
  await pause(1)
}
await Promise.all(sending)
for (const name of refused) begun.delete(name)
const offered = (performance.now() - began) / 1000
for (let waited = 0; begun.size > 0 && waited < 100; waited += 1) await pause(100)

took.sort((a, b) => a - b)
const at = (share: number): string => figure(took[Math.floor(took.length * share)] ?? 0)
process.stdout.write(
  `accepted to received, ${figure(wanted / offered)} messages/s offered for ${seconds} s: ` +
    `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, worst ${at(0.99999)} ms, ${begun.size} missing, ${refused.size} not sent\n`,
)
await stop(service)
receiver.close()
receiver.closeAllConnections()
rmSync(folder, { recursive: true })

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
