/**
 * Returns the cursor of the next page from a field `Link` (RFC 8288 section 3), or null. The link
 * itself repeats the whole query and may be too long for a GET.
 */
export function nextCursor(field: string | null): string | null {
  for (const [, target = '', parameters = ''] of (field ?? '').matchAll(linkForm)) {
    if (relationsOf(parameters).includes('next')) {
      return new URLSearchParams(target.split('?').slice(1).join('?')).get('after')
    }
  }
  return null
}

/** Returns the values of the first parameter `rel`; later ones do not count. */
function relationsOf(parameters: string): readonly string[] {
  const relation = [...parameters.matchAll(parameterForm)].find(
    ([, name]) => name?.toLowerCase() === 'rel',
  )
  return (relation?.[2] ?? relation?.[3] ?? '').toLowerCase().split(/\s+/)
}

/** A target and its parameters. A quoted text may have commas and semicolons. */
const linkForm = /<([^>]*)>((?:[^",]|"[^"]*")*)/g
const parameterForm = /;\s*([^\s=;"]+)(?:\s*=\s*(?:"([^"]*)"|([^\s;"]+)))?/g
