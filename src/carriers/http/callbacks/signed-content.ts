import { hash } from 'node:crypto'
import type { Callback, CallbackHead } from '../../../core/ports/callback.ts'
import { after } from '../requests/message-values.ts'
import { fill, asItIs, type RequestTemplate } from '../../template.ts'

/** The names of what a provider can sign, besides `header.…`. */
export const signedNames = ['url', 'urlBase', 'body', 'bodySha256', 'form'] as const

/** Returns the bytes that a provider signs. The URL is the public one, which a proxy may rewrite. */
export function signedContent(
  template: RequestTemplate,
  callback: Callback,
  publicUrl: string | null,
): Buffer {
  return Buffer.concat(
    template.map((piece) => {
      if (typeof piece === 'string') return Buffer.from(piece)
      if (piece.name === 'body') return callback.body
      if (piece.name === 'bodySha256') return hash('sha256', callback.body, 'buffer')
      return Buffer.from(fill([piece], (name) => textOf(name, callback, publicUrl), asItIs) ?? '')
    }),
  )
}

/** Returns a header field of a callback; empty if there is none. */
export function headerOf({ headers }: CallbackHead, name: string): string {
  const value = headers[name.toLowerCase()]
  return typeof value === 'string' ? value : (value?.join(', ') ?? '')
}

function textOf(name: string, callback: Callback, publicUrl: string | null): string | null {
  const header = after('header.', name)
  if (header !== null) return headerOf(callback, header)
  const origin = (publicUrl ?? '').replace(/\/+$/, '')
  switch (name) {
    case 'url':
      return `${origin}${callback.target}`
    case 'urlBase':
      return `${origin}${callback.target.split('?', 1)[0]}`
    case 'form':
      return sortedForm(callback.body)
    default:
      return null
  }
}

/** Joins a form's names and values, sorted by name, each pair once. */
function sortedForm(body: Uint8Array): string {
  const pairs = [...new URLSearchParams(Buffer.from(body).toString())]
  const texts = new Map(
    pairs.map(([name, value]) => [JSON.stringify([name, value]), [name, value]]),
  )
  return [...texts.values()]
    .toSorted(([a = '', b = ''], [c = '', d = '']) => order(a, c) || order(b, d))
    .map((pair) => pair.join(''))
    .join('')
}

function order(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
