/** The OpenID provider at which people sign in, as the operator configures it. */
export interface OpenIdProvider {
  readonly issuer: URL
  readonly clientId: string
  /** Null for a public client: PKCE alone protects the code. */
  readonly clientSecret: string | null
  /** The address at which browsers reach this service; the provider returns to it. */
  readonly url: URL
  /** The scopes to ask the provider for. */
  readonly scope: string
  /** The first one that matches decides. */
  readonly grants: readonly OpenIdGrant[]
}

/** What people with a claim may do. */
export interface OpenIdGrant {
  readonly claim: string
  /** Equals the claim, or one of its elements. */
  readonly value: string | boolean
  readonly account: string
  readonly scopes: readonly string[]
}
