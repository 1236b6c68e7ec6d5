import type { AccountId } from '../core/account.ts'
import { Problem } from '../core/problem.ts'

/**
 * Builds a page for an account: immediately or in a later turn of the event loop if it is small, in turn if it is
 * large. Throws `unavailable` if too many pages of the account are waiting, and what `checkRoom` throws.
 */
export type MakePage = <T>(
  account: AccountId,
  instances: number,
  make: () => Promise<T>,
) => Promise<T>

/** Largest page, in instances, that is not built in turn. */
const usualInstances = 100
/** Such pages of one account that are built in one turn of the event loop. */
const usualPerTurn = 8
/** Maximum of concurrent large pages: on a network store each waits for its database. */
const togetherMax = 4
/** Concurrent large pages of one account. */
const togetherPerAccount = 2
/** Large pages of one account that wait; and usual ones. */
const waitingMax = 1000
/**
 * Turns of the event loop before each large page. An idle turn takes microseconds and accepts one
 * connection.
 */
const turnsBetween = 64

interface Queue {
  together: number
  readonly waiting: (() => void)[]
}

/**
 * Spreads large pages over turns of the event loop. Otherwise hundreds of concurrent requests would
 * block all other clients for half a minute, and new connections would wait for all of them. Accounts have
 * their turns one after the other. `checkRoom` throws if the account has no room for a page: it would be
 * built in vain.
 */
export function largePages(checkRoom: (account: AccountId) => void = () => {}): MakePage {
  // An account that had its turn goes to the end.
  const queues = new Map<AccountId, Queue>()
  let together = 0
  let isDue = false

  const beginNext = (): void => {
    if (isDue || together === togetherMax || next(queues) === undefined) return
    isDue = true
    afterTurns(turnsBetween, () => {
      isDue = false
      const [account, queue] = next(queues) ?? []
      if (account === undefined || queue === undefined) return
      queues.delete(account)
      queues.set(account, queue)
      together += 1
      queue.together += 1
      queue.waiting.shift()?.()
      beginNext()
    })
  }
  const inTurn = async <T>(account: AccountId, make: () => Promise<T>): Promise<T> => {
    const queue = queues.get(account) ?? { together: 0, waiting: [] }
    if (queue.waiting.length >= waitingMax) throw tooMany()
    queues.set(account, queue)
    await new Promise<void>((resolve) => {
      queue.waiting.push(resolve)
      beginNext()
    })
    try {
      checkRoom(account)
      return await make()
    } finally {
      together -= 1
      queue.together -= 1
      if (queue.together === 0 && queue.waiting.length === 0) queues.delete(account)
      beginNext()
    }
  }
  const withinTurn = perTurn()
  return async (account, instances, make) => {
    if (instances > usualInstances) return inTurn(account, make)
    await withinTurn(account)
    checkRoom(account)
    return make()
  }
}

/** Returns a function that resolves when an account may build a usual page: immediately, or in a later turn. */
function perTurn(): (account: AccountId) => Promise<void> | undefined {
  const accounts = new Map<AccountId, { left: number; readonly waiting: (() => void)[] }>()
  const renew = (): void => {
    for (const [account, turn] of accounts) {
      const begun = turn.waiting.splice(0, usualPerTurn)
      turn.left = usualPerTurn - begun.length
      if (begun.length === 0) accounts.delete(account)
      for (const begin of begun) begin()
    }
    if (accounts.size > 0) setImmediate(renew)
  }
  return (account) => {
    const known = accounts.get(account)
    if (known === undefined) {
      if (accounts.size === 0) setImmediate(renew)
      accounts.set(account, { left: usualPerTurn - 1, waiting: [] })
      return undefined
    }
    if (known.left > 0) {
      known.left -= 1
      return undefined
    }
    if (known.waiting.length >= waitingMax) throw tooMany()
    return new Promise((resolve) => known.waiting.push(resolve))
  }
}

/** Returns the first account that may begin a page. */
function next(queues: ReadonlyMap<AccountId, Queue>): readonly [AccountId, Queue] | undefined {
  for (const entry of queues) {
    const [, { together, waiting }] = entry
    if (waiting.length > 0 && together < togetherPerAccount) return entry
  }
  return undefined
}

function afterTurns(turns: number, then: () => void): void {
  if (turns === 0) then()
  else setImmediate(afterTurns, turns - 1, then)
}

function tooMany(): Problem {
  const detail = `${waitingMax} pages of the account are waiting. Ask for smaller ones, or try again.`
  return new Problem('unavailable', detail, { headers: { 'retry-after': '1' } })
}
