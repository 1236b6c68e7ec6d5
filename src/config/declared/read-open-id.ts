import type { OpenIdGrant, OpenIdProvider } from '../../core/declaration/open-id.ts'
import type { ConfigFile } from '../config-file.ts'
import type { Environment } from '../environment.ts'
import { isLoopback } from '../loopback.ts'

/** The provider that a configuration file names, and what is wrong with it, a sentence each. */
export interface OpenIdRead {
  readonly oidc: OpenIdProvider | null
  readonly faults: readonly string[]
}

/** The keys of `oidc` and of a grant. */
const keys = ['issuer', 'clientId', 'clientSecret', 'url', 'scope', 'grants']
const grantKeys = ['claim', 'value', 'account', 'scopes']

const usualScope = 'openid profile email'

/** Reads `oidc` of a configuration file. `clientSecret` may be `{ "env": "NAME" }`. Never throws. */
export function readOpenId(file: ConfigFile | null, environment: Environment): OpenIdRead {
  const given = file?.values['oidc']
  if (file === null || given === undefined) return { oidc: null, faults: [] }
  const faults: string[] = []
  const note = (at: string, rule: string): void => {
    faults.push(`The key oidc${at} in ${file.path} ${rule}.`)
  }
  if (!isRecord(given)) {
    note('', 'must be an object')
    return { oidc: null, faults }
  }
  noteUnknown(given, keys, '', note)
  const oidc: OpenIdProvider = {
    issuer: readUrl(given['issuer'], '.issuer', note),
    clientId: readText(given['clientId'], '.clientId', note),
    clientSecret: readSecret(given['clientSecret'], environment, note),
    url: readUrl(given['url'], '.url', note),
    scope: given['scope'] === undefined ? usualScope : readText(given['scope'], '.scope', note),
    grants: readGrants(given['grants'], note),
  }
  if (!oidc.scope.split(' ').includes('openid')) note('.scope', 'must contain openid')
  return { oidc: Object.freeze(oidc), faults }
}

/** Notes what is wrong with a key. */
type Note = (at: string, rule: string) => void

const nowhere = new URL('https://invalid.invalid/')

/** Codes and secrets travel over these addresses: without TLS they must not leave this machine. */
function readUrl(value: unknown, at: string, note: Note): URL {
  const url = typeof value === 'string' ? URL.parse(value) : null
  const host = url?.hostname.replace(/^\[|\]$/g, '') ?? ''
  if (url === null || !['https:', 'http:'].includes(url.protocol)) note(at, 'must be an https URL')
  else if (url.protocol === 'http:' && !isLoopback(host)) {
    note(at, 'must be an https URL; http is for this machine alone')
  } else if (url.search !== '' || url.hash !== '' || url.username !== '') {
    note(at, 'must be a URL without query, fragment and credentials')
  }
  return url ?? nowhere
}

function readText(value: unknown, at: string, note: Note): string {
  if (typeof value === 'string' && value !== '') return value
  note(at, 'must be a text')
  return ''
}

function readSecret(value: unknown, environment: Environment, note: Note): string | null {
  if (value === undefined || value === null) return null
  const variable = isRecord(value) ? value['env'] : undefined
  if (typeof variable !== 'string') return readText(value, '.clientSecret', note)
  const secret = environment[variable]
  if (secret !== undefined && secret !== '') return secret
  note('.clientSecret', `names the environment variable ${variable}, which is not set`)
  return null
}

function readGrants(value: unknown, note: Note): readonly OpenIdGrant[] {
  if (!Array.isArray(value) || value.length === 0) {
    note('.grants', 'must be an array with at least one grant')
    return []
  }
  return value.map((grant: unknown, index) => readGrant(grant, `.grants[${index}]`, note))
}

function readGrant(value: unknown, at: string, note: Note): OpenIdGrant {
  const grant = isRecord(value) ? value : {}
  if (!isRecord(value)) note(at, 'must be an object')
  noteUnknown(grant, grantKeys, at, note)
  const { scopes } = grant
  const isList = Array.isArray(scopes) && scopes.length > 0 && scopes.every(isScope)
  if (!isList) note(`${at}.scopes`, 'must be an array of scopes, such as messages:read')
  return {
    claim: readText(grant['claim'], `${at}.claim`, note),
    value:
      typeof grant['value'] === 'boolean'
        ? grant['value']
        : readText(grant['value'], `${at}.value`, note),
    account: readText(grant['account'], `${at}.account`, note),
    scopes: isList ? scopes : [],
  }
}

function isScope(scope: unknown): boolean {
  return typeof scope === 'string' && /^(admin|\*|(\*|\w+):(read|write))$/.test(scope)
}

function noteUnknown(
  record: Readonly<Record<string, unknown>>,
  known: readonly string[],
  at: string,
  note: Note,
): void {
  for (const key of Object.keys(record))
    if (!known.includes(key)) note(`${at}.${key}`, 'is unknown')
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
