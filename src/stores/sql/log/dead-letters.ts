import type { Consumers } from '../../../core/ports/consumers.ts'
import type { Session } from '../session.ts'

const one = 'account = ? and webhook = ?'
const setAside = `
  insert into set_aside (account, webhook, position, at) values (?, ?, ?, ?)
  on conflict (account, webhook, position) do nothing`
const forget = `delete from set_aside where ${one} and position = ?`

/** Forgets all that was set aside for a webhook. */
export const forgetAll = `delete from set_aside where ${one}`

/** What was set aside for webhooks. */
export function sqlSetAside({
  connection,
  dialect,
}: Session): Pick<Consumers, 'addDeadLetters' | 'removeDeadLetters'> {
  return {
    addDeadLetters: async (account, webhookId, entries) => {
      for (const { position, at } of entries) {
        const place = dialect.position.toSql(position)
        await connection.run(setAside, [account, webhookId, place, at])
      }
    },
    removeDeadLetters: async (account, webhookId, positions) => {
      for (const position of positions) {
        await connection.run(forget, [account, webhookId, dialect.position.toSql(position)])
      }
    },
  }
}
