import type { OutgoingRequest } from '../../core/ports/outgoing-request.ts'
import type { HttpSettings } from './settings.ts'
import {
  asItIs,
  fill,
  inHeader,
  inJson,
  inUrl,
  inXml,
  readJsonTemplate,
  readTemplate,
  readUrlTemplate,
  type Escape,
  type RequestTemplate,
  type TemplateValues,
} from '../template.ts'

/** Writes the request for one part of a message. Throws where what comes out is no URL. */
export type WriteRequest = (values: TemplateValues) => OutgoingRequest

/** Prepares the request that settings declare, once for all messages. */
export function requestWriter(settings: HttpSettings): WriteRequest {
  const { request, timeoutMs } = settings
  const url = readUrlTemplate(request.url)
  const headers = Object.entries(request.headers).map(
    ([name, value]) => [name.toLowerCase(), readTemplate(value)] as const,
  )
  const authorize = authorization(settings)
  const write = bodyWriter(settings)
  return (values) => {
    const { contentType, body } = write(values)
    const given = filled(headers, values, inHeader)
    return {
      method: request.method,
      url: new URL(url(values)),
      headers: {
        accept: 'application/json, */*;q=0.5',
        ...(contentType === null ? {} : { 'content-type': contentType }),
        ...authorize(values),
        ...given,
      },
      body,
      timeoutMs,
    }
  }
}

interface WrittenBody {
  readonly contentType: string | null
  readonly body: Uint8Array | null
}

function bodyWriter({
  request: { json, form, text },
}: HttpSettings): (v: TemplateValues) => WrittenBody {
  if (json !== null) {
    const template = readJsonTemplate(json)
    return (values) => bodyOf('application/json', JSON.stringify(template(values) ?? null))
  }
  if (form !== null) {
    const fields = Object.entries(form).map(([name, value]) => [name, readTemplate(value)] as const)
    return (values) =>
      bodyOf(
        'application/x-www-form-urlencoded',
        new URLSearchParams(filled(fields, values, asItIs)).toString(),
      )
  }
  if (text !== null) {
    const template = readTemplate(text.template)
    const escape = escapes[text.escape]
    return (values) => bodyOf(text.contentType, fill(template, values, escape) ?? '')
  }
  return () => ({ contentType: null, body: null })
}

const escapes: Readonly<Record<'NONE' | 'XML' | 'JSON' | 'URL', Escape>> = {
  NONE: asItIs,
  XML: inXml,
  JSON: inJson,
  URL: inUrl,
}

function bodyOf(contentType: string, text: string): WrittenBody {
  return { contentType, body: Buffer.from(text) }
}

/** Without those that are a placeholder alone that has no value. */
function filled(
  templates: readonly (readonly [name: string, template: RequestTemplate])[],
  values: TemplateValues,
  escape: Escape,
): Record<string, string> {
  return Object.fromEntries(
    templates.flatMap(([name, template]) => {
      const value = fill(template, values, escape)
      return value === null ? [] : [[name, value] as const]
    }),
  )
}

/** RFC 7617 and RFC 6750. */
function authorization({
  basic,
  bearer,
}: HttpSettings): (values: TemplateValues) => Readonly<Record<string, string>> {
  if (basic !== null) {
    const [username, password] = [readTemplate(basic.username), readTemplate(basic.password)]
    return (values) => {
      const pair = [username, password].map((each) => fill(each, values, asItIs) ?? '').join(':')
      return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
    }
  }
  if (bearer === null) return () => ({})
  const token = readTemplate(bearer)
  return (values) => ({ authorization: `Bearer ${fill(token, values, inHeader) ?? ''}` })
}
