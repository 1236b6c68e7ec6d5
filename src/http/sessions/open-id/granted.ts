import type { OpenIdGrant } from '../../../core/declaration/open-id.ts'

/** Claims of an ID token. */
type Claims = Readonly<Record<string, unknown>>

/** Returns the first grant whose claim a person has; null if there is none. */
export function grantedBy(grants: readonly OpenIdGrant[], claims: Claims): OpenIdGrant | null {
  const matches = ({ claim, value }: OpenIdGrant): boolean => {
    const held = Object.hasOwn(claims, claim) ? claims[claim] : undefined
    return Array.isArray(held) ? held.includes(value) : held === value
  }
  return grants.find(matches) ?? null
}

/** Characters of a name that the audit keeps. */
const nameLengthMax = 200

/** Returns the name of a person for the audit. An address that is not verified proves nothing. */
export function personOf(claims: Claims): string {
  const { email, email_verified: isVerified, sub } = claims
  const isKnown = typeof email === 'string' && isVerified === true
  return (isKnown ? `${email} (${String(sub)})` : String(sub)).slice(0, nameLengthMax)
}
