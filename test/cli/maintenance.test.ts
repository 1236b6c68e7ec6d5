import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { run } from '../../src/cli/run.ts'
import { answerJson, answerProblem, startServer } from './support/fake-server.ts'
import { fakeSurroundings } from './support/fake-surroundings.ts'

describe('nuncio maintenance', () => {
  it('opens a window, and says how long clients wait', async (t) => {
    const server = await startServer(t, (response) => answerJson(response, 200, {}))
    const access = ['--service', server.url, '--key', 'k1']

    const code = await run(
      ['maintenance', 'on', '--retry-after', '60', '--reason', 'New disks.', ...access],
      fakeSurroundings(),
    )

    const [request] = server.received
    assert.equal(code, 0)
    assert.equal(`${request?.method} ${request?.path}`, 'PUT /v1/maintenanceWindows/command-line')
    assert.deepEqual(JSON.parse(request?.body ?? ''), {
      retryAfterSeconds: 60,
      reason: 'New disks.',
    })
  })

  it('closes it, and is content where none was open', async (t) => {
    const server = await startServer(t, (response) =>
      answerProblem(response, 404, { detail: 'none' }),
    )

    const code = await run(
      ['maintenance', 'off', '--service', server.url, '--key', 'k1'],
      fakeSurroundings(),
    )

    assert.deepEqual([code, server.received[0]?.method], [0, 'DELETE'])
  })

  it('says what is missing or refused', async (t) => {
    const server = await startServer(t, (response) =>
      answerProblem(response, 403, { detail: 'no admin' }),
    )
    const [wordless, refused] = [fakeSurroundings(), fakeSurroundings()]
    const access = ['--service', server.url, '--key', 'k1']

    assert.equal(await run(['maintenance', ...access], wordless), 2)
    assert.equal(await run(['maintenance', 'on', ...access], refused), 1)
    assert.equal(server.received.length, 1)
  })
})
