import type { CallbackAuthentication } from './callback-settings.ts'
import { after } from '../message-values.ts'
import type { NoteFault } from '../note-fault.ts'
import type { HttpSettings } from '../settings.ts'
import { namesIn } from '../../template.ts'

/** Reports the faults in a carrier's callback settings and their authentication. */
export function callbackFaults(settings: HttpSettings, note: NoteFault): void {
  const { callbacks, callbackAuthentication } = settings
  for (const [index, { name, events, receipt, message }] of callbacks.entries()) {
    const at = `/callbacks/${index}`
    if ((receipt === null) === (message === null)) note(at, 'must have one of receipt and message')
    const first = callbacks.find((each) => each.name === name)
    if (first?.events !== events) {
      note(`${at}/events`, 'must be the same in all callbacks of one name')
    }
  }
  if (callbackAuthentication === null) {
    if (callbacks.length > 0) note('/callbackAuthentication', required)
    return
  }
  if (Object.values(callbackAuthentication).every((each) => each === null)) {
    note('/callbackAuthentication', required)
  }
  secretFaults(settings, callbackAuthentication, note)
  signatureFaults(settings, callbackAuthentication, note)
}

const required = 'must have one of query, header, basic and signature: anybody could call else'

function secretFaults(
  { secrets }: HttpSettings,
  { query, header, basic, signature }: CallbackAuthentication,
  note: NoteFault,
): void {
  const texts = [
    ['query/value', query?.value],
    ['header/value', header?.value],
    ['basic/password', basic?.password],
    ['signature/key', signature?.key],
  ] as const
  for (const [place, text] of texts) {
    if (text === undefined) continue
    const at = `/callbackAuthentication/${place}`
    const names = namesIn(text)
    if (names.length === 0) note(at, 'must take its secret from secrets, as {{secret.…}}')
    for (const name of names) {
      const secret = after('secret.', name)
      if (secret === null || !Object.hasOwn(secrets ?? {}, secret)) {
        note(at, `names {{${name}}}, and there is no such value in secrets`)
      }
    }
  }
}

function signatureFaults(
  { publicUrl }: HttpSettings,
  { signature }: CallbackAuthentication,
  note: NoteFault,
): void {
  if (signature === null) return
  const at = '/callbackAuthentication/signature/content'
  const names = namesIn(signature.content)
  if (!names.some((name) => name === 'body' || name === 'form')) {
    note(at, 'must have {{body}} or {{form}}: what is not signed could be anything')
  }
  for (const name of names) {
    if (!['url', 'body', 'form'].includes(name) && !name.startsWith('header.')) {
      note(at, `names {{${name}}}; it takes url, body, form and header.…`)
    }
  }
  if (publicUrl === null && names.includes('url')) note('/publicUrl', 'is required for {{url}}')
}
