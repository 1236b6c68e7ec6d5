import { hash } from 'node:crypto'
import type { JsonValue } from '../../../core/json.ts'
import type { DeclaredRequest } from './request-settings.ts'
import {
  asItIs,
  fill,
  filled,
  inJson,
  inUrl,
  inXml,
  readJsonTemplate,
  readTemplate,
  templatesOf,
  type Escape,
  type TemplateValues,
} from './template.ts'

/** Body of a request with its type. */
export interface WrittenBody {
  readonly contentType: string | null
  readonly body: Uint8Array | null
  /** The body before it became text, for a request with several messages; null if it is not JSON. */
  readonly json: JsonValue
}

/** Prepares the body that a request declares. */
export function bodyWriter({
  json,
  form,
  multipart,
  text,
}: DeclaredRequest): (values: TemplateValues) => WrittenBody {
  if (json !== null) {
    const template = readJsonTemplate(json)
    return (values) => jsonBody(template(values) ?? null)
  }
  if (form !== null) {
    const fields = templatesOf(form)
    return (values) => {
      const encoded = new URLSearchParams(filled(fields, values, asItIs)).toString()
      return bodyOf('application/x-www-form-urlencoded', encoded)
    }
  }
  if (multipart !== null) {
    const fields = templatesOf(multipart)
    return (values) => multipartBody(filled(fields, values, asItIs))
  }
  if (text !== null) {
    const template = readTemplate(text.template)
    const escape = escapes[text.escape]
    return (values) => bodyOf(text.contentType, fill(template, values, escape) ?? '')
  }
  return () => ({ contentType: null, body: null, json: null })
}

/** Writes JSON as a body. */
export function jsonBody(json: JsonValue): WrittenBody {
  return { ...bodyOf('application/json', JSON.stringify(json)), json }
}

const escapes: Readonly<Record<'NONE' | 'XML' | 'JSON' | 'URL', Escape>> = {
  NONE: asItIs,
  XML: inXml,
  JSON: inJson,
  URL: inUrl,
}

function bodyOf(contentType: string, text: string): WrittenBody {
  return { contentType, body: Buffer.from(text), json: null }
}

/** RFC 7578. The boundary is a digest of the values, so that none of them contains it. */
function multipartBody(fields: Readonly<Record<string, string>>): WrittenBody {
  const boundary = `nuncio-${hash('sha256', JSON.stringify(fields)).slice(0, 40)}`
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${inQuotes(name)}"\r\n\r\n${value}\r\n`,
  )
  return bodyOf(`multipart/form-data; boundary=${boundary}`, `${parts.join('')}--${boundary}--\r\n`)
}

/** RFC 7578 section 4.2, as browsers do. */
function inQuotes(name: string): string {
  return name.replace(/["\r\n]/g, (character) => encodeURIComponent(character))
}
