import type { AccountId } from '../../../core/account.ts'
import type { DeadLetterChange } from '../../../core/ports/consumers.ts'
import { cellOf } from '../../cell.ts'
import type { SqlConnection, SqlValue } from '../connection.ts'
import { numberOf } from './notification-log.ts'

const one = 'cell = ? and account = ? and webhook = ?'
const add = `
  insert into dead_letters (cell, account, webhook, position, at) values (?, ?, ?, ?, ?)
  on conflict (cell, account, webhook, position) do nothing`
const forget = `delete from dead_letters where ${one} and position = ?`

/** Forgets all dead letters of a webhook. */
export const forgetAll = `delete from dead_letters where ${one}`

/** Records and removes notifications that a webhook's receiver refused too often. */
export async function changeDeadLetters(
  connection: SqlConnection,
  account: AccountId,
  webhookId: string,
  { added = [], removed = [] }: DeadLetterChange,
): Promise<void> {
  for (const { position, at } of added) {
    await connection.run(add, [...keyOf(account, webhookId), numberOf(position), at])
  }
  for (const position of removed) {
    await connection.run(forget, [...keyOf(account, webhookId), numberOf(position)])
  }
}

function keyOf(account: AccountId, webhookId: string): readonly SqlValue[] {
  return [cellOf(account), account, webhookId]
}
