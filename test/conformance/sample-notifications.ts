import type { LogFilter, NewNotification } from '../../src/core/ports/notification-log.ts'

/** A notification of a sent message that was delivered, unless something else is said. */
export function aNotification(
  messageId: string,
  parts: Partial<NewNotification> = {},
): NewNotification {
  return {
    type: 'SENT',
    status: 'DELIVERED',
    messageId,
    at: 0,
    record: `{"id":"${messageId}"}`,
    ...parts,
  }
}

/** Wants every notification there is in these tests. */
export const everything: LogFilter = {
  types: ['SENT', 'RECEIVED', 'OTHER'],
  statuses: ['ACCEPTED', 'SENT', 'DELIVERED', 'FAILED'],
}
