import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, it, type TestContext } from 'node:test'
import { run } from '../../src/cli/run.ts'
import { answerJson, answerProblem, startServer } from './support/fake-server.ts'
import { fakeSurroundings } from './support/fake-surroundings.ts'

/** Runs a command at a service that answers everything alike; returns what it says. */
async function runAt(
  t: TestContext,
  args: readonly string[],
  answer: (response: ServerResponse) => void,
  suffix = '',
) {
  const server = await startServer(t, answer)
  const surroundings = fakeSurroundings({ environment: { NUNCIO_SERVICE: server.url + suffix } })
  const code = await run([...args, '--key', 'k1'], surroundings)
  return { code, err: surroundings.err.text(), url: server.url, received: server.received }
}

const html = (status: number) => (response: ServerResponse) => {
  response.writeHead(status, { 'content-type': 'text/html' }).end('<!doctype html><p>Hello')
}

const commands = [
  ['contacts', 'list'],
  ['contacts', 'show', 'a'],
  ['contacts', 'create', '--name', 'x'],
]

describe('A command of a collection', () => {
  it('says that what answers is not Nuncio', async (t) => {
    const answers = [
      html(200),
      html(404),
      (response: ServerResponse) => answerJson(response, 200, { hello: 'world' }),
      (response: ServerResponse) => answerJson(response, 404, { error: 'no' }),
      (response: ServerResponse) => answerJson(response, 200, null),
    ]
    for (const answer of answers) {
      for (const args of commands) {
        const { code, err, url } = await runAt(t, args, answer)
        assert.equal(code, 1, err)
        assert.ok(err.startsWith(`The service at ${url} is not Nuncio.\n`), err)
        assert.match(err, /\nName the service with --service or NUNCIO_SERVICE\.\n$/)
      }
    }
  })

  it('blames a proxy whose service is away', async (t) => {
    const { err, url } = await runAt(t, ['contacts', 'list'], html(502))

    assert.equal(
      err,
      `A proxy before ${url} answers 502: the service is not reached.\nRetry later, or look at its log.\n`,
    )
  })

  it('says how long a maintenance lasts', async (t) => {
    const maintained = (seconds: string) => (response: ServerResponse) =>
      answerProblem(
        response,
        503,
        {
          type: '/problems/unavailable',
          title: 'Unavailable',
          detail: 'The service is under maintenance. New disks',
        },
        { 'retry-after': seconds },
      )

    const minutes = await runAt(t, ['contacts', 'list'], maintained('301'))
    const seconds = await runAt(t, ['contacts', 'list'], maintained('30'))

    assert.match(minutes.err, /under maintenance\. New disks\n {2}Retry in 6 min\.\n/)
    assert.match(seconds.err, /\n {2}Retry in 30 s\.\n/)
  })

  it('takes an address with the version or a slash at the end', async (t) => {
    for (const suffix of ['', '/', '/v1', '/v1/', '//v1//']) {
      const answer = (response: ServerResponse) => answerJson(response, 200, [])
      const { code, received } = await runAt(t, ['contacts', 'list'], answer, suffix)
      assert.deepEqual([code, received[0]?.path], [0, '/v1/contacts'], suffix)
    }
  })
})

describe('A command without a dry run', () => {
  it('refuses --dry-run with the flags that it has', async () => {
    for (const [name, flag] of [
      ['distribute', '--check'],
      ['migrate-store', '--from'],
      ['backup', '--to'],
    ] as const) {
      const surroundings = fakeSurroundings()
      assert.equal(await run([name, '--dry-run'], surroundings), 2)
      const said = surroundings.err.text()
      assert.match(said, /^The flag --dry-run is unknown\. The flags are --/m)
      assert.ok(said.includes(flag), said)
    }
  })
})
