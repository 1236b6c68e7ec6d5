import { isIP, isIPv4 } from 'node:net'
import { formats } from '../core/declaration/format.ts'
import { nationalLanguages } from '../core/part-scheme.ts'
import { isMonotonous } from '../core/secrets.ts'
import { roles } from '../core/ports/nodes.ts'
import { retentionDaysMax } from '../core/retention-days.ts'
import type { Parsed, Parser } from './setting.ts'
import { readStoreLocation } from './store-location.ts'

/**
 * The parsers of the settings, each named for its only setting or for what several share. A broken rule never
 * repeats the text.
 */
export const parsers = {
  host: text((given) =>
    isIP(given) !== 0 || isHostName(given)
      ? valid(given)
      : broken('must be an IP address or a host name, without brackets and port'),
  ),

  address: text((given) => {
    const [, bare, bracketed, port = ''] =
      /^(?:([^:[\]]+)|\[([^[\]]+)\]):(\d{1,5})$/.exec(given) ?? []
    const host = bare ?? bracketed ?? ''
    const isHost = bracketed === undefined ? isHostName(host) : isIP(host) === 6
    return isHost && Number(port) <= 65_535
      ? valid(Object.freeze({ host, port: Number(port) }))
      : broken('must be an address and a port, such as 127.0.0.1:9464 or [::1]:9464')
  }),

  port: number((given) => {
    if (given.startsWith('tcp://')) {
      return broken(
        'must be a whole number. Kubernetes sets this variable for a service called "nuncio": ' +
          'set enableServiceLinks: false in the pod, or use --port',
      )
    }
    return wholeNumber(given, 65_535)
  }),

  /** At most a day: a longer delay of a simulated receipt tests nothing more. */
  simulatorDelayMs: number((given) => wholeNumber(given, 86_400_000)),

  queryTimeoutMs: number((given) => positiveNumber(given, 600_000)),
  days: number((given) => positiveNumber(given, 36_500)),
  maxConnections: number((given) => positiveNumber(given, 1_000_000)),
  accountLimit: number((given) => wholeNumber(given, 1_000_000_000_000)),
  rateLimit: number((given) => wholeNumber(given, 1_000_000)),

  rateLimitBurst: number((given) =>
    given === '0' ? broken('must be at least 1') : wholeNumber(given, 1_000_000),
  ),

  retentionDays: number((given) => {
    const parsed = wholeNumber(given, retentionDaysMax)
    return parsed.ok && parsed.value === 0 ? broken('must be 1 or more') : parsed
  }),

  store: text(readStoreLocation),

  /** The characters of a bearer token (RFC 6750 section 2.1), so that a header can carry it. */
  adminKey: text((given) => {
    if (!/^nuncio_[A-Za-z0-9._~+/-]+=*$/.test(given) || given.length < 32) {
      return broken(
        'must begin with "nuncio_" and have at least 32 characters, ' +
          'only of A-Z, a-z, 0-9 and ._~+/-',
      )
    }
    return isMonotonous(given.slice('nuncio_'.length))
      ? broken('must be random: it has hardly any different characters')
      : valid(given)
  }),

  secretKey: list((keys) => {
    if (keys.length === 0 || keys.length > 2 || keys.some((key) => key.length < 32)) {
      return broken('must be one or two keys of at least 32 characters, separated by a comma')
    }
    return keys.some(isMonotonous)
      ? broken('must be random, such as the output of: openssl rand -base64 32')
      : valid(keys)
  }),

  searchIndexes: list((items) =>
    items.every((item) => searched.includes(item))
      ? valid(items)
      : broken(`must be names separated by commas, of ${searched.join(', ')}`),
  ),

  networks: list((items) =>
    items.every(isNetwork)
      ? valid(items)
      : broken(
          'must be networks separated by commas, such as 10.0.0.0/8,fd00::/8; ' +
            'a single address is 192.0.2.7/32',
        ),
  ),

  retrySchedule: list((items) =>
    items.length > 0 && items.every(isDelay)
      ? valid(Object.freeze(items.map(Number)))
      : broken(
          'must be one or more numbers of seconds from 1 to 999999999, in digits with at most three ' +
            'after the decimal point, separated by commas',
        ),
  ),

  sender: text((given) => {
    const read = formats.sender.read(given)
    return read.ok ? valid(read.text) : broken(read.detail)
  }),

  nationalLanguages: list((names) => {
    if (names.length === 1 && names[0] === 'all') return valid(nationalLanguages)
    return names.every((name) => nationalLanguages.some((language) => language === name))
      ? valid(Object.freeze(nationalLanguages.filter((language) => names.includes(language))))
      : broken(`must be all, or names separated by commas, of ${nationalLanguages.join(', ')}`)
  }),

  roles: list((names) =>
    names.length > 0 && names.every((name) => roles.some((role) => role === name))
      ? valid(Object.freeze(roles.filter((role) => names.includes(role))))
      : broken(`must be one or more of ${roles.join(', ')}, separated by commas`),
  ),

  words: list((words) =>
    words.every((word) => /^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} '’-]{0,39}$/u.test(word))
      ? valid(words)
      : broken('must be words of 1 to 40 letters, digits and spaces, separated by commas'),
  ),

  origins: list((origins) =>
    (origins.length === 1 && origins[0] === '*') || origins.every(isOrigin)
      ? valid(origins)
      : broken(
          'must be * alone, or origins separated by commas, such as https://app.example.com, without a path',
        ),
  ),

  senders: oneOf(['any', 'registered']),
  accessLog: oneOf(['on', 'off']),
  logLevel: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal']),

  path: text((given) => (given === '' ? broken('must be the path of a file') : valid(given))),

  baseUrl: text((given) => readBaseUrl(given, /\/+$/)),
  /** Documents show addresses of collections: the version is easily copied with them. */
  serviceUrl: text((given) => readBaseUrl(given, /\/*(?:\/v1)?\/*$/)),

  /** The visible characters of ASCII, which an Authorization header can carry. */
  key: text((given) =>
    /^[\x21-\x7e]+$/.test(given)
      ? valid(given)
      : broken('must be an API key as the service showed it, without spaces'),
  ),
} as const

function readBaseUrl(given: string, end: RegExp) {
  const url = formats.url.read(given).ok ? URL.parse(given) : null
  return url === null || url.search !== '' || url.hash !== ''
    ? broken('must be an http or https URL without user name, password and query')
    : valid(url.href.replace(end, ''))
}

function text<T>(parse: (given: string) => Parsed<T>): Parser<T> {
  return { form: 'text', parse }
}

function oneOf<const T extends string>(choices: readonly T[]): Parser<T> {
  const parse = (given: string): Parsed<T> => {
    const choice = choices.find((candidate) => candidate === given)
    return choice === undefined ? broken(`must be one of ${choices.join(', ')}`) : valid(choice)
  }
  return { form: 'text', choices, parse }
}

/** The built-in collections that have a search. */
const searched: readonly string[] = ['messages', 'contacts', 'broadcasts']

function number(parse: (given: string) => Parsed<number>): Parser<number> {
  return { form: 'number', parse }
}

/** Makes a parser of items that commas separate; an empty text has none. */
function list<T>(parse: (items: readonly string[]) => Parsed<readonly T[]>): Parser<readonly T[]> {
  return {
    form: 'list',
    parse: (given) =>
      parse(Object.freeze(given.trim() === '' ? [] : given.split(',').map((item) => item.trim()))),
  }
}

/** Accepts one second or more: no receiver that fails immediately is called without a pause. */
function isDelay(item: string): boolean {
  return /^\d{1,9}(\.\d{1,3})?$/.test(item) && Number(item) >= 1
}

/** RFC 1123 section 2.1. */
const hostName =
  /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i

/** An IPv4 address is one, too. */
function isHostName(text: string): boolean {
  return isIPv4(text) || (hostName.test(text) && !/^[\d.]+$/.test(text))
}

function isNetwork(text: string): boolean {
  const [, address = '', length = ''] = /^([\da-fA-F.:]+)\/(\d{1,3})$/.exec(text) ?? []
  return isIP(address) !== 0 && Number(length) <= (isIPv4(address) ? 32 : 128)
}

/** Accepts an origin as browsers write it in the header Origin. */
function isOrigin(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text
}

function wholeNumber(text: string, maximum: number): Parsed<number> {
  return /^\d{1,15}$/.test(text) && Number(text) <= maximum
    ? valid(Number(text))
    : broken(`must be a whole number from 0 to ${maximum}`)
}

function positiveNumber(text: string, maximum: number): Parsed<number> {
  const parsed = wholeNumber(text, maximum)
  return parsed.ok && parsed.value === 0 ? broken('must be 1 or more') : parsed
}

function valid<T>(value: T): Parsed<T> {
  return { ok: true, value }
}

function broken(rule: string): Parsed<never> {
  return { ok: false, rule }
}
