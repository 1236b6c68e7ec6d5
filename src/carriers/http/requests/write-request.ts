import type { JsonValue } from '../../../core/json.ts'
import type { OutgoingRequest } from '../../../core/ports/outgoing-request.ts'
import type { DeclaredRequest } from './request-settings.ts'
import type { HttpSettings } from '../settings.ts'
import {
  asItIs,
  fill,
  filled,
  inHeader,
  inUrl,
  readTemplate,
  readUrlTemplate,
  templatesOf,
  type RequestTemplate,
  type TemplateValues,
} from './template.ts'
import { bodyWriter } from './write-body.ts'

/** A request for a part of a message. */
export interface WrittenRequest {
  readonly request: OutgoingRequest
  /** The body before it became text; null if it is not JSON. */
  readonly json: JsonValue
}

/** Writes the request for one part of a message. Throws if the filled-in URL is invalid. */
export type WriteRequest = (values: TemplateValues) => WrittenRequest

/** Prepares the requests that settings declare, once for all messages. */
export function requestWriter(settings: HttpSettings): WriteRequest {
  const write = oneWriter(settings.request, settings)
  const variants = settings.variants.map(({ when, request }) => ({
    conditions: Object.entries(when).map(
      ([name, texts]) => [name, texts.map(readTemplate)] as const,
    ),
    write: oneWriter(request, settings),
  }))
  return (values) => {
    const variant = variants.find(({ conditions }) =>
      conditions.every(([name, texts]) => isOneOf(String(values(name) ?? ''), texts, values)),
    )
    return (variant?.write ?? write)(values)
  }
}

function isOneOf(
  value: string,
  texts: readonly RequestTemplate[],
  values: TemplateValues,
): boolean {
  return texts.some((text) => (fill(text, values, asItIs) ?? '') === value)
}

function oneWriter(request: DeclaredRequest, settings: HttpSettings): WriteRequest {
  const url = readUrlTemplate(request.url)
  const query = templatesOf(request.query)
  const headers = templatesOf(request.headers).map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  )
  const authorize = authorization(settings)
  const write = bodyWriter(request)
  return (values) => {
    const { contentType, body, json } = write(values)
    const written: OutgoingRequest = {
      method: request.method,
      url: new URL(withQuery(url(values), filled(query, values, asItIs))),
      headers: {
        accept: 'application/json, */*;q=0.5',
        ...(contentType === null ? {} : { 'content-type': contentType }),
        ...authorize(values),
        ...filled(headers, values, inHeader),
      },
      body,
      timeoutMs: settings.timeoutMs,
    }
    return { request: written, json }
  }
}

function withQuery(url: string, parameters: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(parameters).map(([name, value]) => `${inUrl(name)}=${inUrl(value)}`)
  if (pairs.length === 0) return url
  return `${url}${url.includes('?') ? '&' : '?'}${pairs.join('&')}`
}

/** RFC 7617 and RFC 6750: the credentials that do not change. */
export function authorization({
  basic,
  bearer,
}: Pick<HttpSettings, 'basic' | 'bearer'>): (
  values: TemplateValues,
) => Readonly<Record<string, string>> {
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
