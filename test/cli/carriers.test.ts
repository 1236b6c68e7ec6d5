import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { run } from '../../src/cli/run.ts'
import { readReadyCarrier, readyCarrierNames } from '../../src/cli/ready-carriers.ts'
import { answerJson, answerProblem, startServer } from './support/fake-server.ts'
import { fakeSurroundings } from './support/fake-surroundings.ts'

const plivo = {
  PUBLIC_URL: 'https://sms.example.com/',
  PLIVO_AUTH_ID: 'MA1',
  PLIVO_AUTH_TOKEN: 'hush-hush',
}

/** A service whose carrier has these states, one for each read. */
const serviceOf = (t: Parameters<typeof startServer>[0], ...states: readonly object[]) => {
  let reads = 0
  return startServer(t, (response, { method }) => {
    if (method === 'PUT') return answerJson(response, 200, { id: 'plivo', state: 'CONNECTING' })
    answerJson(response, 200, { id: 'plivo', ...states[Math.min(reads++, states.length - 1)] })
  })
}

describe('nuncio carriers', () => {
  it('creates a carrier from variables and waits until the provider accepts the credentials', async (t) => {
    const server = await serviceOf(
      t,
      { state: 'CONNECTING' },
      { state: 'BOUND', stateReason: null },
    )
    const surroundings = fakeSurroundings({ environment: plivo })

    const code = await run(
      ['carriers', 'add', 'plivo', '--service', server.url, '--key', 'k1'],
      surroundings,
    )

    const [request] = server.received
    const { settings, type, about } = JSON.parse(request?.body ?? '')
    const { authToken, callbackToken } = settings.secrets
    assert.equal(code, 0, surroundings.err.text())
    assert.equal(`${request?.method} ${request?.path}`, 'PUT /v1/carriers/plivo')
    assert.deepEqual([type, about, authToken], ['HTTP', undefined, 'hush-hush'])
    assert.match(callbackToken, /^[\w-]{32}$/)
    assert.equal(
      surroundings.out.text(),
      'The carrier plivo is created.\n' +
        'Set the message URL of your application to ' +
        `https://sms.example.com/v1/carriers/plivo/callbacks/messages?token=${callbackToken} (POST).\n` +
        'In part untested: The codes of errors are from memory: only the signature was read.\n' +
        'The provider accepts the credentials.\n',
    )
    assert.ok(!surroundings.out.text().includes('hush-hush'))
  })

  it('shows a carrier whose id is no provider', async (t) => {
    const server = await startServer(t, (response) => {
      answerJson(response, 200, { id: 'c1', name: 'North', type: 'SMPP' })
    })
    const surroundings = fakeSurroundings()

    const code = await run(
      ['carriers', 'show', 'c1', '--service', server.url, '--key', 'k1'],
      surroundings,
    )

    assert.equal(code, 0, surroundings.err.text())
    assert.match(surroundings.out.text(), /North/)
  })

  it('asks for what is missing, and hides secrets', async (t) => {
    const server = await serviceOf(t, { state: 'BOUND', stateReason: null })
    const asked: [string, boolean][] = []
    const surroundings = fakeSurroundings({
      environment: { PUBLIC_URL: 'https://sms.example.com' },
      ask: async (question, { hidden }) => {
        asked.push([question, hidden])
        return ' answer '
      },
    })

    const code = await run(
      [
        'carriers',
        'add',
        'plivo',
        '--id',
        'second',
        '--plivo-auth-id',
        'MA1',
        '--service',
        server.url,
        '--key',
        'k1',
      ],
      surroundings,
    )

    const [request] = server.received
    assert.deepEqual([code, request?.path], [0, '/v1/carriers/second'])
    assert.deepEqual(asked, [['Auth token: ', true]])
    assert.equal(JSON.parse(request?.body ?? '').settings.secrets.authToken, 'answer')
  })

  it('fails if the provider refuses the credentials, with the reason', async (t) => {
    const stateReason = 'the provider refuses the credentials: it answered 401'
    const server = await serviceOf(t, { state: 'DOWN', stateReason })
    const surroundings = fakeSurroundings({ environment: plivo })

    const code = await run(
      ['carriers', 'add', 'plivo', '--service', server.url, '--key', 'k1'],
      surroundings,
    )

    assert.equal(code, 1)
    assert.equal(surroundings.err.text(), `The carrier plivo is DOWN: ${stateReason}.\n`)
  })

  it('says what is missing, unknown or refused', async (t) => {
    const server = await startServer(t, (response) =>
      answerProblem(response, 403, { detail: 'no admin' }),
    )
    const access = ['--service', server.url, '--key', 'k1']
    const of = async (args: readonly string[], environment = {}) => {
      const surroundings = fakeSurroundings({ environment })
      return [await run(['carriers', ...args, ...access], surroundings), surroundings.err.text()]
    }

    const [missing, missingText] = await of(['add', 'plivo'], { PUBLIC_URL: 'https://x.example' })
    const [unknown, unknownText] = await of(['add', 'pigeon'])
    const [bare] = await of([])
    const [refused] = await of(['add', 'plivo'], plivo)

    assert.deepEqual([missing, unknown, bare, refused], [2, 2, 2, 1])
    assert.match(String(missingText), /PLIVO_AUTH_ID is missing: give it with --plivo-auth-id/)
    assert.match(String(unknownText), /Name a provider: android-sms-gateway, aws, /)
  })

  it('lists the providers, and the values of each in its help', async () => {
    const [list, help] = [fakeSurroundings(), fakeSurroundings()]

    await run(['carriers', 'providers'], list)
    const json = fakeSurroundings()
    await run(['carriers', 'providers', '--json'], json)
    await run(['carriers', 'add', 'twilio', '--help'], help)

    assert.match(list.out.text(), /^twilio +Twilio$/m)
    const twilio = { id: 'twilio', name: 'Twilio', untested: null }
    assert.deepEqual(
      JSON.parse(json.out.text()).find(({ id }: { id: string }) => id === 'twilio'),
      twilio,
    )
    assert.match(list.out.text(), /^clickatell .*\(in part untested\)$/m)
    assert.match(help.out.text(), /--twilio-auth-token <value>\n +Auth token of the account\./)
  })

  it('has a source, a name for each variable and steps at the provider in every declaration', () => {
    for (const name of readyCarrierNames()) {
      const { id, variables, notes, carrier } = readReadyCarrier(name)
      const used = [...JSON.stringify(carrier).matchAll(/\{"env":"(\w+)"\}/g)].map(
        ([, each]) => each,
      )

      assert.deepEqual([id, used.toSorted()], [name, variables.map((each) => each.name).toSorted()])
      assert.ok(notes.length > 0 && variables.length > 1, name)
    }
  })
})
