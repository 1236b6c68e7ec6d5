import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { chmod, mkdir, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { describe, it } from 'node:test'
import { runProgram, startService, temporaryFolder } from '../support/service.ts'

describe('nuncio serve', () => {
  it('is ready within a second, says what a newcomer needs, and ends with 0', async (t) => {
    const folder = await temporaryFolder(t)

    const service = await startService(t, folder)
    const ready = await fetch(`${service.url}/health/ready`)
    const code = await service.end('SIGTERM')

    const { mode } = await stat(`${folder}/nuncio.db`)

    assert.equal(ready.status, 200)
    assert.equal(mode & 0o077, 0, 'nobody else may read the store')
    assert.match(service.key, /^nuncio_key_/)
    assert.equal(code, 0)
  })

  it('shows the administrator’s key once, and keeps what it was told', async (t) => {
    const folder = await temporaryFolder(t)
    const first = await startService(t, folder)
    const headers = { authorization: `Bearer ${first.key}`, 'content-type': 'application/json' }
    await fetch(`${first.url}/v1/contacts/ada`, {
      method: 'PUT',
      headers,
      body: '{"address":"12345"}',
    })
    await first.end('SIGTERM')

    const second = await startService(t, folder)
    const kept = await fetch(`${second.url}/v1/contacts/ada`, { headers })

    assert.equal(second.key, '')
    assert.equal(kept.status, 200)
    assert.equal(await second.end('SIGINT'), 0)
  })

  it('takes the administrator’s key from the setting, and a new one in its place', async (t) => {
    const folder = await temporaryFolder(t)
    const [old, now] = [
      'nuncio_the_first_key_of_the_operator',
      'nuncio_the_second_key_of_the_operator',
    ]
    const first = await startService(t, folder, { NUNCIO_ADMIN_KEY: old })
    await first.end('SIGTERM')

    const second = await startService(t, folder, { NUNCIO_ADMIN_KEY: now })
    const status = async (key: string) =>
      (await fetch(`${second.url}/v1/keys`, { headers: { authorization: `Bearer ${key}` } })).status

    assert.deepEqual([await status(old), await status(now)], [401, 200])
    await second.end('SIGTERM')
  })

  it('says so when the port is taken', async (t) => {
    const folder = await temporaryFolder(t)
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    t.after(() => other.close())
    const address = other.address()
    const port = String(typeof address === 'object' ? address?.port : 0)

    const { code, err } = await runProgram(
      ['serve', '--port', port, '--store', `sqlite:${folder}/nuncio.db`],
      {},
      folder,
    )

    assert.equal(code, 1)
    assert.match(err, new RegExp(`port ${port} on 127.0.0.1 is taken`))
    assert.match(err, /choose another port: --port/)
    assert.doesNotMatch(err, /\n\s+at /)
  })

  it('shows the key at the first start that succeeds, not at one that fails', async (t) => {
    const folder = await temporaryFolder(t)
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    t.after(() => other.close())
    const address = other.address()
    const taken = String(typeof address === 'object' ? address?.port : 0)

    await runProgram(
      ['serve', '--port', taken, '--store', `sqlite:${folder}/nuncio.db`],
      {},
      folder,
    )
    const service = await startService(t, folder)

    assert.match(service.key, /^nuncio_key_/)
    await service.end('SIGTERM')
  })

  it('says so when another process has the store', async (t) => {
    const folder = await temporaryFolder(t)
    const service = await startService(t, folder)

    const { code, err } = await runProgram(
      ['serve', '--port', '0', '--store', `sqlite:${folder}/nuncio.db`],
      {},
      folder,
    )

    assert.equal(code, 1)
    assert.match(err, /another process/)
    assert.doesNotMatch(err, /\n\s+at /)
    await service.end('SIGTERM')
  })

  it('says so when the store cannot be written, is a folder, or is no database', async (t) => {
    const folder = await temporaryFolder(t)
    await mkdir(`${folder}/folder`)
    await writeFile(
      `${folder}/text.db`,
      'this is no database, but a text that is long enough to look at',
    )
    await writeFile(`${folder}/file`, '')
    await chmod(`${folder}/file`, 0o400)

    const paths = ['folder', 'text.db', 'file/below/nuncio.db'].map((name) => `${folder}/${name}`)
    // There nobody can make a directory, although the one above it is there.
    if (existsSync('/proc/self')) paths.push('/proc/nuncio/nuncio.db')
    for (const path of paths) {
      const { code, err } = await runProgram(
        ['serve', '--port', '0', '--store', `sqlite:${path}`],
        {},
        folder,
      )
      assert.equal(code, 1, path)
      assert.match(err, /^Nuncio could not start: the store sqlite:/, path)
      assert.match(err, /choose another place|name another file/, path)
      assert.doesNotMatch(err, /\n\s+at /, path)
    }
  })

  it('says so when a setting is unknown or wrong, all of them at once', async (t) => {
    const folder = await temporaryFolder(t)

    const { code, err } = await runProgram(
      ['serve', '--retry-schedul', '5'],
      { NUNCIO_PRT: '1', NUNCIO_PORT: 'x' },
      folder,
    )

    assert.notEqual(code, 0)
    assert.match(err, /--retry-schedul\b.*--retry-schedule/s)
    assert.match(err, /NUNCIO_PRT.*NUNCIO_PORT/s)
    assert.match(err, /NUNCIO_PORT.*must be a whole number/s)
  })
})
