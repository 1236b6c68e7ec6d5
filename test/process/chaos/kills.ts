import { describe, it } from 'node:test'
import { startService, temporaryFolder } from '../../support/service.ts'
import { adminKey, hookUp, noLoad, pause, send, until } from './parts/load.ts'
import { startReceiver, type Condition } from './parts/receiver.ts'
import { reckon } from './parts/reckon.ts'
import { rounds } from './parts/rounds.ts'

const times = rounds(3, 20)
/** It is killed when up to so many were accepted in a round, or after so long. */
const [someMax, roundMsMax] = [400, 5000]
const conditions: readonly Condition[] = ['UP', 'FAILING', 'AWAY']
const settings = {
  NUNCIO_ADMIN_KEY: adminKey,
  NUNCIO_SIMULATOR_DELAY_MS: '20',
  NUNCIO_RETRY_SCHEDULE: '1',
}

describe(`The process, killed ${times} times under load, its receiver failing, away and back`, () => {
  it('loses nothing that it answered 201, and keeps the order', { timeout: 600_000 }, async (t) => {
    const receiver = await startReceiver(t)
    const folder = await temporaryFolder(t)
    const load = noLoad()
    for (let round = 0; round < times; round += 1) {
      await receiver.become(conditions[round % conditions.length] ?? 'UP')
      const service = await startService(t, folder, settings)
      await hookUp(service, receiver)
      const sending = send(service, load)
      const before = load.accepted.size
      const some = Math.random() * someMax
      await until(() => load.accepted.size > before + some, roundMsMax)
      await pause(Math.random() * 100)
      await service.end('SIGKILL')
      await sending
    }

    await receiver.become('UP')
    const last = await startService(t, folder, settings)

    await reckon(t, load, receiver)
    await last.end('SIGTERM')
  })
})
