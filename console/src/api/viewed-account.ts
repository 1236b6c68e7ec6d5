import { readDocument, type OpenApiDocument } from './document.ts'
import { storedSession } from './session.ts'

/**
 * The account that the address names. It holds as long as the page: entering and leaving an account
 * loads the page again, so that no row of one account can appear in another.
 */
const named = new URLSearchParams(globalThis.location?.search ?? '').get('account') || null

/** Returns the account that an administrator views instead of the own one; null outside of such a view. */
export function viewedAccount(): string | null {
  const session = named === null ? null : storedSession()
  if (session === null || !session.scopes.includes('admin')) return null
  return named === session.account ? null : named
}

/** Says why nothing can be changed. */
export function viewText(account: string): string {
  return `You view the account ${account}. To change something, sign in with a key of that account.`
}

/** Returns the address of a page that shows an account; a link to it loads the page again. */
export function viewAddress(path: string, account: string): string {
  return `/console/${path}?account=${encodeURIComponent(account)}`
}

/** Sends a request. While an account is viewed, reads concern that account, and writes are refused. */
export async function accountFetch(url: string, init: RequestInit): Promise<Response> {
  const account = viewedAccount()
  if (account === null) return fetch(url, init)
  if (!isRead(init)) return refusal(account)
  const target = new URL(url, location.origin)
  if (!takesAccount(await knownDocument(), target.pathname)) return fetch(url, init)
  if (typeof init.body === 'string') {
    const parameters: object = JSON.parse(init.body)
    return fetch(url, { ...init, body: JSON.stringify({ ...parameters, account }) })
  }
  target.searchParams.set('account', account)
  return fetch(target.href, init)
}

/** A list request that is too long for an address says in a header that it reads. */
function isRead({ method, headers }: RequestInit): boolean {
  const meant = new Headers(headers).get('x-http-method-override') ?? method ?? 'GET'
  return meant === 'GET'
}

function refusal(account: string): Response {
  const problem = { title: 'Nothing was changed', status: 403, detail: viewText(account) }
  return Response.json(problem, {
    status: 403,
    headers: { 'content-type': 'application/problem+json' },
  })
}

let known: Promise<OpenApiDocument> | null = null

/** Reads the document once; after a failure, again. */
function knownDocument(): Promise<OpenApiDocument> {
  known ??= readDocument(AbortSignal.timeout(10_000)).catch((error: unknown) => {
    known = null
    throw error
  })
  return known
}

/** Returns true if a read at this path can name an account. */
export function takesAccount({ paths }: OpenApiDocument, pathname: string): boolean {
  const parts = pathname.split('/')
  const template = Object.keys(paths).find((one) => {
    const names = one.split('/')
    return (
      names.length === parts.length &&
      names.every((name, index) => name === parts[index] || name.startsWith('{'))
    )
  })
  const parameters = paths[template ?? '']?.get?.parameters ?? []
  return parameters.some(({ $ref }) => $ref === '#/components/parameters/Account')
}
