import { invalidParameters, Problem, type InputError } from '../../core/problem.ts'
import type { FilterParameter } from '../../engine/query/filter-parameters.ts'

/** Parameters of a form: as many as a filter can need, by far. A target has no room for more. */
const parametersMax = 20_000

/**
 * Reads the query of a URI, or a form, as WHATWG URL does (application/x-www-form-urlencoded). But
 * throws `invalid-parameter` for malformed percent-encoding, since its meaning is ambiguous.
 */
export function readQueryString(text: string): readonly FilterParameter[] {
  if (text === '') return []
  const errors: InputError[] = []
  const pairs = text.split('&')
  if (pairs.length > parametersMax) {
    throw new Problem('invalid-request', `There are more than ${parametersMax} parameters.`)
  }
  const parameters = pairs
    .filter((pair) => pair !== '')
    .map((pair): FilterParameter => {
      const mark = pair.indexOf('=')
      const [name, value] = mark === -1 ? [pair, ''] : [pair.slice(0, mark), pair.slice(mark + 1)]
      const [decodedName, decoded] = [decode(name), decode(value)]
      if (decodedName === null || decoded === null) {
        const detail = 'must be percent-encoded UTF-8 (RFC 3986 section 2.1); write % as %25'
        errors.push({ parameter: decodedName ?? name, detail })
      } else if (decoded.includes('\0')) {
        const detail = 'has the character U+0000, which no text may have'
        errors.push({ parameter: decodedName, detail })
      }
      return [decodedName ?? '', decoded ?? '']
    })
  if (errors.length > 0) throw invalidParameters(errors)
  return parameters
}

/** Decodes a name or a value; null if it is not percent-encoded UTF-8. */
function decode(text: string): string | null {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    return null
  }
}

/** Rejects parameters of a write, which would otherwise be silently ignored. */
export function refuseParameters(parameters: readonly FilterParameter[], method: string): void {
  if (parameters.length === 0) return
  const detail = `is not a parameter of ${method}; use path and body`
  throw invalidParameters(parameters.map(([parameter]) => ({ parameter, detail })))
}
