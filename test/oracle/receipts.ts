import type {
  ExpectedReceipt,
  PartKey,
  PartOutcome,
  Receipts,
  UnmatchedReceipt,
} from '../../src/core/ports/receipts.ts'
import { compareText } from './compare.ts'
import { count, type Draft, keyOf, type ReceiptRow } from './state.ts'

/** The receipts to correlate. */
export function memoryReceipts(draft: Draft): Receipts {
  const open = (): readonly ReceiptRow[] =>
    [...draft.see('receipts').values()].filter(({ part }) => part.outcome === null)

  return {
    expect: async (part, expiresAt) => {
      const key = keyOf(part.carrier, part.carrierMessageId)
      draft.change('receipts').set(key, { part, expiresAt })
      return takeEarly(draft, part)
    },
    match: async (receipt, account) => {
      const { carrier, carrierMessageId } = receipt
      const part = draft.see('receipts').get(keyOf(carrier, carrierMessageId))?.part
      if (part !== undefined && (account ?? part.account) === part.account) return part
      return storeEarly(draft, receipt) ? 'UNMATCHED' : 'REPEATED'
    },
    settle: async ({ carrier, carrierMessageId }, outcome) =>
      settle(draft, keyOf(carrier, carrierMessageId), outcome),
    parts: async (account, messageId) =>
      [...draft.see('receipts').values()]
        .map(({ part }) => part)
        .filter((part) => part.account === account && part.messageId === messageId)
        .toSorted((a, b) => a.part - b.part || compareParts(a, b)),
    unmatched: async (limit) => Math.min([...draft.see('earlyReceipts')].length, limit),
    overdue: async (now, limit) => {
      const all = open().toSorted(
        (a, b) => a.expiresAt - b.expiresAt || compareParts(a.part, b.part),
      )
      const over = all.slice(0, limit).filter(({ expiresAt }) => expiresAt <= now)
      const parts = over.map(({ part }) => ({ ...part, early: takeEarly(draft, part) }))
      return { parts, nextAt: all[over.length]?.expiresAt ?? null }
    },
    pending: async (carrier, after, limit) =>
      open()
        .map(({ part }) => part)
        .filter((part) => part.carrier === carrier)
        .filter((part) => after === null || compareText(part.carrierMessageId, after) > 0)
        .toSorted(compareParts)
        .slice(0, limit),
  }
}

/** Returns false if a receipt with this outcome is stored already. */
function storeEarly(draft: Draft, receipt: UnmatchedReceipt): boolean {
  const { carrier, carrierMessageId, outcome } = receipt
  const isKnown = [...draft.see('earlyReceipts').values()].some(
    (early) =>
      early.carrier === carrier &&
      early.carrierMessageId === carrierMessageId &&
      early.outcome.type === outcome.type &&
      early.outcome.detail === outcome.detail,
  )
  if (!isKnown) draft.change('earlyReceipts').set(count(draft, 'earlyReceipts'), receipt)
  return !isKnown
}

function takeEarly(
  draft: Draft,
  { carrier, carrierMessageId }: PartKey,
): readonly UnmatchedReceipt[] {
  const found = [...draft.see('earlyReceipts')].filter(
    ([, early]) => early.carrier === carrier && early.carrierMessageId === carrierMessageId,
  )
  for (const [place] of found) draft.change('earlyReceipts').delete(place)
  return found.map(([, early]) => early)
}

function settle(draft: Draft, key: string, outcome: PartOutcome): void {
  const row = draft.see('receipts').get(key)
  if (row === undefined) return
  draft.change('receipts').set(key, { ...row, part: { ...row.part, outcome } })
}

/** Forgets old parts with an outcome, and old early receipts; returns how many of each. */
export function trimReceipts(draft: Draft, before: number, limit: number): readonly number[] {
  const parts = [...draft.see('receipts')]
    .filter(([, { part, expiresAt }]) => part.outcome !== null && expiresAt < before)
    .slice(0, limit)
  for (const [key] of parts) draft.change('receipts').delete(key)

  const early = [...draft.see('earlyReceipts')]
    .filter(([, { receivedAt }]) => receivedAt < before)
    .slice(0, limit)
  for (const [place] of early) draft.change('earlyReceipts').delete(place)
  return [parts.length, early.length]
}

function compareParts(a: ExpectedReceipt, b: ExpectedReceipt): number {
  return compareText(a.carrier, b.carrier) || compareText(a.carrierMessageId, b.carrierMessageId)
}
