import type { JsonValue } from '../../core/json.ts'
import type { Method } from '../document.ts'

/** What a line of curl asks. */
export interface Asked {
  readonly method: Method
  /** The path with identifiers in it, and the query. */
  readonly target: string
  readonly body: { readonly type: string; readonly value: JsonValue } | null
}

/** A request as curl sends it, with the address and the key in variables of the shell. */
export function curl({ method, target, body }: Asked): string {
  const verb = method === 'get' || (method === 'post' && body !== null) ? '' : verbOf(method)
  const lines = [
    `curl ${verb}"$NUNCIO_URL${target}"`,
    '-H "Authorization: Bearer $NUNCIO_KEY"',
    ...(body === null
      ? []
      : [
          `-H 'Content-Type: ${body.type}'`,
          `-d ${quoted(JSON.stringify(body.value, null, 2).replaceAll('\n', '\n  '))}`,
        ]),
  ]
  return lines.join(' \\\n  ')
}

function verbOf(method: Method): string {
  return `-X ${method.toUpperCase()} `
}

/** A word in single quotes, where only they mean something to a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
