import type { OutgoingMessage } from '../../../core/ports/carrier.ts'
import type { Instant } from '../../../core/ports/clock.ts'
import { timestamp } from '../../../core/timestamp.ts'
import type { MessagePart } from './message-parts.ts'
import type { HttpSettings } from '../settings.ts'
import {
  asItIs,
  fill,
  inUrl,
  readTemplate,
  readUrlTemplate,
  type TemplateValues,
} from './template.ts'

/** Placeholders for fields of the message or of its part. */
export const messageNames = [
  'id',
  'to',
  'toDigits',
  'from',
  'fromDigits',
  'body',
  'encoding',
  'protocolId',
  'messageClass',
  'numberOfParts',
  'validUntil',
  'validitySeconds',
  'validityMs',
  'part',
  'partId',
  'parts',
  'reference',
  'header',
  'time',
] as const

type MessageName = (typeof messageNames)[number]

/** The values of the placeholders for one part of a message. */
export function messageValues(
  id: string,
  settings: HttpSettings,
  message: OutgoingMessage,
  part: MessagePart,
  now: Instant,
): TemplateValues {
  const own = ownValues(message, part, now)
  const settled = settledValues(id, settings)
  const plain: TemplateValues = (name) => (isMessageName(name) ? own[name] : settled(name))
  return (name) => {
    const word = after('word.', name)
    return word === null ? plain(name) : wordFor(word, settings, plain)
  }
}

/** The values of the placeholders that are the same for every message. */
export function settledValues(id: string, settings: HttpSettings): TemplateValues {
  return (name) => {
    const parameter = after('parameter.', name)
    if (parameter !== null) return settings.parameters[parameter]
    const secret = after('secret.', name)
    if (secret !== null) return settings.secrets?.[secret]
    const callback = after('callback.', name)
    return callback === null ? undefined : callbackUrl(id, callback, settings)
  }
}

/** Returns the URL of a carrier's callback; undefined if the service's public URL is unknown. */
export function callbackUrl(id: string, name: string, settings: HttpSettings): string | undefined {
  const { publicUrl, callbackAuthentication } = settings
  if (publicUrl === null) return undefined
  const path = `/v1/carriers/${inUrl(id)}/callbacks/${inUrl(name)}`
  const url = `${publicUrl.replace(/\/+$/, '')}${path}`
  const query = callbackAuthentication?.query ?? null
  if (query === null) return url
  const secrets: TemplateValues = (each) => settings.secrets?.[after('secret.', each) ?? '']
  const value = fill(readTemplate(query.value), secrets, asItIs) ?? ''
  return `${url}?${inUrl(query.name)}=${inUrl(value)}`
}

/** Returns the constant part of a URL, with `x` for what differs between messages. */
export function settledUrl(url: string, { parameters }: Pick<HttpSettings, 'parameters'>): string {
  const values: TemplateValues = (name) => parameters[after('parameter.', name) ?? ''] ?? 'x'
  return readUrlTemplate(url)(values)
}

/** Returns the text after a prefix; null if the name has another prefix. */
export function after(prefix: string, name: string): string | null {
  return name.startsWith(prefix) ? name.slice(prefix.length) : null
}

/** Returns true if a placeholder is a field of the message. */
export function isMessageName(name: string): name is MessageName {
  const names: readonly string[] = messageNames
  return names.includes(name)
}

function ownValues(
  message: OutgoingMessage,
  { id: partId, part, parts, body, reference, header }: MessagePart,
  now: Instant,
): Readonly<Record<MessageName, string | number | null>> {
  const { id, to, from, encoding, protocolId, messageClass, numberOfParts, validUntil } = message
  const leftMs = validUntil === null ? null : Math.max(validUntil - now, 1000)
  return {
    id,
    to,
    toDigits: to.replace(/^\+/, ''),
    from,
    fromDigits: from.replace(/^\+(?=\d)/, ''),
    body,
    encoding,
    protocolId,
    messageClass,
    numberOfParts,
    validUntil: validUntil === null ? null : timestamp(validUntil),
    validitySeconds: leftMs === null ? null : Math.floor(leftMs / 1000),
    validityMs: leftMs,
    part,
    partId,
    parts,
    reference,
    header,
    time: timestamp(now),
  }
}

function wordFor(
  name: string,
  { words }: HttpSettings,
  plain: TemplateValues,
): string | null | undefined {
  const word = Object.hasOwn(words, name) ? words[name] : undefined
  if (word === undefined) return undefined
  const value = String(plain(word.of) ?? '')
  const text = Object.hasOwn(word.is, value) ? word.is[value] : undefined
  return text === undefined ? null : fill(readTemplate(text), plain, asItIs)
}
