import { isIP, isIPv4 } from 'node:net'
import { formats } from '../core/declaration/format.ts'
import type { LogLevel } from '../core/ports/log.ts'
import { nationalLanguages, type NationalLanguage } from '../core/national-language.ts'
import { roles, type NodeRole } from '../core/ports/nodes.ts'
import type { StoreLocation } from './config.ts'
import { isPostgresUrl, parameterFault } from './postgres-parameters.ts'
import type { Parsed } from './setting.ts'

/** How the text of each kind of setting is read. A broken rule never repeats the text. */
export const parsers = {
  host: (text: string): Parsed<string> =>
    isIP(text) !== 0 || (hostName.test(text) && !/^[\d.]+$/.test(text))
      ? valid(text)
      : broken('must be an IP address or a host name, without brackets and port'),

  port: (text: string): Parsed<number> => {
    if (text.startsWith('tcp://')) {
      return broken(
        'must be a whole number. Kubernetes sets this variable for a service called "nuncio": ' +
          'set enableServiceLinks: false in the pod, or use --port',
      )
    }
    return wholeNumber(text, 65_535)
  },

  /** At most a day: a simulated receipt that takes longer tests nothing that a shorter one does not. */
  simulatorDelayMs: (text: string): Parsed<number> => wholeNumber(text, 86_400_000),

  rateLimit: (text: string): Parsed<number> => wholeNumber(text, 1_000_000),

  rateLimitBurst: (text: string): Parsed<number> =>
    text === '0' ? broken('must be at least 1') : wholeNumber(text, 1_000_000),

  store: readStore,

  /** The characters of a bearer token (RFC 6750 section 2.1), so that a header can carry it. */
  adminKey: (text: string): Parsed<string> =>
    /^nuncio_[A-Za-z0-9._~+/-]+=*$/.test(text) && text.length >= 32
      ? valid(text)
      : broken(
          'must begin with "nuncio_" and have at least 32 characters, ' +
            'only of A-Z, a-z, 0-9 and ._~+/-',
        ),

  networks: (text: string): Parsed<readonly string[]> =>
    items(text).every(isNetwork)
      ? valid(Object.freeze(items(text)))
      : broken(
          'must be networks separated by commas, such as 10.0.0.0/8,fd00::/8; ' +
            'a single address is 192.0.2.7/32',
        ),

  retrySchedule: (text: string): Parsed<readonly number[]> =>
    items(text).length > 0 && items(text).every(isDelay)
      ? valid(Object.freeze(items(text).map(Number)))
      : broken(
          'must be one or more numbers of seconds from 1 to 999999999, in digits with at most three ' +
            'behind a point, separated by commas',
        ),

  sender: (text: string): Parsed<string> => {
    const read = formats.sender.read(text)
    return read.ok ? valid(read.text) : broken(read.detail)
  },

  nationalLanguages: (text: string): Parsed<readonly NationalLanguage[]> => {
    const names = items(text)
    if (names.length === 1 && names[0] === 'all') return valid(nationalLanguages)
    return names.every((name) => nationalLanguages.some((language) => language === name))
      ? valid(Object.freeze(nationalLanguages.filter((language) => names.includes(language))))
      : broken(`must be all, or names separated by commas, of ${nationalLanguages.join(', ')}`)
  },

  roles: (text: string): Parsed<readonly NodeRole[]> => {
    const names = items(text)
    return names.length > 0 && names.every((name) => roles.some((role) => role === name))
      ? valid(Object.freeze(roles.filter((role) => names.includes(role))))
      : broken(`must be one or more of ${roles.join(', ')}, separated by commas`)
  },

  words: (text: string): Parsed<readonly string[]> =>
    items(text).every((word) => /^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} '’-]{0,39}$/u.test(word))
      ? valid(Object.freeze(items(text)))
      : broken('must be words of 1 to 40 letters, digits and spaces, separated by commas'),

  origins: (text: string): Parsed<readonly string[]> =>
    text.trim() === '*' || items(text).every(isOrigin)
      ? valid(Object.freeze(items(text)))
      : broken(
          'must be * alone, or origins separated by commas, such as https://app.example.com, without a path',
        ),

  logLevel: (text: string): Parsed<LogLevel> => {
    const level = logLevels.find((candidate) => candidate === text)
    return level === undefined ? broken(`must be one of ${logLevels.join(', ')}`) : valid(level)
  },

  path: (text: string): Parsed<string> =>
    text === '' ? broken('must be the path of a file') : valid(text),

  baseUrl: (text: string): Parsed<string> => {
    const url = formats.url.read(text).ok ? URL.parse(text) : null
    return url === null || url.search !== '' || url.hash !== ''
      ? broken('must be an http or https URL without user name, password and query')
      : valid(url.href.replace(/\/+$/, ''))
  },

  /** The visible characters of ASCII: what an Authorization header can carry. */
  key: (text: string): Parsed<string> =>
    /^[\x21-\x7e]+$/.test(text)
      ? valid(text)
      : broken('must be an API key as the service showed it, without spaces'),
} as const

/** A second at least: a receiver that fails at once would be asked without a pause. */
function isDelay(item: string): boolean {
  return /^\d{1,9}(\.\d{1,3})?$/.test(item) && Number(item) >= 1
}

/** RFC 1123 section 2.1. */
const hostName =
  /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const

function readStore(text: string): Parsed<StoreLocation> {
  if (text === 'memory:') return valid(Object.freeze({ kind: 'memory' }))
  if (isPostgresUrl(text)) {
    const fault = parameterFault(text)
    return fault === null ? valid(Object.freeze({ kind: 'postgres', url: text })) : broken(fault)
  }

  const file = /^sqlite:(?!\/\/)(.+)$/.exec(text)?.[1]
  // SQLite takes names in colons, and an address that begins with file:, for something else than a file.
  if (file !== undefined && !/^(:|file:)/.test(file)) {
    return valid(Object.freeze({ kind: 'sqlite', file }))
  }
  return broken(
    'must be sqlite:./relative/path, sqlite:/absolute/path, ' +
      'postgres://user:password@host/database, or memory:',
  )
}

function isNetwork(text: string): boolean {
  const [, address = '', length = ''] = /^([\da-fA-F.:]+)\/(\d{1,3})$/.exec(text) ?? []
  return isIP(address) !== 0 && Number(length) <= (isIPv4(address) ? 32 : 128)
}

/** As browsers write it in the header Origin. */
function isOrigin(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text
}

function wholeNumber(text: string, maximum: number): Parsed<number> {
  return /^\d{1,15}$/.test(text) && Number(text) <= maximum
    ? valid(Number(text))
    : broken(`must be a whole number from 0 to ${maximum}`)
}

/** The items of a list; none in an empty text. */
function items(text: string): readonly string[] {
  return text.trim() === '' ? [] : text.split(',').map((item) => item.trim())
}

function valid<T>(value: T): Parsed<T> {
  return { ok: true, value }
}

function broken(rule: string): Parsed<never> {
  return { ok: false, rule }
}
