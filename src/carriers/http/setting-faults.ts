import type { InputError } from '../../core/problem.ts'
import { callbackFaults } from './callbacks/callback-faults.ts'
import { credentialFaults } from './credentials/credential-faults.ts'
import { type NoteFault, requestFaults } from './request-faults.ts'
import { patternFault } from './reading/find-pattern.ts'
import { valuesAt } from './reading/values-at.ts'
import { after, isMessageName, messageNames, settledValues } from './requests/message-values.ts'
import type { DeclaredRequest } from './requests/request-settings.ts'
import { functionFault } from '../template-functions.ts'
import { placeholdersIn, textsOf } from '../template.ts'
import type { HttpSettings } from './settings.ts'

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
  for (const [at, request] of requestsOf(settings)) {
    requestFaults(request, settings, refusal, at, note)
  }
  credentialFaults(settings, refusal, note)
  wordFaults(settings, note)
  for (const [at, request] of requestsOf(settings)) {
    for (const [pointer, text] of requestTexts(request)) {
      namesFaults(settings, at + pointer, text, note)
    }
  }
  variantFaults(settings, note)
  for (const [pointer, text] of settledTexts(settings)) {
    namesFaults(settings, pointer, text, note, false)
  }
  batchFaults(settings, note)
  answerFaults(settings, note)
  callbackFaults(settings, note)
  return errors
}

function requestsOf({
  request,
  variants,
}: HttpSettings): readonly (readonly [string, DeclaredRequest])[] {
  const others = variants.map(
    (each, index) => [`/variants/${index}/request`, each.request] as const,
  )
  return [['/request', request], ...others]
}

function variantFaults(settings: HttpSettings, note: NoteFault): void {
  for (const [index, { when }] of settings.variants.entries()) {
    for (const [name, texts] of Object.entries(when)) {
      const at = `/variants/${index}/when/${name}`
      if (name.includes('{') || placeholdersIn(`{{${name}}}`).length === 0) {
        note(at, 'must be the name of a placeholder, without braces: it would never match')
      } else namesFaults(settings, at, `{{${name}}}`, note)
      for (const text of texts) namesFaults(settings, at, text, note, false)
    }
  }
}

function wordFaults(settings: HttpSettings, note: NoteFault): void {
  for (const [name, { of, is }] of Object.entries(settings.words)) {
    if (!isMessageName(of)) note(`/words/${name}/of`, `must be one of ${messageNames.join(', ')}`)
    for (const [value, text] of Object.entries(is)) {
      if (text.includes('{{word.')) note(`/words/${name}/is/${value}`, 'must not name another word')
      else namesFaults(settings, `/words/${name}/is/${value}`, text, note)
    }
  }
}

function batchFaults(settings: HttpSettings, note: NoteFault): void {
  const { batch, longMessages } = settings
  if (batch === null) return
  if (longMessages === 'PARTS') note('/batch', 'must not be there with longMessages PARTS')
  const [items] = valuesAt(settings.request.json ?? null, batch.items)
  if (!Array.isArray(items) || items.length !== 1) {
    note('/batch/items', 'must be the path of an array with one item in /request/json')
  }
  const paths = settings.answers.flatMap(({ id, where }) => [id ?? '', ...Object.keys(where)])
  if (paths.length > 0 && !paths.some((path) => path.startsWith(`${batch.results}/`))) {
    const example = `${batch.results}/0/id`
    note('/answers', `must have a path in batch.results, from the root, such as ${example}`)
  }
}

function answerFaults({ answers }: HttpSettings, note: NoteFault): void {
  for (const [index, { status, where, idPattern, reasonPattern }] of answers.entries()) {
    if (status.length === 0 && Object.keys(where).length === 0) {
      note(`/answers/${index}`, 'must have status or where: it would match an outage too')
    }
    for (const [name, source] of Object.entries({ idPattern, reasonPattern })) {
      const fault = source === null ? null : patternFault(source)
      if (fault !== null) note(`/answers/${index}/${name}`, fault)
    }
  }
}

/** The texts of a request that have placeholders, with their places. */
function requestTexts({
  url,
  query,
  headers,
  json,
  form,
  multipart,
  text,
}: DeclaredRequest): readonly (readonly [string, string])[] {
  return [
    ['/url', url],
    ...named('/query', query),
    ...Object.values(headers).map((value) => ['/headers', value] as const),
    ...textsOf(json).map((value) => ['/json', value] as const),
    ...named('/form', form),
    ...named('/multipart', multipart),
    ...(text === null ? [] : [['/text/template', text.template] as const]),
  ]
}

/** The texts with placeholders that are the same for every message. */
function settledTexts(settings: HttpSettings): readonly (readonly [string, string])[] {
  const { basic, bearer, oauth2, jwt, sigv4, check } = settings
  const { form = {}, ...client } = oauth2 ?? {}
  return [
    ...named('/basic', basic),
    ...(bearer === null ? [] : [['/bearer', bearer] as const]),
    ...named('/oauth2', client),
    ...named('/oauth2/form', form),
    ...named('/jwt', { key: jwt?.key, keyId: jwt?.keyId }),
    ...textsOf(jwt?.claims ?? null).map((value) => ['/jwt/claims', value] as const),
    ...named('/sigv4', sigv4),
    ...(check === null ? [] : [['/check/url', check.url] as const]),
  ]
}

function named(
  at: string,
  texts: Readonly<Record<string, string | null | undefined>> | null,
): readonly (readonly [string, string])[] {
  return Object.entries(texts ?? {}).flatMap(([name, text]) =>
    typeof text === 'string' ? [[`${at}/${name}`, text] as const] : [],
  )
}

function namesFaults(
  settings: HttpSettings,
  pointer: string,
  text: string,
  note: NoteFault,
  ofMessage = true,
): void {
  for (const { name, functions } of placeholdersIn(text)) {
    for (const each of functions) {
      const fault = functionFault(name, each)
      if (fault !== null) note(pointer, fault)
    }
    if (ofMessage && isMessageName(name)) continue
    const word = ofMessage ? after('word.', name) : null
    const isKnown =
      word === null
        ? settledValues('x', settings)(name) !== undefined && isDeclared(name, settings)
        : Object.hasOwn(settings.words, word)
    if (!isKnown)
      note(pointer, `names {{${name}}}, and there is no such value${cure(name, ofMessage)}`)
  }
}

function isDeclared(name: string, { callbacks }: HttpSettings): boolean {
  const callback = after('callback.', name)
  return callback === null || callbacks.some((each) => each.name === callback)
}

function cure(name: string, ofMessage: boolean): string {
  if (name.startsWith('callback.')) return ': it takes publicUrl, and a callback of that name'
  const map = /^(secret|parameter|word)\./.exec(name)?.[1]
  if (map !== undefined) return ` in ${map}s`
  const names = ofMessage ? [...messageNames, 'word.…', 'callback.…'] : []
  return `: use one of ${[...names, 'parameter.…', 'secret.…'].join(', ')}`
}
