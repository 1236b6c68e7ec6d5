import { settledUrl } from './requests/message-values.ts'
import { namesIn, originOf } from '../template.ts'
import type { DeclaredRequest } from './requests/request-settings.ts'
import type { HttpSettings } from './settings.ts'

/** Reports the faults of a declared request besides its placeholders. */
export function requestFaults(
  request: DeclaredRequest,
  { parameters }: Pick<HttpSettings, 'parameters'>,
  refusal: (url: string) => string | null,
  at: string,
  note: NoteFault,
): void {
  urlFaults(request.url, { parameters }, refusal, `${at}/url`, note)
  bodyFaults(request, at, note)
  headerFaults(request, at, note)
}

/** Reports the faults of a URL with placeholders. */
export function urlFaults(
  url: string,
  { parameters }: Pick<HttpSettings, 'parameters'>,
  refusal: (url: string) => string | null,
  at: string,
  note: NoteFault,
): void {
  if (!namesIn(originOf(url)).every((name) => name.startsWith('parameter.'))) {
    return note(at, 'must have only placeholders of parameters in its host')
  }
  const refused = refusal(settledUrl(url, { parameters }))
  if (refused !== null) note(at, refused)
}

const bodies = ['json', 'form', 'multipart', 'text'] as const

function bodyFaults(request: DeclaredRequest, at: string, note: NoteFault): void {
  const given = bodies.filter((name) => request[name] !== null)
  if (given.length > 1) {
    note(at, `must have one of json, form, multipart and text, has ${given.join(', ')}`)
  }
  if (given.length > 0 && request.method === 'GET') note(at, 'must have no body with GET')
}

/** RFC 9110 section 5.6.2. */
const token = /^[!#$%&'*+.^_`|~A-Za-z0-9-]+$/

/** Headers of the connection, or computed from the body. */
const ownHeaders = [
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'expect',
  'upgrade',
  'te',
]

function headerFaults({ headers }: DeclaredRequest, requestAt: string, note: NoteFault): void {
  for (const [name, value] of Object.entries(headers)) {
    const at = `${requestAt}/headers/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (!token.test(name)) note(at, 'must be the name of a header field')
    else if (ownHeaders.includes(name.toLowerCase())) note(at, 'is set by the service')
    else if (/[^\t\x20-\x7e]/.test(value)) note(at, 'must be printable ASCII')
    else if (name.toLowerCase() === 'authorization' && !namesSecret(value)) note(at, needsSecret)
  }
}

/** The fault of a credential that is not secret. */
export const needsSecret =
  'must take its secret from secrets, as {{secret.…}}: all else is shown to who reads the carrier'

/** Returns true if a text takes a value from secrets. */
export function namesSecret(text: string): boolean {
  return namesIn(text).some((name) => name.startsWith('secret.'))
}

/** Notes that something is wrong at a pointer below the settings. */
export type NoteFault = (pointer: string, detail: string) => void
