import type { OutgoingMessage } from '../../../core/ports/carrier.ts'
import { asItIs, fill, readTemplate, type TemplateValues } from '../../template.ts'
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
    template: text === null ? null : readTemplate(text),
  }))
  return (message) => {
    if (declared.length === 0) return []
    const values = valuesOf(message)
    return declared.flatMap(({ tag, value, template }) => {
      if (template === null) return [[tag, value] as const]
      const text = fill(template, values, asItIs)
      return text === null ? [] : [[tag, Buffer.from(text, 'utf8')] as const]
    })
  }
}

function valuesOf(message: OutgoingMessage): TemplateValues {
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
  const all: Readonly<Record<string, string | number | null>> = own
  return (name) => all[name]
}

function digitsOf(address: string): string {
  return address.replace(/^\+(?=\d)/, '')
}
