import type { Store, Transaction } from '../../src/core/ports/store.ts'

/** More microtasks than it takes for the next statement of a work, or its end, to follow one. */
const microtasks = 12

/** A statement that has not returned. */
interface Running {
  readonly name: string
  readonly returned: PromiseWithResolvers<void>
}

/**
 * Wraps a store so that a transaction fails if its work ends before a statement of it. A store in this
 * process answers synchronously: it would hide an `await` that is missing. Others might commit without
 * the statement, or run it in another order.
 */
export function awaitingStore(store: Store): Store {
  return {
    ...store,
    transact: (work, pace, shard) =>
      store.transact(
        async (transaction) => {
          const running: Running[] = []
          const result = await work(tracked(transaction, running))
          const names = running.map(({ name }) => name)
          if (names.length > 0) throw new Error(`the work does not await ${names.join(', ')}`)
          return result
        },
        pace,
        shard,
      ),
  }
}

function tracked(transaction: Transaction, running: Running[]): Transaction {
  const wrapped = <T extends object>(part: T): T => wrap(part, running)
  return {
    in: (account) => wrapped(transaction.in(account)),
    get everywhere() {
      return wrapped(transaction.everywhere)
    },
    submissions: wrapped(transaction.submissions),
    receipts: wrapped(transaction.receipts),
    consumers: wrapped(transaction.consumers),
    leases: wrapped(transaction.leases),
    recall: (submissionId) => transaction.recall(submissionId),
  }
}

function wrap<T extends object>(part: T, running: Running[]): T {
  return new Proxy(part, {
    get: (target, name) => {
      const found: unknown = Reflect.get(target, name, target)
      if (typeof found !== 'function') return found
      return (...args: readonly unknown[]): Promise<unknown> =>
        returnsLast(String(name), () => Reflect.apply(found, target, args), running)
    },
  })
}

/** Starts a statement now, and returns after all that start before it returns. */
async function returnsLast<T>(
  name: string,
  start: () => T | Promise<T>,
  running: Running[],
): Promise<T> {
  const statement = { name, returned: Promise.withResolvers<void>() }
  running.push(statement)
  try {
    const result = await start()
    for (let quiet = 0; quiet < microtasks;) {
      const youngest = running.at(-1)
      quiet = youngest === statement ? quiet + 1 : 0
      await (youngest === statement ? null : youngest?.returned.promise)
    }
    return result
  } finally {
    running.splice(running.indexOf(statement), 1)
    statement.returned.resolve()
  }
}
