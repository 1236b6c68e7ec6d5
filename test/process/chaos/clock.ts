import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { startService, temporaryFolder, type Service } from '../../support/service.ts'
import { adminKey, headers, hookUp, noLoad, pause, send, until } from './parts/load.ts'
import { startReceiver } from './parts/receiver.ts'
import { reckon } from './parts/reckon.ts'
import { rounds } from './parts/rounds.ts'

const hourMs = 3_600_000
/** Together less than 3 days ahead: a webhook that fails for so long is disabled. */
const moves = [2, -3, 26, -27, 0.1, -0.1, 47, -48, -20, 24].map((hours) => hours * hourMs)
const times = rounds(4, moves.length)

/** Retries are planned a second apart; a machine with other work to do takes a while longer. */
const retryMsMax = 30_000

describe(`A wall clock that is set ${times} times under load, forward and back`, () => {
  it('loses nothing, and moves no retry, over kills too', { timeout: 600_000 }, async (t) => {
    const folder = await temporaryFolder(t)
    const preload = new URL('./parts/moved-clock.ts', import.meta.url).href
    const settings = {
      NUNCIO_ADMIN_KEY: adminKey,
      NUNCIO_SIMULATOR_DELAY_MS: '20',
      NUNCIO_RETRY_SCHEDULE: '1',
      NODE_OPTIONS: `--import=${preload}`,
      CHAOS_CLOCK: `${folder}/clock`,
    }
    const receiver = await startReceiver(t)
    const load = noLoad()
    let offset = 0
    const set = (): Promise<void> => writeFile(settings.CHAOS_CLOCK, String(offset))
    const retries = async (service: Service, when: string): Promise<void> => {
      const before = receiver.requests()
      const isRetried = await until(() => receiver.requests() > before + 1, retryMsMax)
      assert.ok(isRetried, `retries ${when}\n${service.log().slice(-2000)}`)
    }
    await set()
    let service = await startService(t, folder, settings)
    await hookUp(service, receiver)

    for (const [round, move] of moves.slice(0, times).entries()) {
      await receiver.become('UP')
      const enough = new AbortController()
      const sending = send(service, load, enough.signal)
      await pause(300)
      await receiver.become('FAILING')
      await retries(service, 'while the receiver fails')
      if (move < 0) {
        enough.abort()
        await sending
        await areHandedOver(service)
      }

      offset += move
      await set()
      service.process.kill('SIGUSR2')
      await retries(service, `after the clock moved by ${move / hourMs} h`)
      await isAt(service, offset)
      if (round % 2 === 1) {
        await service.end('SIGKILL')
        service = await startService(t, folder, settings)
        await retries(service, `after a kill with the clock moved by ${move / hourMs} h`)
      }
      enough.abort()
      await sending
    }

    await receiver.become('UP')
    await reckon(t, load, receiver)
    assert.deepEqual([...load.statuses.keys()], [201])
    await service.end('SIGTERM')
  })
})

/**
 * Waits until no message waits for its carrier: one that does is due at a time of the wall clock,
 * and where that is set back it is due when the clock shows the time again.
 */
async function areHandedOver({ url }: Service): Promise<void> {
  for (let waiting = 1; waiting > 0; await pause(20)) {
    const answer = await fetch(`${url}/v1/messages?status.type=ACCEPTED&pageSize=1`, { headers })
    waiting = ((await answer.json()) as unknown[]).length
  }
}

/** Fails where the service does not show the time that its clock was moved to. */
async function isAt({ url }: Service, offset: number): Promise<void> {
  const body = JSON.stringify({ to: '+4915112345678', body: 'What time is it?' })
  const answer = await fetch(`${url}/v1/messages`, { method: 'POST', headers, body })
  const { createdAt } = (await answer.json()) as { createdAt: string }
  const awayMs = Math.abs(Date.parse(createdAt) - Date.now() - offset)
  assert.ok(awayMs < 60_000, `its clock is ${awayMs} ms from where it was moved to`)
}
