import { type AccountId, accountId } from '../../../core/account.ts'
import { type Collection, qualifiedName } from '../../../core/declaration/collection.ts'
import { cellOf } from '../../cell.ts'
import { removeConsumer } from '../log/consumers.ts'
import { endOfLog, keepHead, numberOf } from '../log/notification-log.ts'
import { forgetReceipts } from '../queues/receipts.ts'
import { dropSubmission } from '../queues/submissions.ts'
import { ownedTables } from '../tables/fixed-tables.ts'
import { isMessages } from '../tables/table.ts'
import type { Work } from '../work.ts'

/** Removes what belongs to an instance that is about to be removed, and is not nested in it. */
export async function removeBelongings(
  work: Work,
  account: AccountId,
  collection: Collection,
  id: string,
): Promise<void> {
  const name = qualifiedName(collection)
  if (isMessages(collection)) {
    await dropSubmission(work.connection, account, id)
    await forgetReceipts(work.connection, account, id)
  }
  if (name === 'webhooks') await removeConsumer(work.connection, account, id)
  if (name === 'accounts') await erase(work, accountId(id))
}

/** Removes all rows of an account. */
async function erase(
  { connection, catalogue, dialect, effects, known }: Work,
  account: AccountId,
): Promise<void> {
  known.clear()
  const owner = [cellOf(account), account]
  for (const { sql, qualifiedName } of catalogue.tables) {
    const gone = await connection.run(`delete from ${sql} where ${ofAccount}`, owner)
    if (gone > 0) effects.changed.add(qualifiedName)
  }
  for (const table of catalogue.undeclared) {
    await connection.run(`delete from ${table} where ${ofAccount}`, owner)
  }
  for (const table of ownedTables) {
    await connection.run(`delete from ${table} where ${ofAccount}`, owner)
  }
  // A directory is led by what it is read by.
  await connection.run('delete from senders where account = ?', [account])
  // The numbers of the log never come twice.
  const end = await endOfLog(connection, dialect, account)
  await connection.run(keepHead, [...owner, numberOf(end)])
  await connection.run(`delete from log where ${ofAccount}`, owner)
}

const ofAccount = 'cell = ? and account = ?'
