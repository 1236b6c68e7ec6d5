import assert from 'node:assert/strict'
import { startProvider, type Provider, type ProviderAnswer, type SeenRequest } from './provider.ts'
import { serveExample, type Served } from './served.ts'

/** A callback as a provider makes it. */
export interface ProviderCall {
  /** Of the carrier's callbacks. */
  readonly name: string
  readonly method?: 'GET' | 'POST'
  /** Parameters behind the token that the URL has. */
  readonly query?: string
  /** Omitted for GET. */
  readonly body?: string
  /** Of the body, and of the URL that was called. */
  readonly headers?: (body: string, url: string) => Promise<Headers> | Headers
}

type Headers = Readonly<Record<string, string>>

/** A provider as its public description has it, for a ready declaration. */
export interface ReadyCarrier {
  readonly environment: (provider: Provider) => Headers
  /** The provider's address in the declaration; null where the environment names it. */
  readonly address: string | null
  /** The path of requests for messages. Others, such as the check, are answered 200. */
  readonly path: string
  /** Answers a message. A request that is not as described must be answered with an error. */
  readonly answer: (request: SeenRequest) => ProviderAnswer
  /** The text of a message that `answer` refuses, the status that follows, and the provider's code. */
  readonly refused?: { readonly body: string; readonly status: string; readonly code?: string }
  /** The identifier by which callbacks name a message: of its request, or of its text. */
  readonly idOf: (request: SeenRequest, text: string) => string
  readonly token?: string
  /** An intermediate state, and its entry in the history. */
  readonly onItsWay?: readonly [call: (id: string) => ProviderCall, status: string]
  readonly delivered: (id: string) => ProviderCall
  readonly failed: (id: string) => ProviderCall
  readonly failedStatus: string
  /** The provider's code of the failure. */
  readonly failedCode: string | null
  readonly incoming: ProviderCall
  readonly received: { readonly from: string; readonly to: string; readonly body: string }
  readonly responseText?: string
}

/** Follows a message to a provider and back: sending, both receipts, a refusal, an incoming message. */
export async function followReady(name: string, carrier: ReadyCarrier): Promise<void> {
  await using provider = await startProvider((request) =>
    request.path.startsWith(carrier.path) ? carrier.answer(request) : { status: 200 },
  )
  const { address } = carrier
  const replace = address === null ? null : ([address, provider.url] as const)
  await using service = await serveExample(name, carrier.environment(provider), replace)
  const sent = () => provider.seen.filter(({ path }) => path.startsWith(carrier.path))
  const send = async (body: string) => {
    const from = '+15005550006'
    const { id } = await service.post('/v1/messages', { from, to: '+447700900123', body })
    await service.until(`/v1/messages/${id}`, ({ status }) => status.type !== 'ACCEPTED')
    const seen = sent().at(-1)
    assert.ok(seen)
    return { path: `/v1/messages/${id}`, id: carrier.idOf(seen, body) }
  }

  const good = await send('good-1')
  const bad = await send('good-2')
  const onItsWay = async () => {
    if (carrier.onItsWay) await call(service, name, carrier, carrier.onItsWay[0](good.id))
  }
  await onItsWay()
  const told = await call(service, name, carrier, carrier.delivered(good.id))
  await onItsWay()
  await call(service, name, carrier, carrier.failed(bad.id))
  const forged = await call(service, name, { token: 'wrong' }, withoutHeaders(carrier.incoming))
  await call(service, name, carrier, carrier.incoming)

  const state = await service.get(`/v1/carriers/${name}`)
  const statusOf = async (path: string) => (await service.get(path)).status.id
  assert.deepEqual([state.state, state.lastError], ['BOUND', null])
  assert.deepEqual(
    [told.status, told.text, await statusOf(good.path), await statusOf(bad.path)],
    [told.status, carrier.responseText ?? '', 'DELIVERED.null', carrier.failedStatus],
  )
  await assertHistory(service, good.path, [
    'SENT.null',
    ...(carrier.onItsWay ? [carrier.onItsWay[1]] : []),
    'DELIVERED.null',
  ])
  await assertCode(service, bad.path, carrier.failedStatus, carrier.failedCode)
  const [message, ...more] = await service.get('/v1/messages?type=RECEIVED')
  assert.deepEqual([forged.status, more], [401, []])
  assert.deepEqual({ from: message.from, to: message.to, body: message.body }, carrier.received)
  if (carrier.refused === undefined) return
  const refused = await send(carrier.refused.body)
  await assertCode(service, refused.path, carrier.refused.status, carrier.refused.code ?? null)
}

async function assertHistory(service: Served, path: string, expected: readonly string[]) {
  const { history } = await service.get(path)
  const entries = history.map(({ status }: { status: string }) => status)
  assert.deepEqual(entries, ['ACCEPTED.null', ...expected])
}

/** The code of the last report is in the message, in its history, and in lists that filter by it. */
async function assertCode(service: Served, path: string, status: string, code: string | null) {
  const { id, networkCode, history } = await service.get(path)
  const last = history.at(-1)
  assert.deepEqual([networkCode, last.status, last.code ?? null], [code, status, code])
  if (code === null) return
  const query = new URLSearchParams({ networkCode: code, fields: 'id' })
  const listed = await service.get(`/v1/messages?${query}`)
  assert.deepEqual(listed, [{ id }])
}

/** Without what proves the caller. */
function withoutHeaders(call: ProviderCall): ProviderCall {
  return { ...call, headers: /^[{[]/.test(call.body ?? '{') ? json : form }
}

async function call(
  service: Served,
  carrier: string,
  { token }: Pick<ReadyCarrier, 'token'>,
  { name, method = 'POST', query = '', body, headers = json }: ProviderCall,
) {
  const parameters = [token === undefined ? '' : `token=${token}`, query].filter(
    (each) => each !== '',
  )
  const search = parameters.length === 0 ? '' : `?${parameters.join('&')}`
  const url = `${service.url}/v1/carriers/${carrier}/callbacks/${name}${search}`
  const response = await fetch(url, {
    method,
    ...(body === undefined ? {} : { body, headers: await headers(body, url) }),
  })
  const text = await response.text()
  if (token !== 'wrong') assert.ok(response.ok || headers === json || headers === form, text)
  return { status: response.status, text }
}

/** The header of JSON. */
export const json = (): Headers => ({ 'content-type': 'application/json' })

/** The header of a form. */
export const form = (): Headers => ({ 'content-type': 'application/x-www-form-urlencoded' })

/** Reads JSON of a request; an empty object where it is none. */
export function jsonOf({ body }: SeenRequest): ReturnType<typeof JSON.parse> {
  try {
    return JSON.parse(body)
  } catch {
    return {}
  }
}

/** Basic credentials (RFC 7617). */
export const basic = (username: string, password: string) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
