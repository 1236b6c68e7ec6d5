import { once } from 'node:events'
import { createServer } from 'node:net'

// Systems give connections ports from 32768 on: no connection takes one of these before its receiver listens.
const lowest = 20_000
const highest = 32_000

const given = new Set<number>()

/** Returns a port for the receiver of a page. Nobody listens on it; no page of this process has it. */
export async function receiverPort(): Promise<number> {
  const port = lowest + Math.floor(Math.random() * (highest - lowest))
  if (given.has(port) || !(await isFree(port))) return receiverPort()
  given.add(port)
  return port
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  await server[Symbol.asyncDispose]()
  return true
}
