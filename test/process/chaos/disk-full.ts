import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, it, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { startService, temporaryFolder, type Service } from '../../support/service.ts'
import { adminKey, hookUp, noLoad, pause, send, until, type Load } from './parts/load.ts'
import { startReceiver } from './parts/receiver.ts'
import { reckon } from './parts/reckon.ts'
import { rounds } from './parts/rounds.ts'
import { smallDisk } from './parts/small-disk.ts'

const run = promisify(execFile)
const times = rounds(1, 6)
const megabytes = 64
const settings = {
  NUNCIO_ADMIN_KEY: adminKey,
  NUNCIO_SIMULATOR_DELAY_MS: '20',
  NUNCIO_RETRY_SCHEDULE: '1',
}

/** How long the service may take to write again once it can. */
const mendMsMax = 60_000

describe(`A disk that is full ${times} times under load, and has room again`, () => {
  it(
    'takes nothing that it answered 201, and needs no restart',
    { timeout: 600_000 },
    async (t) => {
      const folder = await temporaryFolder(t)
      const disk = await smallDisk(t, folder, megabytes)
      if (disk === null) {
        return t.skip('NOT SHOWN: this user may not mount a small file system of its own')
      }
      const service = await startService(t, folder, settings, disk.through)

      await endure(t, service, async (load) => {
        await disk.fill()
        await isRefused(load)
        await disk.clear()
      })
    },
  )

  it('holds up a start until there is room, and loses nothing', { timeout: 300_000 }, async (t) => {
    const folder = await temporaryFolder(t)
    const disk = await smallDisk(t, folder, megabytes)
    if (disk === null) {
      return t.skip('NOT SHOWN: this user may not mount a small file system of its own')
    }
    const receiver = await startReceiver(t)
    const load = noLoad()
    const first = await startService(t, folder, settings, disk.through)
    await hookUp(first, receiver)
    const sending = send(first, load)
    // Before its log is begun anew: what that leaves behind is room for a start.
    await until(() => load.accepted.size > 100, mendMsMax)

    await disk.fill()
    await isRefused(load)
    await first.end('SIGKILL')
    await sending
    await assert.rejects(startService(t, folder, settings, disk.through), /disk|full/)
    await disk.clear()
    const last = await startService(t, folder, settings, disk.through)

    await reckon(t, load, receiver)
    await last.end('SIGTERM')
  })
})

describe(`Files that must not grow (RLIMIT_FSIZE) ${times} times under load, and may again`, () => {
  it('take nothing that was answered 201, and need no restart', { timeout: 600_000 }, async (t) => {
    const limit = (service: Service, size: string): Promise<unknown> =>
      run('prlimit', [`--pid=${service.process.pid}`, `--fsize=${size}`])
    const folder = await temporaryFolder(t)
    const service = await startService(t, folder, settings)
    const isPossible = await limit(service, 'unlimited:').then(
      () => true,
      () => false,
    )
    if (!isPossible) return t.skip('NOT SHOWN: there is no program "prlimit"')

    await endure(t, service, async (load) => {
      await limit(service, '0:')
      await isRefused(load)
      await limit(service, 'unlimited:')
    })
  })
})

/** Plays a fault again and again under load: afterwards the same process accepts again, and has lost nothing. */
async function endure(
  t: TestContext,
  service: Service,
  fault: (load: Load) => Promise<void>,
): Promise<void> {
  const receiver = await startReceiver(t)
  await hookUp(service, receiver)
  const load = noLoad()
  const enough = new AbortController()
  const sending = send(service, load, enough.signal)
  for (let round = 0; round < times; round += 1) {
    await pause(200 + Math.random() * 500)
    await fault(load)
    const before = load.accepted.size
    const isMended = await until(() => load.accepted.size > before + 50, mendMsMax)
    assert.ok(isMended, `accepts again within ${mendMsMax} ms\n${service.log().slice(-2000)}`)
  }
  enough.abort()
  await sending

  await reckon(t, load, receiver)
  assert.deepEqual([...load.statuses.keys()].toSorted(), [201, 503])
  assert.equal(load.gone, 0, 'the process stays')
  assert.equal(await service.end('SIGTERM'), 0)
}

/** Waits until clients are refused, and a while longer. */
async function isRefused({ statuses }: Load): Promise<void> {
  const refused = (): number => statuses.get(503) ?? 0
  const before = refused()
  assert.ok(await until(() => refused() > before + 50, mendMsMax), 'is refused with 503')
  await pause(500)
}
