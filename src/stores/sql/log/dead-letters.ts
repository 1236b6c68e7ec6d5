import type { AccountId } from '../../../core/account.ts'
import type { Consumers } from '../../../core/ports/consumers.ts'
import { cellOf } from '../../cell.ts'
import type { SqlValue } from '../connection.ts'
import { numberOf } from './notification-log.ts'
import type { Session } from '../session.ts'

const one = 'cell = ? and account = ? and webhook = ?'
const add = `
  insert into dead_letters (cell, account, webhook, position, at) values (?, ?, ?, ?, ?)
  on conflict (cell, account, webhook, position) do nothing`
const forget = `delete from dead_letters where ${one} and position = ?`

/** Forgets all dead letters of a webhook. */
export const forgetAll = `delete from dead_letters where ${one}`

/** The notifications that webhooks refused too often. */
export function sqlDeadLetters({
  connection,
}: Session): Pick<Consumers, 'addDeadLetters' | 'removeDeadLetters'> {
  return {
    addDeadLetters: async (account, webhookId, entries) => {
      for (const { position, at } of entries) {
        await connection.run(add, [...keyOf(account, webhookId), numberOf(position), at])
      }
    },
    removeDeadLetters: async (account, webhookId, positions) => {
      for (const position of positions) {
        await connection.run(forget, [...keyOf(account, webhookId), numberOf(position)])
      }
    },
  }
}

function keyOf(account: AccountId, webhookId: string): readonly SqlValue[] {
  return [cellOf(account), account, webhookId]
}
