import { Problem } from '../core/problem.ts'

/** The conditions of a request (RFC 9110 section 13.1), as their fields came. */
export interface Conditions {
  readonly ifMatch: string | undefined
  readonly ifNoneMatch: string | undefined
}

/**
 * Checks the conditions of a write against the stored revision; null if no instance exists. Follows
 * the order of RFC 9110 section 13.2.2. Throws `precondition-failed`.
 */
export function checkWrite(conditions: Conditions, revision: string | null): void {
  const { ifMatch, ifNoneMatch } = conditions
  if (ifMatch !== undefined && !matches(ifMatch, revision, 'strong')) {
    const found = revision === null ? 'there is no such instance' : 'it was changed since'
    throw new Problem('precondition-failed', `If-Match does not hold: ${found}.`)
  }
  if (ifNoneMatch !== undefined && matches(ifNoneMatch, revision, 'weak')) {
    throw new Problem('precondition-failed', 'If-None-Match does not hold: the instance exists.')
  }
}

/** Throws `precondition-required` (RFC 6585 section 3) for a change without a condition that must have one. */
export function requireCondition({ ifMatch }: Conditions, demanded: boolean): void {
  if (!demanded || ifMatch !== undefined) return
  throw new Problem(
    'precondition-required',
    'Send If-Match with the entity tag of the instance that you change.',
  )
}

/** Returns whether the response to a read may be 304. Throws if `If-Match` does not match. */
export function isNotModified(conditions: Conditions, revision: string): boolean {
  const { ifMatch, ifNoneMatch } = conditions
  if (ifMatch === undefined && ifNoneMatch === undefined) return false
  if (ifMatch !== undefined) checkWrite({ ifMatch, ifNoneMatch: undefined }, revision)
  return ifNoneMatch !== undefined && matches(ifNoneMatch, revision, 'weak')
}

const listForm = /^\s*(?:(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"\s*(?:,\s*|$))+$/
const tagForm = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g

function matches(field: string, revision: string | null, comparison: 'strong' | 'weak'): boolean {
  if (field.trim() === '*') return revision !== null
  if (!listForm.test(field)) {
    throw new Problem(
      'invalid-request',
      'If-Match and If-None-Match hold `*` or entity tags in quotes.',
    )
  }
  if (revision === null) return false
  const wanted = definition(revision)
  return [...field.matchAll(tagForm)].some(
    ([, weak, tag = '']) =>
      // Live fields do not contradict a write: only the definition counts.
      (comparison === 'weak' || weak === undefined) &&
      (comparison === 'weak' ? tag === revision : definition(tag) === wanted),
  )
}

/** Returns the part of a revision that depends on stored fields only, not on live ones. */
function definition(revision: string): string {
  return revision.split('.', 1)[0] ?? revision
}
