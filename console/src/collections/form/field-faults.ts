import type { FieldDescription } from '../../api/field.ts'
import { countText } from '../../ui/numbers.ts'

/** What a fault says about a pattern: an expression that few people can read. */
const patternFault = /^must match (\^|\W)/

/** Returns the fault of a value or of a part of it, as it follows the field's name; null if it has none. */
export function faultAt(
  faults: ReadonlyMap<string, string>,
  pointer: string,
  field?: Pick<FieldDescription, 'description'>,
): string | null {
  const exact = faults.get(pointer)
  if (exact !== undefined) return readable(exact, field)
  const inner = [...faults].find(([place]) => place.startsWith(`${pointer}/`))
  if (inner === undefined) return null
  return `${partName(inner[0].slice(pointer.length + 1))}: ${readable(inner[1], field)}`
}

/** The description of a field says in words what its pattern asks for. */
function readable(fault: string, field: Pick<FieldDescription, 'description'> | undefined): string {
  const description = field?.description ?? ''
  if (description === '' || !patternFault.test(fault)) return fault
  return `must be as described: ${description}`
}

/** People count lines from one. */
function partName(pointer: string): string {
  return pointer
    .split('/')
    .map((part) => (/^\d+$/.test(part) ? `line ${Number(part) + 1}` : part))
    .join(', ')
}

/** Returns the heading of a refused form: `Not saved: 2 faults`. */
export function notSavedText(faultCount: number): string {
  if (faultCount === 0) return 'Not saved'
  return `Not saved: ${countText(faultCount, 'fault')}`
}
