/** The tables besides the log and those of collections whose rows belong to an account. */
export const ownedTables = [
  'submissions',
  'receipts',
  'consumers',
  'dead_letters',
  'senders',
  'credits',
  'counters',
] as const
