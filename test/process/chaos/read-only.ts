import assert from 'node:assert/strict'
import { chmod, readdir } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { runProgram, startService, temporaryFolder } from '../../support/service.ts'
import { adminKey, hookUp, noLoad, pause, send, until } from './parts/load.ts'
import { ordinaryUser } from './parts/other-user.ts'
import { startReceiver } from './parts/receiver.ts'
import { reckon } from './parts/reckon.ts'
import { rounds } from './parts/rounds.ts'
import { smallDisk } from './parts/small-disk.ts'

const times = rounds(1, 5)
const settings = {
  NUNCIO_ADMIN_KEY: adminKey,
  NUNCIO_SIMULATOR_DELAY_MS: '20',
  NUNCIO_RETRY_SCHEDULE: '1',
}

describe(`A store whose files become read-only ${times} times under load`, () => {
  it('loses nothing, says why it does not start, and goes on when they are mended', async (t) => {
    const folder = await temporaryFolder(t)
    const through = await ordinaryUser(folder)
    if (through === null) {
      return t.skip('NOT SHOWN: the test is root, and cannot start the service as another user')
    }
    const allow = async (isAllowed: boolean): Promise<void> => {
      const names = await readdir(folder)
      for (const name of names) await chmod(`${folder}/${name}`, isAllowed ? 0o600 : 0o400)
      await chmod(folder, isAllowed ? 0o700 : 0o500)
    }
    t.after(() => allow(true).catch(() => {}))
    const receiver = await startReceiver(t)
    const load = noLoad()
    for (let round = 0; round < times; round += 1) {
      const service = await startService(t, folder, settings, through)
      await hookUp(service, receiver)
      const sending = send(service, load)
      const before = load.accepted.size
      await until(() => load.accepted.size > before, 30_000)
      await pause(300)

      await allow(false)
      await pause(300 + Math.random() * 500)
      await service.end('SIGKILL')
      await sending
      const store = `sqlite:${folder}/nuncio.db`
      const refused = await runProgram(['serve', '--port=0', `--store=${store}`], {}, '/', through)

      assert.equal(refused.code, 1)
      assert.match(refused.err, /^Nuncio could not start: the store sqlite:/)
      assert.match(refused.err, /let this user/)
      assert.doesNotMatch(refused.err, /\n\s+at /)
      await allow(true)
    }
    const last = await startService(t, folder, settings, through)

    await reckon(t, load, receiver)
    await last.end('SIGTERM')
  })
})

describe('A store on a file system that was mounted read-only', () => {
  it('says why it does not start, and goes on when it can be written', async (t) => {
    const folder = await temporaryFolder(t)
    const disk = await smallDisk(t, folder, 64)
    if (disk === null) {
      return t.skip('NOT SHOWN: this user may not mount a small file system of its own')
    }
    const receiver = await startReceiver(t)
    const load = noLoad()
    const first = await startService(t, folder, settings, disk.through)
    await hookUp(first, receiver)
    const sending = send(first, load)
    await until(() => load.accepted.size > 0, 30_000)
    await pause(300)
    await first.end('SIGKILL')
    await sending

    await disk.allowWriting(false)
    const refusal = startService(t, folder, settings, disk.through)
    await assert.rejects(refusal, /cannot be (used|written)[^\n]*let this user write/)
    await disk.allowWriting(true)
    const last = await startService(t, folder, settings, disk.through)

    await reckon(t, load, receiver)
    await last.end('SIGTERM')
  })
})
