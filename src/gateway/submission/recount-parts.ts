import type { AccountId } from '../../core/account.ts'
import type { NewId } from '../../core/id.ts'
import type { Instant } from '../../core/ports/clock.ts'
import type { Transaction } from '../../core/ports/store.ts'
import { Problem } from '../../core/problem.ts'
import type { Message } from '../../collections/messages.ts'
import { reserveAgain } from '../credits/credits.ts'
import { partsOf, type ContentDefaults } from '../messages/content.ts'

/** The defaults that decide the number and the cost of parts. */
export type PartPricing = Pick<ContentDefaults, 'nationalLanguages' | 'schemeOf' | 'costOf'>

/** The context of a recount. */
export interface RecountContext {
  readonly pricing: PartPricing
  readonly transaction: Transaction
  readonly account: AccountId
  readonly newId: NewId
  readonly at: Instant
}

/**
 * Counts the parts of a message for its present carrier, which may have changed since it was accepted.
 * A larger number replaces the one before, with its cost. Returns null if the credits do not suffice.
 */
export async function recountParts(
  message: Message,
  { pricing, transaction, account, newId, at }: RecountContext,
): Promise<Message | null> {
  const numberOfParts = partsOf(message, pricing)
  if (numberOfParts <= message.numberOfParts) return message
  const creditCost = await pricing.costOf(transaction, { ...message, account, numberOfParts })
  const recounted = { ...message, numberOfParts, creditCost }
  if (creditCost === message.creditCost) return recounted
  try {
    await reserveAgain(recounted, { transaction, account, newId, at })
  } catch (error) {
    if (error instanceof Problem && error.problem === 'insufficient-credits') return null
    throw error
  }
  return recounted
}
