/** The tables besides those of the collections in which rows belong to an account. */
export const ownedTables = [
  'submissions',
  'receipts',
  'log',
  'consumers',
  'set_aside',
  'answers',
  'senders',
  'credits',
  'tallies',
] as const
