import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { memoryOf } from '../../../bench/processes.ts'
import { startService, temporaryFolder } from '../../support/service.ts'
import type { Attack } from './attack.ts'
import { bodies } from './attacks/connections/bodies.ts'
import { byteChunks } from './attacks/connections/byte-chunks.ts'
import { costlyBodies } from './attacks/costly-bodies.ts'
import { headerFloods } from './attacks/connections/header-floods.ts'
import { heldBodies } from './attacks/connections/held-bodies.ts'
import { idleConnections } from './attacks/connections/idle-connections.ts'
import { longRecords } from './attacks/connections/long-records.ts'
import { longQuery } from './attacks/long-query.ts'
import { pipelining } from './attacks/connections/pipelining.ts'
import { unreadPages } from './attacks/connections/unread-pages.ts'
import { unreadStreams } from './attacks/connections/unread-streams.ts'
import { bystander } from './bystander.ts'
import { bystanderContact, createClients, loopback } from './clients.ts'

const attacks: readonly Attack[] = [
  longQuery,
  costlyBodies,
  byteChunks,
  bodies,
  heldBodies,
  headerFloods,
  idleConnections,
  pipelining,
  unreadPages,
  unreadStreams,
  longRecords,
]

/** The small form of `npm run chaos:abuse`, which measures times. */
const size = 0.05
const requests = 10
const memoryMaxMb = 250
const maxConnections = 120

describe('A service under attack', () => {
  it('responds to other clients, holds bounded memory and connections, and ends', async (t) => {
    const service = await startService(t, await temporaryFolder(t), {
      NUNCIO_MAX_CONNECTIONS: String(maxConnections),
      NUNCIO_LOG: 'error',
    })
    const admin = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' }
    const clients = await createClients(service.url, admin, size)
    const client = bystander(clients.target, clients.bystander, bystanderContact)
    const memory = (): number => memoryOf(service.process.pid ?? 0)?.now ?? 0
    const before = memory()
    const stop = new AbortController()
    t.after(() => stop.abort())
    const running: Promise<void>[] = []

    for (const [index, attack] of attacks.entries()) {
      // Each from its own address, since the service closes the connections of some.
      const target = { ...clients.target, from: loopback(index + 2) }
      await attack.prepare?.(target)
      const own = new AbortController()
      running.push(attack.run(target, AbortSignal.any([own.signal, stop.signal]), () => {}))
      const seen = await client.watch((count) => count >= requests)
      assert.deepEqual(seen.failures, [], attack.title)
      assert.ok(memory() - before < memoryMaxMb, `${attack.title}: memory`)
      const metrics = await (await fetch(`${service.url}/metrics`)).text()
      const open = Number(/^nuncio_http_connections\S* (\d+)$/m.exec(metrics)?.[1])
      assert.ok(open <= maxConnections, `${attack.title}: ${open} connections`)
      own.abort()
    }
    const last = attacks.map((attack) => attack.run(clients.target, stop.signal, () => {}))
    const code = await service.end('SIGTERM')
    stop.abort()
    await Promise.all([...running, ...last])

    assert.equal(code, 0)
  })
})
