import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, hash } from 'node:crypto'
import { describe, it } from 'node:test'
import { jwtVerify } from 'jose'
import { faultsOf, jsonRequest, openBench } from './support/bench.ts'
import { startProvider, type ProviderAnswer } from './support/provider.ts'

const pemOf = (type: 'rsa' | 'ec') =>
  type === 'rsa'
    ? generateKeyPairSync('rsa', { modulusLength: 2048 })
    : generateKeyPairSync('ec', { namedCurve: 'P-256' })
const text = (key: ReturnType<typeof pemOf>['privateKey']) =>
  key.export({ type: 'pkcs8', format: 'pem' }).toString()

/** A provider of tokens: each is valid for 600 s. */
async function tokenProvider(answer?: () => ProviderAnswer) {
  let count = 0
  return startProvider(
    () =>
      answer?.() ?? { status: 200, body: { access_token: `t${(count += 1)}`, expires_in: 600 } },
  )
}

const oauth2 = (url: string) => ({
  secrets: { client: 'hush-hush' },
  oauth2: {
    tokenUrl: `${url}/token`,
    clientId: 'nuncio:1',
    clientSecret: '{{secret.client}}',
    form: { scope: 'sms' },
  },
})

describe('A token of OAuth 2 client credentials', () => {
  it('is requested once, sent with every message, and renewed before it expires', async () => {
    await using tokens = await tokenProvider()
    await using bench = await openBench(() => ({ status: 200 }), oauth2(tokens.url))

    await Promise.all([bench.submit({ id: 'a' }), bench.submit({ id: 'b' })])
    await bench.clock.advance(541_000)
    await bench.submit({ id: 'c' })

    const [asked] = tokens.seen
    const given = Buffer.from(asked?.headers.authorization?.slice(6) ?? '', 'base64').toString()
    assert.equal(given, 'nuncio%3A1:hush-hush')
    assert.equal(asked?.body, 'grant_type=client_credentials&scope=sms')
    assert.deepEqual(
      bench.provider.seen.map(({ headers }) => headers.authorization),
      ['Bearer t1', 'Bearer t1', 'Bearer t2'],
    )
  })

  it('that the provider refuses is replaced, and the message sent again', async () => {
    await using tokens = await tokenProvider()
    await using bench = await openBench(
      ({ headers }) => ({ status: headers.authorization === 'Bearer t1' ? 401 : 200 }),
      oauth2(tokens.url),
    )

    const outcome = await bench.submit()

    assert.deepEqual([outcome.kind, bench.provider.seen.length], ['SUBMITTED', 2])
  })

  it('can have a strange lifetime', async () => {
    for (const expires of [
      '{"valueOf":1,"toString":1}',
      `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
      '-1',
    ]) {
      const body = `{"access_token":"t1","expires_in":${expires}}`
      await using tokens = await tokenProvider(() => ({ status: 200, body }))
      await using bench = await openBench(() => ({ status: 200 }), oauth2(tokens.url))

      assert.equal((await bench.submit()).kind, 'SUBMITTED')
    }
  })

  it('is not shown, even if the provider quotes it', async () => {
    await using tokens = await tokenProvider()
    await using bench = await openBench(
      ({ headers }) => ({ status: 400, body: `bad: ${headers.authorization}` }),
      oauth2(tokens.url),
    )

    await bench.submit()

    assert.match(bench.carrier.condition().lastError?.detail ?? '', /400: bad: Bearer …$/)
  })

  it('that cannot be had sends nothing, and its reason has no secret', async () => {
    await using tokens = await tokenProvider(() => ({ status: 400, body: 'hush-hush' }))
    await using bench = await openBench(() => ({ status: 200 }), oauth2(tokens.url))

    const outcome = await bench.submit()

    assert.equal(outcome.kind, 'BUSY')
    assert.equal(bench.provider.seen.length, 0)
    assert.match(bench.carrier.condition().lastError?.detail ?? '', /the token URL answered 400$/)
  })
})

describe('A token that the service signs', () => {
  for (const [algorithm, type] of [
    ['RS256', 'rsa'],
    ['ES256', 'ec'],
  ] as const) {
    it(`of ${algorithm} has the declared claims and a limited life`, async () => {
      const { privateKey, publicKey } = pemOf(type)
      await using bench = await openBench(() => ({ status: 200 }), {
        parameters: { application: 'app-1' },
        secrets: { key: text(privateKey).replaceAll('\n', String.raw`\n`) },
        jwt: {
          algorithm,
          key: '{{secret.key}}',
          keyId: 'k1',
          claims: { application_id: '{{parameter.application}}', admin: false },
        },
      })

      await bench.submit()

      const token = bench.provider.seen[0]?.headers.authorization?.replace('Bearer ', '') ?? ''
      const currentDate = new Date(bench.clock.now())
      const { payload, protectedHeader } = await jwtVerify(token, publicKey, { currentDate })
      assert.deepEqual(
        [payload['application_id'], payload['admin'], protectedHeader.kid],
        ['app-1', false, 'k1'],
      )
      assert.equal((payload.exp ?? 0) - (payload.iat ?? 0), 300)
      assert.match(String(payload.jti), /^token_/)
    })
  }

  it('takes a key of its algorithm only', () => {
    const faults = faultsOf({
      request: { url: 'http://127.0.0.1/', ...jsonRequest },
      secrets: { key: text(pemOf('ec').privateKey) },
      jwt: { algorithm: 'RS256', key: '{{secret.key}}' },
    })

    assert.deepEqual(faults, [
      { pointer: '/jwt/key', detail: 'must be a private key for RS256 as PEM' },
    ])
  })
})

describe('A signature of AWS', () => {
  it('covers the request as it was sent, with the time of the service', async () => {
    await using bench = await openBench(() => ({ status: 200 }), {
      secrets: { key: 'wJalrXUtnFEMI' },
      sigv4: {
        accessKeyId: 'AKIDEXAMPLE',
        secretAccessKey: '{{secret.key}}',
        region: 'eu-west-1',
        service: 'sms-voice',
      },
    })

    await bench.submit()

    const [seen] = bench.provider.seen
    const { authorization = '', host, 'x-amz-date': time = '' } = seen?.headers ?? {}
    const [, names = '', signature] =
      /SignedHeaders=([^,]+), Signature=([0-9a-f]+)$/.exec(authorization) ?? []
    const scope = `${String(time).slice(0, 8)}/eu-west-1/sms-voice/aws4_request`
    const canonical = [
      'POST',
      seen?.path,
      '',
      ...names.split(';').map((name) => `${name}:${seen?.headers[name] ?? ''}`),
      '',
      names,
      hash('sha256', seen?.body ?? ''),
    ].join('\n')
    const signed = ['AWS4-HMAC-SHA256', time, scope, hash('sha256', canonical)].join('\n')
    const key = scope
      .split('/')
      .reduce<string | Buffer>(
        (from, part) => createHmac('sha256', from).update(part).digest(),
        'AWS4wJalrXUtnFEMI',
      )
    assert.ok(names.includes('host') && host !== undefined)
    assert.equal(
      String(time),
      new Date(bench.clock.now()).toISOString().replace(/[-:]|\.\d{3}/g, ''),
    )
    assert.equal(signature, createHmac('sha256', key).update(signed).digest('hex'))
  })
})

describe('A check of credentials', () => {
  it('whose other refusal says nothing of the credentials leaves the carrier BOUND', async () => {
    await using other = await startProvider(() => ({ status: 403 }))
    await using bench = await openBench(() => ({ status: 200 }), {
      check: { url: `${other.url}/balance` },
    })

    await bench.until('it is bound', () => bench.carrier.condition().state === 'BOUND')

    assert.equal(bench.carrier.condition().lastError, null)
  })

  const check = { secrets: { key: 'hush-hush' }, bearer: '{{secret.key}}' }

  it('is sent at the start, and a refusal sets the carrier DOWN', async () => {
    await using other = await startProvider(() => ({ status: 401 }))
    await using bench = await openBench(() => ({ status: 200 }), {
      ...check,
      check: { url: `${other.url}/balance` },
    })

    await bench.until('it is down', () => bench.carrier.condition().state === 'DOWN')

    const [seen] = other.seen
    assert.deepEqual([seen?.path, seen?.headers.authorization], ['/balance', 'Bearer hush-hush'])
    assert.match(bench.carrier.condition().stateReason ?? '', /refuses the credentials.* 401$/)
  })

  it('that is answered makes it BOUND', async () => {
    await using other = await startProvider(() => ({ status: 200 }))
    await using bench = await openBench(() => ({ status: 200 }), {
      ...check,
      check: { url: `${other.url}/balance` },
    })

    await bench.until('it is bound', () => bench.carrier.condition().state === 'BOUND')

    assert.equal(other.seen.length, 1)
  })
})
