import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { run } from '../../src/cli/run.ts'
import type { RunningApp, StartApp, ProcessContext } from '../../src/cli/process-context.ts'
import { StoreUnavailable } from '../../src/core/ports/store.ts'
import { virtualClock } from '../support/virtual-clock.ts'
import { fakeSurroundings, keptScreen, type FakeSurroundings } from './support/fake-surroundings.ts'

const adminKey = 'nuncio_01h455vb4pex5vsknk084sn02q_secret'

describe('nuncio serve', () => {
  it('shows the address, the new key once, a first message and where to read on', async () => {
    const { surroundings, running } = start({ adminKey })
    await surroundings.out.until(/Ctrl-C/)

    const text = surroundings.out.text()

    assert.match(text, /^Nuncio \d+\.\d+\.\d+ is ready at http:\/\/127\.0\.0\.1:8080$/m)
    assert.match(text, /The administrator's key, shown this once/)
    assert.match(text, new RegExp(`^  ${adminKey}$`, 'm'))
    assert.match(
      text,
      new RegExp(
        `^  curl http://127.0.0.1:8080/v1/messages .*"Authorization: Bearer ${adminKey}"`,
        'm',
      ),
    )
    assert.match(text, /http:\/\/127\.0\.0\.1:8080\/docs/)
    await stop(surroundings, running)
  })

  it('shows the console first, and a sign-in code in a terminal alone', async () => {
    const shown = async (terminal: boolean) => {
      const out = keptScreen(terminal)
      const { surroundings, running } = start({ signInCode: async () => 'AB12-CD34-EF56' }, [], {
        out,
      })
      await surroundings.out.until(/Ctrl-C/)
      const lines = surroundings.out.text().split('\n')
      const logged = surroundings.err.text()
      await stop(surroundings, running)
      return { lines, logged }
    }

    const [onTerminal, inPipe] = [await shown(true), await shown(false)]

    assert.deepEqual(onTerminal.lines.slice(0, 2), [
      'Console: http://127.0.0.1:8080/console',
      'Sign in there with the code AB12-CD34-EF56, once, within ten minutes.',
    ])
    assert.equal(inPipe.lines[0], 'Console: http://127.0.0.1:8080/console')
    assert.doesNotMatch(inPipe.lines.join(), /AB12/)
    assert.doesNotMatch(onTerminal.logged, /AB12/)
  })

  it('shows a first message without a key that was made before', async () => {
    const { surroundings, running } = start({ adminKey: null })
    await surroundings.out.until(/Ctrl-C/)

    assert.match(surroundings.out.text(), /^ {2}curl .*"Authorization: Bearer \$NUNCIO_KEY"/m)
    assert.doesNotMatch(surroundings.out.text(), /shown this once/)
    await stop(surroundings, running)
  })

  it('puts an address with brackets into quotes, which a shell would take for a pattern', async () => {
    const { surroundings, running } = start({ url: 'http://[::1]:8080' })
    await surroundings.out.until(/Ctrl-C/)

    assert.match(surroundings.out.text(), /curl 'http:\/\/\[::1\]:8080\/v1\/messages' /)
    await stop(surroundings, running)
  })

  it('gives the app its configuration and a log on standard error', async () => {
    const given = Promise.withResolvers<Parameters<StartApp>>()
    const { surroundings, running } = start({}, ['--port', '0', '--store', 'memory:'], {
      environment: { NUNCIO_HOST: '::1' },
      startApp: async (...parameters) => {
        given.resolve(parameters)
        return fakeApp()
      },
    })

    const [config, { log }] = await given.promise
    log('info', 'hello', { answer: 42 })

    assert.deepEqual([config.port, config.host, config.store.kind], [0, '::1', 'memory'])
    assert.match(surroundings.err.text(), /"event":"hello"/)
    assert.doesNotMatch(surroundings.out.text(), /hello/)
    await surroundings.out.until(/Ctrl-C/)
    await stop(surroundings, running)
  })

  it('names every wrong setting and does not start, with exit code 1', async () => {
    const surroundings = fakeSurroundings({ environment: { NUNCIO_PORT: 'x', NUNCIO_LOG: 'x' } })

    const exitCode = await run(['serve'], surroundings)

    assert.equal(exitCode, 1)
    assert.match(surroundings.err.text(), /NUNCIO_PORT/)
    assert.match(surroundings.err.text(), /NUNCIO_LOG/)
  })

  it('names unknown flags together with wrong settings, with exit code 2', async () => {
    const surroundings = fakeSurroundings({ environment: { NUNCIO_PORT: 'x' } })

    const exitCode = await run(['serve', '--hots', 'x'], surroundings)

    assert.equal(exitCode, 2)
    assert.match(surroundings.err.text(), /--hots is unknown\. Did you mean --host\?/)
    assert.match(surroundings.err.text(), /NUNCIO_PORT/)
  })
})

describe('nuncio serve that cannot start', () => {
  const system = (code: string, syscall: string): Error =>
    Object.assign(new Error(`${syscall} ${code}: what Node says`), { code, syscall })

  const mishaps: readonly [what: string, error: unknown, flags: string[], message: RegExp][] = [
    [
      'because the port is taken',
      system('EADDRINUSE', 'listen'),
      ['--port', '9000'],
      /^Nuncio could not start: port 9000 on 127\.0\.0\.1 is taken by another process\.\n.*--port 9001\n$/,
    ],
    [
      'because the port is reserved',
      system('EACCES', 'listen'),
      ['--port', '80'],
      /this user may not open port 80\.\n/,
    ],
    [
      'because the address is not here',
      system('EADDRNOTAVAIL', 'listen'),
      ['--host', '192.0.2.1'],
      /192\.0\.2\.1 is not an address of this machine/,
    ],
    [
      'because the name is unknown',
      system('ENOTFOUND', 'getaddrinfo'),
      ['--host', 'nowhere.example'],
      /nowhere\.example is not an address/,
    ],
    [
      'because the folder cannot be written',
      system('EACCES', 'mkdir'),
      ['--store', 'sqlite:/x/n.db'],
      /the store sqlite:\/x\/n\.db cannot be opened: .*\n.*--store sqlite:/,
    ],
    [
      'because the file is no database',
      Object.assign(new Error('file is not a database'), { code: 'ERR_SQLITE_ERROR' }),
      ['--store', 'sqlite:./n.db'],
      /the store sqlite:\.\/n\.db cannot be opened: file is not a database/,
    ],
    [
      'because the store says so',
      new StoreUnavailable('the disk is full'),
      ['--store', 'memory:'],
      /the store memory: cannot be opened: the disk is full/,
    ],
    [
      'because of a cause behind the error',
      new Error('outer', { cause: system('EADDRINUSE', 'listen') }),
      [],
      /port 8080 .* is taken/,
    ],
    [
      'because the database does not answer',
      new AggregateError([system('ECONNREFUSED', 'connect')], ''),
      ['--store', 'postgres://user:hush@db:5432/n'],
      /the store postgres:\/\/db:5432\/n cannot be opened/,
    ],
    [
      'because the host of the database is unknown',
      new StoreUnavailable(
        'PostgreSQL: it cannot be reached (getaddrinfo ENOTFOUND nohost.invalid)',
        {
          cause: system('ENOTFOUND', 'getaddrinfo'),
        },
      ),
      ['--store', 'postgresql://user:hush@nohost.invalid/n'],
      /^Nuncio could not start: the store postgres:.*\nCannot resolve host .*\. Check the host in NUNCIO_STORE/,
    ],
    [
      'because nothing listens where the database should be',
      new StoreUnavailable('PostgreSQL: it cannot be reached (connect ECONNREFUSED)', {
        cause: system('ECONNREFUSED', 'connect'),
      }),
      ['--store', 'postgres://user:hush@db:5433/n'],
      /ECONNREFUSED\)\nCheck that PostgreSQL runs and .* at db:5433, and host and port in NUNCIO_STORE\.\n$/,
    ],
    [
      'because the password is wrong',
      new StoreUnavailable('PostgreSQL: it refuses the role or its password (…)', {
        cause: Object.assign(new Error('…'), { code: '28P01' }),
      }),
      ['--store', 'postgres://user:hush@db/n'],
      /\nCheck user and password in NUNCIO_STORE\.\n$/,
    ],
    [
      'for a reason that it does not know',
      new Error('the moon is full'),
      [],
      /^Nuncio could not start: the moon is full\n.*--log debug/,
    ],
  ]
  for (const [what, error, flags, message] of mishaps) {
    it(`says what to do, ${what}`, async () => {
      const surroundings = fakeSurroundings({ startApp: () => Promise.reject(error) })

      const exitCode = await run(['serve', ...flags], surroundings)

      assert.equal(exitCode, 1)
      assert.match(surroundings.err.text(), message)
      assert.doesNotMatch(surroundings.err.text(), /^ {4}at |hush/m)
    })
  }

  it('logs where it happened at the level debug', async () => {
    const surroundings = fakeSurroundings({ startApp: () => Promise.reject(new Error('oops')) })

    await run(['serve', '--log', 'debug'], surroundings)

    assert.match(surroundings.err.text(), /"event":"start failed".*serve\.test\.ts/)
  })
})

describe('nuncio serve that is asked to stop', () => {
  it('lets the app finish and ends with exit code 0', async () => {
    let stopped = 0
    const { surroundings, running } = start({ stop: async () => void (stopped += 1) })
    await surroundings.out.until(/Ctrl-C/)

    surroundings.requestStop('SIGTERM')

    assert.equal(await running, 0)
    assert.equal(stopped, 1)
    assert.match(surroundings.err.text(), /"event":"stopping","signal":"SIGTERM"/)
  })

  it('while it starts, shows the new key and stops', async () => {
    const surroundings = fakeSurroundings({
      startApp: async () => {
        surroundings.requestStop('SIGINT')
        return fakeApp({ adminKey })
      },
    })

    const exitCode = await run(['serve'], surroundings)

    assert.equal(exitCode, 0)
    assert.match(surroundings.out.text(), new RegExp(adminKey))
  })

  it('takes a signal that comes twice at once for one, as npm passes on a Ctrl-C', async () => {
    const clock = virtualClock()
    const { surroundings, running, finish } = startThatStopsWhenTold({ clock })
    await surroundings.out.until(/Ctrl-C/)

    surroundings.requestStop('SIGINT')
    await clock.advance(100)
    surroundings.requestStop('SIGINT')

    assert.deepEqual(surroundings.ended, [])
    finish()
    assert.equal(await running, 0)
  })

  it('a second time, ends at once', async () => {
    const clock = virtualClock()
    const { surroundings, running, finish } = startThatStopsWhenTold({ clock })
    await surroundings.out.until(/Ctrl-C/)

    surroundings.requestStop('SIGTERM')
    await clock.advance(300)
    surroundings.requestStop('SIGINT')

    assert.deepEqual(surroundings.ended, ['SIGINT'])
    finish()
    await running
  })

  it('waits 30 s for the app, then no longer', async () => {
    const clock = virtualClock()
    const { surroundings, running } = startThatStopsWhenTold({ clock })
    await surroundings.out.until(/Ctrl-C/)

    surroundings.requestStop('SIGTERM')
    await clock.advance(29_999)
    assert.doesNotMatch(surroundings.err.text(), /stopped/)
    await clock.advance(1)

    assert.equal(await running, 0)
    assert.match(surroundings.err.text(), /stop timed out/)
  })

  it('ends a process that is still there when its time is over', async () => {
    const clock = virtualClock()
    const { surroundings, running } = startThatStopsWhenTold({ clock })
    await surroundings.out.until(/Ctrl-C/)

    surroundings.requestStop('SIGTERM')
    await clock.advance(40_000)

    assert.deepEqual(surroundings.ended, ['SIGTERM'])
    await running
  })

  it('logs it where stopping fails, with exit code 1', async () => {
    const { surroundings, running } = start({ stop: () => Promise.reject(new Error('stuck')) })
    await surroundings.out.until(/Ctrl-C/)

    surroundings.requestStop('SIGTERM')

    assert.equal(await running, 1)
    assert.match(surroundings.err.text(), /"event":"stop failed".*stuck/)
  })
})

interface Started {
  readonly surroundings: FakeSurroundings
  readonly running: Promise<number>
}

function start(
  app: Partial<RunningApp> = {},
  flags: readonly string[] = [],
  given: Partial<ProcessContext> = {},
): Started {
  const fake = fakeSurroundings({ startApp: async () => fakeApp(app), ...given })
  const surroundings = { ...fake, ...given, out: fake.out, err: fake.err, clock: fake.clock }
  const running = run(['serve', ...flags], { ...surroundings, clock: given.clock ?? fake.clock })
  return { surroundings, running }
}

function startThatStopsWhenTold(given: Partial<ProcessContext>): Started & { finish: () => void } {
  const told = Promise.withResolvers<void>()
  return { ...start({ stop: () => told.promise }, [], given), finish: told.resolve }
}

function fakeApp(app: Partial<RunningApp> = {}): RunningApp {
  const own = { adminKey: null, signInCode: async () => null, stop: async () => {} }
  return { url: 'http://127.0.0.1:8080', ...own, ...app }
}

async function stop(surroundings: FakeSurroundings, running: Promise<number>): Promise<void> {
  surroundings.requestStop('SIGTERM')
  assert.equal(await running, 0)
}
