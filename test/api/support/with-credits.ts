import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { builtIn } from '../../../src/collections/built-in.ts'
import type { Config } from '../../../src/config/config.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { openPostgres } from '../../support/postgres/open-store.ts'
import { startOver } from './over-stores.ts'

/** The stores that credits are counted in. */
export const creditStores = ['memory', 'sqlite', 'PostgreSQL'] as const

/** An account of the service whose credits are counted. */
export interface Shop {
  readonly api: TestApi
  /** What its own key sends along. */
  readonly as: { readonly key: string }
  balance(): Promise<number | null>
  /** The amounts and kinds of its movements, the oldest first. */
  ledger(): Promise<readonly string[]>
  /** Throws unless the sum of the ledger is the balance, and that is not below none. */
  check(): Promise<void>
}

/** Starts the service with an account that has so many credits; with null they are not counted. */
export async function startShop(
  t: TestContext,
  kind: (typeof creditStores)[number],
  creditBalance: number | null,
  config: Partial<Config> = {},
): Promise<Shop> {
  const api =
    kind === 'PostgreSQL'
      ? await startApi(t, { config, store: await openPostgres(builtIn) })
      : await startOver(t, kind, config)
  const key = await api.newAccount('shop')
  await api.patch('/v1/accounts/shop', { creditBalance })
  return shopOf(api, key)
}

/** The account `shop` of a service. */
export function shopOf(api: TestApi, key: string): Shop {
  const movements = async (): Promise<readonly Movement[]> => {
    const { json, status } = await api.get('/v1/accounts/shop/creditMovements?pageSize=1000')
    assert.equal(status, 200)
    return json.toReversed()
  }
  const balance = async (): Promise<number | null> =>
    (await api.get('/v1/accounts/shop')).json.creditBalance
  return {
    api,
    as: { key },
    balance,
    ledger: async () => (await movements()).map(({ kind, amount }) => `${kind} ${amount}`),
    check: async () => {
      const left = await balance()
      const sum = (await movements()).reduce((micros, { amount }) => micros + amount * 1e6, 0)
      assert.ok(left === null || left >= 0, `the balance is ${left}`)
      assert.equal(Math.round(sum) / 1e6, left ?? 0)
    },
  }
}

interface Movement {
  readonly kind: string
  readonly amount: number
}
