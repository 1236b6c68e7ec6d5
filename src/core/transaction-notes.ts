import type { Store, Transaction } from './ports/store.ts'

/** Notes about transactions, told when a transaction has ended. Few transactions have any. */
export interface TransactionNotes<Note> {
  note(transaction: Transaction, note: Note): void
  /** Returns a store whose transactions with notes are told when they have ended. */
  observing(store: Store, ended: (notes: readonly Note[], isCommitted: boolean) => void): Store
}

/** Makes notes of one kind. */
export function transactionNotes<Note>(): TransactionNotes<Note> {
  const noted = new WeakMap<Transaction, Note[]>()
  return {
    note: (transaction, note) => {
      const known = noted.get(transaction)
      if (known === undefined) noted.set(transaction, [note])
      else known.push(note)
    },
    observing: (store, ended) => ({
      ...store,
      transact: (work, ...how) => {
        let run: Transaction | null = null
        const ran = store.transact(
          (transaction) => {
            // A second run of the transaction begins anew: the first one was rolled back.
            run = transaction
            return work(transaction)
          },
          ...how,
        )
        const tell = (isCommitted: boolean): void => {
          const notes = run === null ? undefined : noted.get(run)
          if (notes !== undefined) ended(notes, isCommitted)
        }
        ran.then(
          () => tell(true),
          () => tell(false),
        )
        return ran
      },
    }),
  }
}
