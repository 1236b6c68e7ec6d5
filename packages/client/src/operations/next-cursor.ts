/**
 * The cursor in the link to the next page of a field `Link` (RFC 8288 section 3), or null. Only the
 * cursor is taken: the link repeats the whole query, and may be too long to be followed as a GET.
 */
export function nextCursor(field: string | null): string | null {
  for (const [, target = '', parameters = ''] of (field ?? '').matchAll(linkForm)) {
    if (relationsOf(parameters).includes('next')) {
      return new URLSearchParams(target.split('?').slice(1).join('?')).get('after')
    }
  }
  return null
}

/** The values of the first parameter `rel`; further ones do not count. */
function relationsOf(parameters: string): readonly string[] {
  const relation = [...parameters.matchAll(parameterForm)].find(
    ([, name]) => name?.toLowerCase() === 'rel',
  )
  return (relation?.[2] ?? relation?.[3] ?? '').toLowerCase().split(/\s+/)
}

/** A target and its parameters. A quoted text may have commas and semicolons. */
const linkForm = /<([^>]*)>((?:[^",]|"[^"]*")*)/g
const parameterForm = /;\s*([^\s=;"]+)(?:\s*=\s*(?:"([^"]*)"|([^\s;"]+)))?/g
