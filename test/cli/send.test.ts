import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { run } from '../../src/cli/run.ts'
import { answerJson, answerProblem, startServer } from './support/fake-server.ts'
import { fakeSurroundings } from './support/fake-surroundings.ts'

const id = 'message_01h455vb4pex5vsknk084sn02q'
/** What begins a command to a terminal. */
const escape = '\u001b'
const text = ['--to', '+4915112345678', '--body', 'hello']

describe('nuncio send', () => {
  it('posts the message with the key', async (t) => {
    const server = await startServer(t, (response) =>
      answerJson(response, 201, message('DELIVERED.null')),
    )
    const surroundings = fakeSurroundings()

    await run(
      ['send', ...text, '--from', 'Acme', '--service', server.url, '--key', 'k1'],
      surroundings,
    )

    const [request] = server.received
    assert.equal(`${request?.method} ${request?.path}`, 'POST /v1/messages')
    assert.equal(request?.headers.authorization, 'Bearer k1')
    assert.equal(request?.headers['content-type'], 'application/json')
    assert.deepEqual(JSON.parse(request?.body ?? ''), {
      to: '+4915112345678',
      body: 'hello',
      from: 'Acme',
    })
  })

  it('takes address and key from the environment, and leaves the sender to the service', async (t) => {
    const server = await startServer(t, (response) =>
      answerJson(response, 201, message('DELIVERED.null')),
    )
    const environment = { NUNCIO_SERVICE: `${server.url}/`, NUNCIO_KEY: 'k2' }

    const exitCode = await run(['send', ...text], fakeSurroundings({ environment }))

    assert.equal(exitCode, 0)
    assert.equal(server.received[0]?.headers.authorization, 'Bearer k2')
    assert.doesNotMatch(server.received[0]?.body ?? '', /from/)
  })

  it('shows the identifier and each status once, until the message is delivered', async (t) => {
    const server = await startServer(t, (response, _request, index) => {
      if (index === 0) return answerJson(response, 201, message('ACCEPTED.null'))
      if (index === 1) return answerJson(response, 200, message('ACCEPTED.null'), { etag: '"a"' })
      if (index < 5) return void response.writeHead(304).end()
      return answerJson(response, 200, message('ACCEPTED.null', 'SENT.null', 'DELIVERED.null'))
    })
    const surroundings = fakeSurroundings()

    const exitCode = await run(
      ['send', ...text, '--service', server.url, '--key', 'k'],
      surroundings,
    )

    assert.equal(exitCode, 0)
    assert.deepEqual(surroundings.out.text().split(/\n */), [
      id,
      'ACCEPTED              2026-01-01T00:00:00.000Z',
      'SENT                  2026-01-01T00:00:01.000Z',
      'DELIVERED             2026-01-01T00:00:02.000Z',
      '',
    ])
    assert.equal(server.received[1]?.path, `/v1/messages/${id}`)
    assert.equal(server.received[1]?.headers['if-none-match'], undefined)
    assert.equal(server.received[2]?.headers['if-none-match'], '"a"')
  })

  it('with --dry-run shows parts, encoding and cost, and sends nothing', async (t) => {
    const shown = { id, from: 'Acme', to: '+1', numberOfParts: 2, encoding: 'TEXT', creditCost: 2 }
    const server = await startServer(t, (response) => answerJson(response, 200, shown))
    const surroundings = fakeSurroundings()
    const flags = [...text, '--dry-run', '--service', server.url, '--key', 'k']

    const exitCode = await run(['send', ...flags], surroundings)

    assert.equal(exitCode, 0)
    assert.equal(surroundings.out.text(), 'Acme to +1: 2 parts, TEXT, 2 credits\n')
    assert.equal(server.received.length, 1)
    assert.equal(server.received[0]?.headers['prefer'], 'handling=dry-run')
  })

  it('with --json prints the message alone, once its last status is known', async (t) => {
    const last = message('SENT.null', 'DELIVERED.null')
    const server = await startServer(t, (response, _request, index) =>
      answerJson(response, index === 0 ? 201 : 200, index === 0 ? message('SENT.null') : last),
    )
    const surroundings = fakeSurroundings()
    const flags = [...text, '--json', '--service', server.url, '--key', 'k']

    const exitCode = await run(['send', ...flags], surroundings)
    const dryRun = fakeSurroundings()
    await run(['send', ...flags, '--dry-run'], dryRun)

    assert.equal(exitCode, 0)
    assert.deepEqual(JSON.parse(surroundings.out.text()), last)
    assert.deepEqual(JSON.parse(dryRun.out.text()), last)
  })

  it('looks less and less often', async (t) => {
    const server = await startServer(t, (response, _request, index) =>
      index < 15
        ? answerJson(response, index === 0 ? 201 : 200, message('SENT.null'))
        : answerJson(response, 200, message('SENT.null', 'DELIVERED.null')),
    )
    const surroundings = fakeSurroundings()

    await run(['send', ...text, '--service', server.url, '--key', 'k'], surroundings)

    const { waits } = surroundings.clock
    assert.equal(waits.length, 15)
    assert.deepEqual(waits.slice(0, 3), [100, 150, 225])
    assert.deepEqual(waits.slice(-2), [3_000, 3_000])
  })

  for (const status of ['FAILED.UNDELIVERABLE', 'UNKNOWN.null', 'CANCELLED.null']) {
    it(`ends with exit code 1 at ${status}`, async (t) => {
      const server = await startServer(t, (response) => answerJson(response, 201, message(status)))
      const surroundings = fakeSurroundings()

      const exitCode = await run(
        ['send', ...text, '--service', server.url, '--key', 'k'],
        surroundings,
      )

      assert.equal(exitCode, 1)
      assert.match(surroundings.out.text(), new RegExp(`^  ${status.replace('.null', ' ')}`, 'm'))
    })
  }

  it('uses colours on a terminal alone, and not against NO_COLOR', async (t) => {
    const server = await startServer(t, (response) =>
      answerJson(response, 201, message('DELIVERED.null')),
    )
    const out = { write: () => {}, terminal: true }
    const terminal = fakeSurroundings({ out })
    const refusing = fakeSurroundings({ out, environment: { NO_COLOR: '1' } })
    const file = fakeSurroundings()

    for (const surroundings of [terminal, refusing, file]) {
      await run(['send', ...text, '--service', server.url, '--key', 'k'], surroundings)
    }

    assert.ok(terminal.out.text().includes(`${escape}[32mDELIVERED`))
    assert.equal(refusing.out.text().includes(escape), false)
    assert.equal(file.out.text().includes(escape), false)
  })

  it('keeps looking while the service is busy or away for a moment', async (t) => {
    const server = await startServer(t, (response, _request, index) => {
      if (index === 0) return answerJson(response, 201, message('SENT.null'))
      if (index === 1) return void response.destroy()
      if (index === 2) return answerProblem(response, 503, {}, { 'retry-after': '7' })
      return answerJson(response, 200, message('SENT.null', 'DELIVERED.null'))
    })
    const surroundings = fakeSurroundings()

    const exitCode = await run(
      ['send', ...text, '--service', server.url, '--key', 'k'],
      surroundings,
    )

    assert.equal(exitCode, 0)
    assert.ok(surroundings.clock.waits.some((wait) => wait >= 7_000))
  })

  it('gives up on a service that stays away', async (t) => {
    const server = await startServer(t, (response, _request, index) =>
      index === 0 ? answerJson(response, 201, message('SENT.null')) : void response.destroy(),
    )
    const surroundings = fakeSurroundings()

    const exitCode = await run(
      ['send', ...text, '--service', server.url, '--key', 'k'],
      surroundings,
    )

    assert.equal(exitCode, 1)
    assert.equal(server.received.length, 9)
    assert.match(surroundings.err.text(), /No service answers at/)
  })
})

describe('nuncio send says what is wrong', () => {
  it('with the message, by every field', async (t) => {
    const server = await startServer(t, (response) =>
      answerProblem(response, 400, {
        type: 'http://127.0.0.1/docs/problems/invalid-body',
        title: 'Invalid body',
        detail: '/to must be a number; /body must not be empty',
        requestId: 'request_1',
        errors: [
          { pointer: '/to', detail: 'must be a number' },
          { pointer: '/body', detail: 'must not be empty' },
        ],
      }),
    )
    const surroundings = fakeSurroundings()

    const exitCode = await run(
      ['send', ...text, '--service', server.url, '--key', 'k'],
      surroundings,
    )

    assert.equal(exitCode, 1)
    assert.equal(
      surroundings.err.text(),
      [
        'Refused: Invalid body (400)',
        '  /to must be a number',
        '  /body must not be empty',
        '  More: http://127.0.0.1/docs/problems/invalid-body',
        '  Request: request_1',
        '',
      ].join('\n'),
    )
  })

  it('with a problem whose page the service has itself', async (t) => {
    const server = await startServer(t, (response) =>
      answerProblem(response, 409, { title: 'Conflict', type: '/problems/conflict' }),
    )
    const surroundings = fakeSurroundings()

    await run(['send', ...text, '--service', server.url, '--key', 'k'], surroundings)

    assert.ok(surroundings.err.text().includes(`  More: ${server.url}/problems/conflict\n`))
  })

  it('with the key', async (t) => {
    const server = await startServer(t, (response) =>
      answerProblem(response, 401, { title: 'Unauthorized', detail: 'The key is not valid.' }),
    )
    const surroundings = fakeSurroundings()

    await run(['send', ...text, '--service', server.url, '--key', 'hush'], surroundings)

    assert.match(
      surroundings.err.text(),
      /Refused: Unauthorized \(401\)\n.*not valid\.\n.*NUNCIO_KEY/,
    )
    assert.doesNotMatch(surroundings.err.text(), /hush/)
  })

  it('with the address, if something else answers there', async (t) => {
    const server = await startServer(t, (response, _request, index) =>
      index === 0
        ? void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Welcome')
        : void response.writeHead(308, { location: 'https://other.example/' }).end(),
    )
    const surroundings = fakeSurroundings()

    await run(['send', ...text, '--service', server.url, '--key', 'k'], surroundings)
    await run(['send', ...text, '--service', server.url, '--key', 'k'], surroundings)

    assert.match(surroundings.err.text(), /is not Nuncio\.\n.*not JSON \(status 200, text\/html\)/)
    assert.match(
      surroundings.err.text(),
      /the status 308 to https:\/\/other\.example\/.*\n.*--service/,
    )
  })

  it('with the address, if nothing answers there', async () => {
    const surroundings = fakeSurroundings()

    const exitCode = await run(
      ['send', ...text, '--service', 'http://127.0.0.1:1', '--key', 'k'],
      surroundings,
    )

    assert.equal(exitCode, 1)
    assert.match(
      surroundings.err.text(),
      /No service answers at http:\/\/127\.0\.0\.1:1 \(.+\)\.\n.*--service/,
    )
  })

  it('with the command line, all at once, with exit code 2', async () => {
    const surroundings = fakeSurroundings({ environment: { NUNCIO_SERVCIE: 'x' } })

    const withoutFlags = await run(['send', '--service', 'nowhere'], surroundings)
    const withoutKey = await run(['send'], fakeSurroundings())

    assert.deepEqual([withoutFlags, withoutKey], [2, 2])
    for (const fault of [
      /--to is missing/,
      /--body is missing/,
      /from --service/,
      /NUNCIO_SERVCIE/,
    ]) {
      assert.match(surroundings.err.text(), fault)
    }
  })

  it('without letting the service command the terminal', async (t) => {
    const server = await startServer(t, (response) =>
      answerProblem(response, 400, { title: 'Odd \u001b[2J', detail: 'x\u0007' }),
    )
    const surroundings = fakeSurroundings()

    await run(['send', ...text, '--service', server.url, '--key', 'k'], surroundings)

    assert.match(surroundings.err.text(), /Odd \\u001b\[2J/)
    assert.doesNotMatch(surroundings.err.text(), /[^\P{Cc}\n]/u)
  })
})

/** A message that has gone through these statuses, a second each. */
function message(...statuses: readonly string[]): object {
  const last = statuses.at(-1) ?? ''
  return {
    id,
    status: { id: last, type: last.split('.')[0] },
    history: statuses.map((status, index) => ({
      status,
      date: `2026-01-01T00:00:0${index}.000Z`,
    })),
  }
}
