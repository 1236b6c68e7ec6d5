import { Problem } from '../../core/problem.ts'
import type { RuleContext } from '../../core/declaration/rules.ts'
import type { ProposedMessage } from '../../collections/messages.ts'
import { findNumber, type KnownNumber } from '../../collections/numbers.ts'
import type { ContentDefaults } from './content.ts'

/**
 * Returns the number that a message is sent from; null if its sender is not a number, or the
 * message is received.
 */
export async function senderNumber(
  { type, from }: Pick<ProposedMessage, 'type' | 'from'>,
  { transaction }: RuleContext,
  { defaultSender }: ContentDefaults,
): Promise<KnownNumber | null> {
  return type === 'SENT' ? findNumber(transaction.everywhere, from || defaultSender) : null
}

/**
 * Throws `forbidden` for a number of another account. If only numbers may be senders, throws it for other
 * senders too. The default sender is not exempt if it is another account's number.
 */
export function refuseForeignNumber(
  number: KnownNumber | null,
  { type, from }: Pick<ProposedMessage, 'type' | 'from'>,
  { writer }: Pick<RuleContext, 'writer'>,
  { senders, defaultSender }: ContentDefaults,
): void {
  if (number?.account === writer.account) return
  const isOpen = senders === 'any' || type !== 'SENT' || (from || defaultSender) === defaultSender
  if (number === null && isOpen) return
  const detail =
    number === null
      ? 'must be a number of the account: only registered senders are allowed'
      : 'is the number of another account: use another sender'
  throw new Problem('forbidden', `/from ${detail}.`, { errors: [{ pointer: '/from', detail }] })
}

/** Returns the defaults of messages from a number: its carrier precedes the operator's. */
export function defaultsFrom(
  number: KnownNumber | null,
  defaults: ContentDefaults,
): ContentDefaults {
  const carrier = number?.carrier ?? null
  return carrier === null ? defaults : { ...defaults, routeOf: () => carrier }
}
