import { createHash, generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A small OpenID provider in this process, and what it does wrong. */
export interface FakeIssuer extends AsyncDisposable {
  readonly url: string
  /** Signs a person in: returns the address to which the provider sends the browser back. */
  signIn(authorization: string, claims: Readonly<Record<string, unknown>>): URL
  /** Claims that replace those of each ID token. */
  forged: Readonly<Record<string, unknown>>
  /** Signs with a key that the provider does not publish. */
  signsWithOtherKey: boolean
  /** Octets that each document has besides. */
  padding: number
  /** What the service has asked for, as method and path. */
  readonly asked: readonly string[]
}

/** A code that was given out. */
interface Grant {
  readonly challenge: string
  readonly redirectUri: string
  readonly claims: Readonly<Record<string, unknown>>
}

/** The client that the provider knows. */
export const client = { clientId: 'nuncio', clientSecret: 'a secret of the client' }

/** Starts a provider on loopback. */
export async function fakeIssuer(): Promise<FakeIssuer> {
  const [own, other] = [keyPair(), keyPair()]
  const grants = new Map<string, Grant>()
  const asked: string[] = []
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`

  const issuer: FakeIssuer = {
    url,
    forged: {},
    signsWithOtherKey: false,
    padding: 0,
    asked,
    signIn: (authorization, claims) => {
      const { searchParams } = new URL(authorization)
      const asks = (name: string): string => searchParams.get(name) ?? ''
      const code = randomUUID()
      grants.set(code, {
        challenge: asks('code_challenge'),
        redirectUri: asks('redirect_uri'),
        claims: { ...claims, nonce: asks('nonce') },
      })
      const back = new URL(asks('redirect_uri'))
      back.searchParams.set('code', code)
      back.searchParams.set('state', asks('state'))
      return back
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    asked.push(`${request.method} ${request.url}`)
    if (request.url === '/token') return answerToken(request, response)
    const document = request.url === '/keys' ? { keys: [jwkOf(own.publicKey)] } : description
    send(response, 200, { ...document, padding: 'x'.repeat(issuer.padding) })
  }

  const description = {
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    jwks_uri: `${url}/keys`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  }

  async function answerToken(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await text(request))
    const code = form.get('code') ?? ''
    const grant = grants.get(code)
    grants.delete(code)
    const verifier = form.get('code_verifier') ?? ''
    const isValid =
      request.headers.authorization === basic() &&
      grant?.challenge === createHash('sha256').update(verifier).digest('base64url') &&
      grant.redirectUri === form.get('redirect_uri')
    if (!isValid) return send(response, 400, { error: 'invalid_grant' })
    const now = Math.floor(Date.now() / 1000)
    const times = { iat: now, exp: now + 60 }
    const claims = { iss: url, aud: client.clientId, ...times, ...grant.claims, ...issuer.forged }
    const key = issuer.signsWithOtherKey ? other.privateKey : own.privateKey
    send(response, 200, {
      access_token: 'token',
      token_type: 'Bearer',
      id_token: signed(claims, key),
    })
  }
  return issuer
}

function keyPair() {
  return generateKeyPairSync('rsa', { modulusLength: 2048 })
}

function jwkOf(key: KeyObject): object {
  return { ...key.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }
}

function basic(): string {
  const encoded = [client.clientId, client.clientSecret].map((each) =>
    new URLSearchParams([['', each]]).toString().slice(1),
  )
  return `Basic ${Buffer.from(encoded.join(':')).toString('base64')}`
}

function signed(claims: object, key: KeyObject): string {
  const [head, body] = [{ alg: 'RS256', kid: 'one' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  )
  const signature = sign('sha256', Buffer.from(`${head}.${body}`), key).toString('base64url')
  return `${head}.${body}.${signature}`
}

function send(response: ServerResponse, status: number, content: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content))
}
