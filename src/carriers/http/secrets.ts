import type { HttpSettings } from './settings.ts'
import { inJson, inUrl } from './template.ts'

/** Shorter ones would tear up every text, and are no secrets. */
const lengthMin = 4

/** Makes what blackens the secrets of a carrier in a text: providers quote what they were sent. */
export function withoutSecrets({
  secrets,
}: Pick<HttpSettings, 'secrets'>): (text: string) => string {
  const values = Object.values(secrets ?? {})
    .flatMap((value) => (value.length < lengthMin ? [] : [value, inUrl(value), inJson(value)]))
    .toSorted((a, b) => b.length - a.length)
  return (text) => values.reduce((shown, value) => shown.replaceAll(value, '…'), text)
}
