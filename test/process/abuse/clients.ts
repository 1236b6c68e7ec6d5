import type { Target } from './attack.ts'

/** The account that attacks. */
export const attackerAccount = 'crowd'
const otherAccounts = ['crowd2', 'crowd3', 'crowd4']
const bystanderAccount = 'neighbour'

/** The contact that client B gets. */
export const bystanderContact = 'b'

/** The clients of a service: A, which attacks it, and B. */
export interface Clients {
  readonly target: Target
  /** Header fields of client B. */
  readonly bystander: Target['own']
}

/** Creates the accounts and keys of the clients. */
export async function createClients(
  url: string,
  admin: Target['admin'],
  size: number,
): Promise<Clients> {
  const call = async (
    method: string,
    path: string,
    headers: Target['own'],
    body: object,
  ): Promise<{ readonly secret?: string }> => {
    const given = { method, headers, body: JSON.stringify(body) }
    const response = await fetch(`${url}/v1${path}`, given)
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return JSON.parse(text)
  }
  const keyOf = async (account: string): Promise<Target['own']> => {
    await call('PUT', `/accounts/${account}`, admin, { name: account })
    const { secret } = await call('POST', '/keys', admin, { scopes: ['*'], account })
    return { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
  }
  const own = await keyOf(attackerAccount)
  const accounts = [own]
  for (const account of otherAccounts) accounts.push(await keyOf(account))
  const bystander = await keyOf(bystanderAccount)
  await call('PUT', `/contacts/${bystanderContact}`, bystander, { address: '+4915112345678' })
  const target = {
    url,
    port: Number(new URL(url).port),
    from: loopback(2),
    admin,
    own,
    accounts,
    size,
  }
  return { target, bystander }
}

/** Returns one of the loopback addresses; only Linux has more than the first. */
export function loopback(number: number): string {
  return `127.0.0.${process.platform === 'linux' ? number : 1}`
}
