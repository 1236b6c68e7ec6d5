import type { OutgoingMessage } from '../../../core/ports/carrier.ts'
import type { SmppSettings } from '../settings.ts'

/** Placeholders in the text of an optional parameter. */
export const tlvNames = [
  'id',
  'to',
  'toDigits',
  'from',
  'fromDigits',
  'userSuppliedId',
  'priority',
  'numberOfParts',
] as const

/** Writes the optional parameters that the settings add to a message. */
export type TlvWriter = (
  message: OutgoingMessage,
) => readonly (readonly [tag: number, value: Uint8Array])[]

/** Creates the writer. A parameter whose only placeholder has no value is left out. */
export function tlvWriter({ tlvs }: Pick<SmppSettings, 'tlvs'>): TlvWriter {
  const declared = (tlvs ?? []).map(({ tag, value, text }) => ({
    tag: Number(tag),
    value: Uint8Array.fromHex(value ?? ''),
    text,
  }))
  return (message) => {
    if (declared.length === 0) return []
    const values = valuesOf(message)
    return declared.flatMap(({ tag, value, text }) => {
      if (text === null) return [[tag, value] as const]
      const [only] = namesIn(text)
      const isEmpty = text === `{{${only}}}` && (values[only ?? ''] ?? null) === null
      return isEmpty ? [] : [[tag, Buffer.from(filled(text, values), 'utf8')] as const]
    })
  }
}

type Values = Readonly<Record<string, string | number | null>>

const placeholder = /\{\{([A-Za-z]+)\}\}/g

/** The names of the placeholders of a text. */
export function namesIn(text: string): readonly string[] {
  return [...text.matchAll(placeholder)].map(([, name = '']) => name)
}

function filled(text: string, values: Values): string {
  return text.replace(placeholder, (_, name: string) => String(values[name] ?? ''))
}

function valuesOf(message: OutgoingMessage): Values {
  const { id, to, from, userSuppliedId, priority, numberOfParts } = message
  const own: Readonly<Record<(typeof tlvNames)[number], string | number | null>> = {
    id,
    to,
    toDigits: digitsOf(to),
    from,
    fromDigits: digitsOf(from),
    userSuppliedId,
    priority,
    numberOfParts,
  }
  return own
}

function digitsOf(address: string): string {
  return address.replace(/^\+(?=\d)/, '')
}
