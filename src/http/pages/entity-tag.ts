import { hash } from 'node:crypto'
import { header, type RequestHead } from '../server/request.ts'

const tags = new WeakMap<Uint8Array, string>()

/** Returns the strong entity tag of a file. */
export function entityTagOf(content: Uint8Array): string {
  const known = tags.get(content)
  if (known !== undefined) return known
  const tag = `"${hash('sha256', content, 'base64url').slice(0, 22)}"`
  tags.set(content, tag)
  return tag
}

/** Returns true if the client has the content with this tag. */
export function isUnchanged(request: RequestHead, tag: string): boolean {
  const known = header(request, 'if-none-match')?.split(',') ?? []
  return known.some((each) => each.trim().replace(/^W\//, '') === tag)
}
