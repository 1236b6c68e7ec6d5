import type { Dice } from './dice.ts'

/** What is written to a socket, piece by piece, and whether the client then says that it is done. */
export interface RawRequests {
  readonly pieces: readonly Uint8Array[]
  /** How many requests it was meant to be. */
  readonly count: number
  readonly ends: boolean
}

/** Makes requests that no HTTP library would send. `key` lets some of them in. */
export function rawRequests(dice: Dice, key: string): RawRequests {
  const count = dice.once(4) ? 2 + dice.roll(8) : 1
  const bytes = Buffer.concat(Array.from({ length: count }, () => oneRequest(dice, key)))
  return { pieces: cut(dice, bytes), count, ends: true }
}

/** A request that stops in the middle, while the client stays: the server must lose patience. */
export function unfinished(dice: Dice, key: string): RawRequests {
  const bytes = wellFormed(dice, key, 'x'.repeat(200))
  const least = dice.once(2) ? 1 : bytes.indexOf('\r\n\r\n') + 4
  const end = least + dice.roll(bytes.length - least - 1)
  return { pieces: cut(dice, bytes.subarray(0, end)), count: 1, ends: false }
}

function oneRequest(dice: Dice, key: string): Buffer {
  return dice.pick(makers)(dice, key)
}

type Maker = (dice: Dice, key: string) => Buffer

const makers: readonly Maker[] = [
  (dice) => noise(dice, 1 + dice.roll(200)),
  (dice, key) => mutated(dice, wellFormed(dice, key, '{"address":"12345"}')),
  (dice, key) => mutated(dice, wellFormed(dice, key, '{"address":"12345"}')),
  (dice, key) => latin(requestLine(dice) + fields(dice, key, []) + '\r\n'),
  (dice, key) => latin(`GET /v1/contacts HTTP/1.1\r\n${fields(dice, key, oddFields)}\r\n`),
  (dice, key) =>
    latin(`POST /v1/contacts HTTP/1.1\r\n${fields(dice, key, lengths)}\r\n${body(dice)}`),
  (dice, key) => Buffer.concat([chunkedHead(key), chunks(dice)]),
  (dice) => dice.pick(otherProtocols),
]

function wellFormed(dice: Dice, key: string, text: string): Buffer {
  const method = dice.pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'QUERY'])
  const target = dice.pick(targets)
  const given = [
    `Host: 127.0.0.1`,
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${text.length}`,
  ]
  return latin(`${method} ${target} HTTP/1.1\r\n${given.join('\r\n')}\r\n\r\n${text}`)
}

const targets = [
  '/v1/contacts',
  '/v1/contacts/ann',
  '/v1/contacts?sort=name_asc&page=2',
  '/v1/messages',
  '/v1/groups/staff/contacts',
  '/v1',
  '/',
  '/docs',
  '*',
  '/v1/contacts?name=%FF',
  '/%',
  '//',
  '/v1/contacts/../keys',
]

function requestLine(dice: Dice): string {
  const method = dice.pick([
    'GET',
    'get',
    'G E T',
    'BREW',
    '',
    'GET\t',
    'A'.repeat(300),
    'PRI',
    'CONNECT',
  ])
  const target = dice.pick([
    ...targets,
    `/v1/contacts?search=${'x'.repeat(dice.roll(20_000))}`,
    `/${'a'.repeat(70_000)}`,
    'http://elsewhere.example/v1/contacts',
    'http://[::1',
    '/v1/contacts#part',
    '/v1/con tacts',
    '/v1/\u0000',
    '/v1/contacts?\u00e9=\u00ff',
    '',
  ])
  const version = dice.pick([
    'HTTP/1.1',
    'HTTP/1.0',
    'HTTP/2.0',
    'HTTP/9.9',
    'http/1.1',
    'HTTP/1.',
    '',
    'X',
  ])
  return `${method} ${target} ${version}${dice.pick(['\r\n', '\r\n', '\n', '\r', ''])}`
}

const oddFields: readonly ((dice: Dice) => string)[] = [
  () => 'Host: b',
  () => 'Host:',
  () => 'No colon here',
  () => ': no name',
  () => 'Space before : x',
  () => 'Fold: a\r\n b\r\n\tc',
  () => 'Nul: a\u0000b',
  () => 'Control: a\u0001\u007fb',
  () => 'Latin: \u00ff\u00e9',
  () => 'Bare: a\nb',
  (dice) => `Huge: ${'h'.repeat(dice.roll(80_000))}`,
  (dice) => Array.from({ length: dice.roll(2500) }, (_, index) => `X-${index}: y`).join('\r\n'),
  () => 'Authorization: Basic ====',
  () => 'Authorization: Bearer \u00ff',
  () => 'Authorization: Digest a="b"',
  () => 'Expect: 100-continue',
  () => 'Expect: miracles',
  () => 'Connection: upgrade\r\nUpgrade: websocket',
  () => 'Connection: upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQ',
  () => 'Accept: ,,;q=2,text/*;q=x',
  () => 'If-Match: "\u00ff", W/"x',
  () => 'Prefer: count=exact;;,,=',
  () => 'Idempotency-Key: \u00ff',
  () => 'X-HTTP-Method-Override: \u00ff',
  () => 'Last-Event-ID: \u0080',
  () => 'Origin: \u00ff',
  () => '__proto__: x',
  () => 'constructor: x',
]

const lengths: readonly ((dice: Dice) => string)[] = [
  () => 'Content-Length: -1',
  () => 'Content-Length: 1, 2',
  () => 'Content-Length: 5\r\nContent-Length: 6',
  () => 'Content-Length: 0x10',
  () => 'Content-Length: 99999999999999999999',
  () => 'Content-Length: 2000000',
  (dice) => `Content-Length: ${dice.roll(40)}`,
  () => 'Content-Length: 5\r\nTransfer-Encoding: chunked',
  () => 'Transfer-Encoding: gzip, chunked',
  () => 'Transfer-Encoding: chunked, chunked',
  () => 'Transfer-Encoding: xchunked',
  () => 'Transfer-Encoding: \u00ff',
  () => 'Content-Type: application/json\r\nContent-Type: text/plain',
  () => 'Content-Type: application/json; charset=\u00ff',
  () => 'Content-Encoding: gzip',
]

function fields(dice: Dice, key: string, odd: readonly ((dice: Dice) => string)[]): string {
  const usual = [
    `Host: 127.0.0.1`,
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
  ]
  const kept = usual.filter(() => !dice.once(6))
  const added =
    odd.length === 0 ? [] : [dice.pick(odd)(dice), ...dice.some(2, () => dice.pick(odd)(dice))]
  return [...kept, ...added].map((field) => `${field}\r\n`).join('')
}

function body(dice: Dice): string {
  return dice.pick([
    '',
    '{}',
    '{"address":"12345"}',
    '{"a":',
    '\u0000',
    '[[[[',
    'x'.repeat(3000),
    '\u00ff\u00fe',
  ])
}

function chunkedHead(key: string): Buffer {
  const given = ['Host: a', `Authorization: Bearer ${key}`, 'Content-Type: application/json']
  return latin(
    `POST /v1/contacts HTTP/1.1\r\n${given.join('\r\n')}\r\nTransfer-Encoding: chunked\r\n\r\n`,
  )
}

function chunks(dice: Dice): Buffer {
  const one = (): string =>
    dice.pick([
      '2\r\n{}\r\n',
      '13\r\n{"address":"12345"}\r\n',
      'zz\r\nab\r\n',
      '-1\r\n\r\n',
      'ffffffffffffffff\r\nx\r\n',
      'FFFFF0\r\nabc',
      '2;ext=\u0000\r\n{}\r\n',
      '2\r\n{}',
      '2\n{}\n',
      '\r\n',
    ])
  const end = dice.pick([
    '0\r\n\r\n',
    '0\r\nTrailer: x\r\n\r\n',
    '0\r\n\u0000: x\r\n\r\n',
    '0\r\n',
    '',
  ])
  return latin(dice.some(4, one).join('') + end)
}

const otherProtocols: readonly Buffer[] = [
  latin('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  Buffer.from('16030100a5010000a10303', 'hex'),
  latin('\u0000\u0000\u0000\u0010\u0000\u0000\u0000\u0015'),
  latin('EHLO example\r\n'),
  latin('GET /v1/contacts\r\n\r\n'),
  latin('\r\n\r\n\r\n'),
]

function mutated(dice: Dice, bytes: Buffer): Buffer {
  let result = Buffer.from(bytes)
  for (const change of ['flip', 'drop', 'add', 'repeat'].filter(() => dice.once(2))) {
    const at = dice.roll(result.length)
    const [before, behind] = [result.subarray(0, at), result.subarray(at)]
    if (change === 'flip' && result.length > 0) result[at] = dice.roll(256)
    else if (change === 'drop') result = Buffer.concat([before, behind.subarray(1 + dice.roll(6))])
    else if (change === 'add')
      result = Buffer.concat([before, noise(dice, 1 + dice.roll(6)), behind])
    else result = Buffer.concat([before, behind.subarray(0, 20), behind])
  }
  return result
}

function noise(dice: Dice, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => dice.roll(256)))
}

function cut(dice: Dice, bytes: Buffer): readonly Uint8Array[] {
  if (!dice.once(3)) return [bytes]
  const at = dice.roll(bytes.length + 1)
  return [bytes.subarray(0, at), bytes.subarray(at)]
}

function latin(text: string): Buffer {
  return Buffer.from(text, 'latin1')
}
