import type { InputError } from '../../core/problem.ts'
import { callbackFaults } from './callbacks/callback-faults.ts'
import { after, isMessageName, settledUrl, settledValues } from './message-values.ts'
import type { NoteFault } from './note-fault.ts'
import type { HttpSettings } from './settings.ts'
import { namesIn, originOf, textsOf } from '../template.ts'

/**
 * Reports faults in settings whose fields are valid: unknown names, and places that expose a
 * secret.
 */
export function settingFaults(
  settings: HttpSettings,
  refusal: (url: string) => string | null,
): readonly InputError[] {
  const errors: InputError[] = []
  const note: NoteFault = (pointer, detail) => errors.push({ pointer, detail })
  urlFaults(settings, refusal, note)
  bodyFaults(settings, note)
  headerFaults(settings, note)
  credentialFaults(settings, note)
  wordFaults(settings, note)
  for (const [pointer, text] of templates(settings)) namesFaults(settings, pointer, text, note)
  callbackFaults(settings, note)
  return errors
}

function urlFaults(
  settings: HttpSettings,
  refusal: (url: string) => string | null,
  note: NoteFault,
): void {
  const origin = originOf(settings.request.url)
  if (!namesIn(origin).every((name) => name.startsWith('parameter.'))) {
    return note(
      '/request/url',
      'must have its placeholders behind the host, those of parameters excepted',
    )
  }
  const refused = refusal(settledUrl(settings))
  if (refused !== null) note('/request/url', refused)
}

function bodyFaults({ request }: HttpSettings, note: NoteFault): void {
  const given = (['json', 'form', 'text'] as const).filter((name) => request[name] !== null)
  if (given.length > 1)
    note('/request', `must have one of json, form and text, has ${given.join(', ')}`)
  if (given.length > 0 && request.method === 'GET') note('/request', 'must have no body with GET')
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

function headerFaults({ request }: HttpSettings, note: NoteFault): void {
  for (const [name, value] of Object.entries(request.headers)) {
    const at = `/request/headers/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (!token.test(name)) note(at, 'must be the name of a header field')
    else if (ownHeaders.includes(name.toLowerCase())) note(at, 'is set by the service')
    else if (/[^\t\x20-\x7e]/.test(value)) note(at, 'must be printable ASCII')
    else if (name.toLowerCase() === 'authorization' && !namesSecret(value)) note(at, needsSecret)
  }
}

const needsSecret =
  'must take its secret from secrets, as {{secret.…}}: all else is shown to who reads the carrier'

function namesSecret(text: string): boolean {
  return namesIn(text).some((name) => name.startsWith('secret.'))
}

function credentialFaults({ basic, bearer, secrets }: HttpSettings, note: NoteFault): void {
  if (basic !== null && !namesSecret(basic.password)) note('/basic/password', needsSecret)
  if (bearer !== null && !namesSecret(bearer)) note('/bearer', needsSecret)
  if (basic !== null && bearer !== null) note('/bearer', 'must not be there beside basic')
  for (const [name, value] of Object.entries(secrets ?? {})) {
    // The value itself is never quoted.
    if (/[^\x20-\x7e]/.test(value)) note(`/secrets/${name}`, 'must be printable ASCII')
  }
}

function wordFaults({ words }: HttpSettings, note: NoteFault): void {
  for (const [name, { of }] of Object.entries(words)) {
    if (!isMessageName(of)) note(`/words/${name}/of`, `names ${of}, and there is no such field`)
  }
}

/** The texts of a request that have placeholders, with their places. */
function templates({
  request,
  basic,
  bearer,
}: HttpSettings): readonly (readonly [string, string])[] {
  const { url, headers, json, form, text } = request
  return [
    ['/request/url', url],
    ...Object.values(headers).map((value) => ['/request/headers', value] as const),
    ...textsOf(json).map((value) => ['/request/json', value] as const),
    ...Object.entries(form ?? {}).map(([name, value]) => [`/request/form/${name}`, value] as const),
    ...(text === null ? [] : [['/request/text/template', text.template] as const]),
    ...(basic === null
      ? []
      : ([
          ['/basic/username', basic.username],
          ['/basic/password', basic.password],
        ] as const)),
    ...(bearer === null ? [] : [['/bearer', bearer] as const]),
  ]
}

function namesFaults(settings: HttpSettings, pointer: string, text: string, note: NoteFault): void {
  for (const name of namesIn(text)) {
    if (isMessageName(name)) continue
    const word = after('word.', name)
    const isKnown =
      word === null
        ? settledValues('x', settings)(name) !== undefined && isDeclared(name, settings)
        : Object.hasOwn(settings.words, word)
    if (!isKnown) note(pointer, `names {{${name}}}, and there is no such value${cure(name)}`)
  }
}

function isDeclared(name: string, { callbacks }: HttpSettings): boolean {
  const callback = after('callback.', name)
  return callback === null || callbacks.some((each) => each.name === callback)
}

function cure(name: string): string {
  if (name.startsWith('callback.')) return ': it takes publicUrl, and a callback of that name'
  return name.startsWith('secret.') ? ' in secrets' : ''
}
