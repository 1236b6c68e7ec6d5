import { secretFrom, secretKey, verify } from '@nuncio/receiver'
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, it, type TestContext } from 'node:test'
import type { ProcessContext } from '../../src/cli/process-context.ts'
import { run } from '../../src/cli/run.ts'
import {
  answerProblem,
  startServer,
  type FakeServer,
  type Received,
} from './support/fake-server.ts'
import { fakeSurroundings, type FakeSurroundings } from './support/fake-surroundings.ts'

const secret = secretFrom(new Uint8Array(32).fill(7))

describe('nuncio listen', () => {
  it('asks for the stream with the key, from now on, and shows one line a notification', async (t) => {
    const service = await startService(t, (stream) =>
      stream.write(entry('1') + entry('2', 'RECEIVED')),
    )
    const { surroundings, running } = listen(service)

    await surroundings.out.until(/RECEIVED/)
    const [request] = service.received

    assert.equal(`${request?.method} ${request?.path}`, 'GET /v1/notifications')
    assert.equal(request?.headers.accept, 'text/event-stream')
    assert.equal(request?.headers.authorization, 'Bearer k')
    assert.equal(request?.headers['last-event-id'], undefined)
    const time = '2026-01-01T00:00:00.000Z'
    assert.deepEqual(surroundings.out.text().split('\n'), [
      `Listening to ${service.url}`,
      `${time}  DELIVERED  Acme → +4915112345678  message_1`,
      `${time}  RECEIVED   Acme → +4915112345678  message_2`,
      '',
    ])
    await stop(surroundings, running)
  })

  it('shows the time of the record, and not that of its coming', async (t) => {
    const date = '2025-12-31T23:59:59.000Z'
    const record = { type: 'RECEIVED', body: 'message_9', submission: { id: 's', date } }
    const service = await startService(t, (stream) =>
      stream.write(`id: 9\ndata: ${JSON.stringify(record)}\n\n`),
    )
    const { surroundings, running } = listen(service)

    await surroundings.out.until(/message_9/)

    assert.match(surroundings.out.text(), new RegExp(`^${date} .*message_9`, 'm'))
    await stop(surroundings, running)
  })

  it('shows the hour, colours and as much of the text as fits on a terminal', async (t) => {
    const long = entry('1').replace('"body":"', '"body":"A rather long text: ')
    const service = await startService(t, (stream) => stream.write(long))
    const [plain, painted] = [{ NO_COLOR: '1' }, {}].map((environment) =>
      listen(service, [], null, {
        environment,
        out: { terminal: true, columns: 50, write: () => {} },
      }),
    )
    assert.ok(plain !== undefined && painted !== undefined)

    await plain.surroundings.out.until(/…\n/)
    await painted.surroundings.out.until(/…\n/)

    const [, line = ''] = plain.surroundings.out.text().split('\n')
    assert.equal(line, '00:00:00  DELIVERED  Acme → +4915112345678  A rather lo…')
    assert.ok(
      painted.surroundings.out
        .text()
        .includes('\u001b[2m00:00:00\u001b[22m  \u001b[32mDELIVERED\u001b[39m'),
    )
    await stop(plain.surroundings, plain.running)
    await stop(painted.surroundings, painted.running)
  })

  it('prints the records alone with --json', async (t) => {
    const service = await startService(t, (stream) => stream.write(entry('1')))
    const { surroundings, running } = listen(service, ['--json'])

    await surroundings.out.until(/\n/)

    assert.equal(surroundings.out.text(), `${record('1')}\n`)
    assert.match(surroundings.err.text(), /^Listening to /)
    await stop(surroundings, running)
  })

  for (const [flags, place] of [
    [['--after', '41'], '41'],
    [['--since-start'], '0'],
  ] as const) {
    it(`begins elsewhere by ${flags.join(' ')}`, async (t) => {
      const service = await startService(t, (stream) => stream.write(entry('42')))
      const { surroundings, running } = listen(service, flags)

      await surroundings.out.until(/message_42/)

      assert.equal(service.received[0]?.headers['last-event-id'], place)
      await stop(surroundings, running)
    })
  }

  it('reads characters and records that are cut in the middle', async (t) => {
    const bytes = Buffer.from(entry('1').replaceAll('message_1', 'méssage_1'))
    const service = await startService(t, async (stream) => {
      for (const byte of bytes) {
        await new Promise((resolve) => stream.write(Buffer.of(byte), resolve))
      }
    })
    const { surroundings, running } = listen(service)

    await surroundings.out.until(/méssage_1/)

    await stop(surroundings, running)
  })

  it('ends with exit code 0 when it is asked to stop', async (t) => {
    const service = await startService(t, (stream) => stream.write(': here\n\n'))
    const { surroundings, running } = listen(service)
    await surroundings.out.until(/Listening/)

    surroundings.requestStop('SIGINT')

    assert.equal(await running, 0)
  })
})

describe('nuncio listen with a broken connection', () => {
  it('resumes behind the last record that was read', async (t) => {
    const service = await startService(t, (stream, _request, index) => {
      if (index === 0)
        stream.write(`${entry('1')}${entry('2')}id: 3\ndata: half`, () => stream.destroy())
      else stream.write(entry('3'))
    })
    const { surroundings, running } = listen(service)

    await surroundings.out.until(/message_3/)

    assert.equal(service.received[1]?.headers['last-event-id'], '2')
    assert.equal(surroundings.out.text().match(/message_/g)?.length, 3)
    assert.match(
      surroundings.err.text(),
      /^The connection is broken \(.+\); again in 0\.[012] s\.$/m,
    )
    await stop(surroundings, running)
  })

  it('resumes behind the place that the service named first, where no record came', async (t) => {
    const service = await startService(t, (stream, _request, index) => {
      if (index === 0) stream.end('id: 7\n\n')
      else stream.write(entry('8'))
    })
    const { surroundings, running } = listen(service)

    await surroundings.out.until(/message_8/)

    assert.equal(service.received[1]?.headers['last-event-id'], '7')
    await stop(surroundings, running)
  })

  it('waits up to twice as long each time, and at least as long as the service asks', async (t) => {
    const service = await startServer(t, (response, _request, index) => {
      if (index < 3) response.destroy()
      else if (index === 3)
        answerProblem(response, 503, { title: 'Unavailable' }, { 'retry-after': '9' })
      else open(response).write(entry('1'))
    })
    const first = await startService(t, (stream) => stream.end())
    const surroundings = fakeSurroundings({
      // The first connection must succeed; the service goes away after it.
      fetch: (input, init) =>
        fetch(
          String(input).replace(first.url, first.received.length === 0 ? first.url : service.url),
          init,
        ),
    })
    const running = run(['listen', '--service', first.url, '--key', 'k'], surroundings)

    await surroundings.out.until(/message_1/)

    assertWaits(surroundings, [0, 0, 0, 0, 9_000], [250, 500, 1_000, 2_000, 4_000])
    await stop(surroundings, running)
  })

  it('takes the wait that the stream asks for, and counts anew after a connection that held', async (t) => {
    const service = await startService(t, (stream, _request, index) => {
      if (index === 2) surroundings.clock.pass(60_000)
      if (index < 4) stream.end('retry: 100\n\n')
      else stream.write(entry('1'))
    })
    const { surroundings, running } = listen(service)

    await surroundings.out.until(/message_1/)

    assertWaits(surroundings, [100, 100, 100, 100], [250, 500, 250, 500])
    await stop(surroundings, running)
  })

  it('ends where the key is refused by then', async (t) => {
    const service = await startServer(t, (response, _request, index) => {
      if (index === 0) open(response).end(entry('1'))
      else answerProblem(response, 401, { title: 'Unauthorized', detail: 'The key is revoked.' })
    })
    const { surroundings, running } = listen(service)

    assert.equal(await running, 1)
    assert.match(surroundings.err.text(), /Refused: Unauthorized \(401\)\n.*revoked/)
  })
})

describe('nuncio listen --forward', () => {
  it('posts each record as an array of one, signed after Standard Webhooks', async (t) => {
    const service = await startService(t, (stream) => stream.write(entry('1') + entry('2')))
    const receiver = await startServer(t, (response) => void response.writeHead(204).end())
    const { surroundings, running } = listen(service, ['--secret', secret], receiver)

    await surroundings.out.until(/message_2/)

    assert.equal(receiver.received.length, 2)
    for (const [index, { method, path, headers, body }] of receiver.received.entries()) {
      assert.equal(`${method} ${path}`, 'POST /hook')
      assert.equal(headers['content-type'], 'application/json')
      assert.equal(body, `[${record(String(index + 1))}]`)
      verify([secretKey(secret)], headers, body, {
        nowMs: Date.UTC(2026, 0, 1),
        toleranceSeconds: 1,
      })
    }
    assert.match(surroundings.out.text(), /accepted \(204\)  message_1$/m)
    await stop(surroundings, running)
  })

  it('makes a secret and shows it, where none is given', async (t) => {
    const service = await startService(t, (stream) => stream.write(entry('1')))
    const receiver = await startServer(t, (response) => void response.end())
    const { surroundings, running } = listen(service, [], receiver)

    await surroundings.out.until(/message_1/)

    const shown = /^Signing secret: (whsec_\S+)$/m.exec(surroundings.out.text())?.[1] ?? ''
    const { headers, body } = receiver.received[0] ?? { headers: {}, body: '' }
    verify([secretKey(shown)], headers, body, { nowMs: Date.UTC(2026, 0, 1), toleranceSeconds: 1 })
    await stop(surroundings, running)
  })

  it('shows what the receiver answered, and goes on', async (t) => {
    const service = await startService(t, (stream) => stream.write(entry('1') + entry('2')))
    const receiver = await startServer(t, (response, _request, index) => {
      const location = { location: 'http://192.0.2.1/' }
      response.writeHead(index === 0 ? 500 : 302, location).end('no')
    })
    const { surroundings, running } = listen(service, [], receiver)

    await surroundings.out.until(/message_2/)

    assert.match(
      surroundings.out.text(),
      /refused \(500\)  message_1\n.*refused \(302\)  message_2\n/,
    )
    assert.equal(receiver.received.length, 2)
    await stop(surroundings, running)
  })

  it('tries a receiver again that cannot be reached, under the same webhook-id', async (t) => {
    const service = await startService(t, (stream) => stream.write(entry('1') + entry('2')))
    const receiver = await startServer(t, (response, _request, index) =>
      index < 2 ? void response.destroy() : void response.end(),
    )
    const { surroundings, running } = listen(service, [], receiver)

    await surroundings.out.until(/message_2/)

    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    assert.equal(ids.length, 4)
    assert.deepEqual(ids.slice(0, 3), [ids[0], ids[0], ids[0]])
    assert.notEqual(ids[3], ids[0])
    assert.match(surroundings.out.text(), /accepted \(200\)  message_1/)
    await stop(surroundings, running)
  })

  it('says so where the receiver stays away, and goes on with the next', async (t) => {
    const service = await startService(t, (stream) => stream.write(entry('1') + entry('2')))
    const receiver = { url: 'http://127.0.0.1:1', received: [] }
    const { surroundings, running } = listen(service, [], receiver)

    await surroundings.out.until(/message_2/)

    assert.match(surroundings.out.text(), /unreachable \(.+\)  message_1\n/)
    assert.deepEqual(surroundings.clock.waits.slice(0, 4), [500, 1_000, 2_000, 4_000])
    await stop(surroundings, running)
  })
})

describe('nuncio listen says what is wrong', () => {
  it('with the key or the address, and ends with exit code 1', async (t) => {
    const refusing = await startServer(t, (response) =>
      answerProblem(response, 403, { title: 'Forbidden', detail: 'Needs messages:read.' }),
    )
    const other = await startServer(t, (response) => void response.end('<p>Welcome'))

    const texts = []
    for (const url of [refusing.url, other.url, 'http://127.0.0.1:1']) {
      const surroundings = fakeSurroundings()
      assert.equal(await run(['listen', '--service', url, '--key', 'k'], surroundings), 1)
      texts.push(surroundings.err.text())
    }

    assert.match(texts[0] ?? '', /Refused: Forbidden \(403\)\n {2}Needs messages:read\./)
    assert.match(texts[1] ?? '', /is not Nuncio\.\n.*is not an event stream\.\n.*--service/)
    assert.match(texts[2] ?? '', /No service answers at http:\/\/127\.0\.0\.1:1/)
  })

  it('with an event that never ends', async (t) => {
    const service = await startService(t, (stream) =>
      stream.write(`data: ${'x'.repeat(1_100_000)}`),
    )
    const { surroundings, running } = listen(service)

    assert.equal(await running, 1)
    assert.match(surroundings.err.text(), /more than 1048576 characters/)
  })

  it('with the command line, all at once, with exit code 2', async () => {
    const surroundings = fakeSurroundings()
    const flags = [
      '--forward',
      'nowhere',
      '--secret',
      'whsec_hush',
      '--after',
      '1',
      '--since-start',
    ]

    const exitCode = await run(['listen', ...flags], surroundings)

    assert.equal(exitCode, 2)
    for (const fault of [
      /A key is missing/,
      /--forward must be/,
      /--secret is refused/,
      /not both/,
    ]) {
      assert.match(surroundings.err.text(), fault)
    }
    assert.doesNotMatch(surroundings.err.text(), /hush/)
  })

  it('with a secret that nothing would be signed with', async () => {
    const surroundings = fakeSurroundings()

    const exitCode = await run(['listen', '--key', 'k', '--secret', secret], surroundings)

    assert.equal(exitCode, 2)
    assert.match(surroundings.err.text(), /--secret needs --forward/)
  })
})

/** The record of a notification, as JSON text. */
function record(place: string, type = 'SENT'): string {
  const status = type === 'SENT' ? 'DELIVERED' : type
  return JSON.stringify({
    id: `message_${place}`,
    type,
    status: { id: `${status}.null`, type: status },
    from: 'Acme',
    to: '+4915112345678',
    body: `message_${place}`,
  })
}

/** The event of a notification. */
function entry(place: string, type = 'SENT'): string {
  return `id: ${place}\ndata: ${record(place, type)}\n\n`
}

function open(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { 'content-type': 'text/event-stream' })
}

/** A service that opens a stream for each request. */
function startService(
  t: TestContext,
  answer: (stream: ServerResponse, request: Received, index: number) => unknown,
): Promise<FakeServer> {
  return startServer(t, (response, request, index) => {
    open(response).flushHeaders()
    void answer(response, request, index)
  })
}

function listen(
  service: FakeServer,
  flags: readonly string[] = [],
  receiver: FakeServer | null = null,
  given: Partial<ProcessContext> = {},
): { surroundings: FakeSurroundings; running: Promise<number> } {
  const surroundings = fakeSurroundings(given)
  const forward = receiver === null ? [] : ['--forward', `${receiver.url}/hook`]
  const argv = ['listen', '--service', service.url, '--key', 'k', ...forward, ...flags]
  return { surroundings, running: run(argv, surroundings) }
}

/** Asserts that each wait has a least, and a random rest below a limit. */
function assertWaits(
  { clock }: FakeSurroundings,
  least: readonly number[],
  limits: readonly number[],
): void {
  const rests = clock.waits.map((wait, index) => wait - (least[index] ?? 0))
  assert.equal(rests.length, limits.length)
  for (const [index, rest] of rests.entries()) {
    assert.ok(rest >= 0 && rest < (limits[index] ?? 0), `the waits are ${clock.waits.join(', ')}`)
  }
  assert.ok(rests.some((rest) => rest > 0))
}

async function stop(surroundings: FakeSurroundings, running: Promise<number>): Promise<void> {
  surroundings.requestStop('SIGINT')
  assert.equal(await running, 0)
}
