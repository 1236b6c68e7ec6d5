/** The part of the provider that the test uses: its package has no types. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  interface Account {
    readonly accountId: string
    claims(): object
  }

  export class Provider {
    constructor(
      issuer: string,
      configuration: {
        readonly findAccount: (context: unknown, sub: string) => Account
        readonly pkce: { readonly required: () => boolean }
        readonly [name: string]: unknown
      },
    )
    callback(): RequestListener
  }
}
