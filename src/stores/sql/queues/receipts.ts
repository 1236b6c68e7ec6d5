import { type AccountId, accountId } from '../../../core/account.ts'
import type { MaybePromise } from '../../../core/maybe-promise.ts'
import type { Instant } from '../../../core/ports/clock.ts'
import type {
  UnmatchedReceipt,
  ExpectedReceipt,
  OverduePart,
  PartKey,
  PartOutcome,
  Receipts,
} from '../../../core/ports/receipts.ts'
import { cellOf } from '../../cell.ts'
import type { SqlConnection, Row, SqlValue } from '../connection.ts'
import type { Dialect } from '../dialect.ts'
import { accountOfRoute, routeTrims } from './receipt-routes.ts'
import type { Session } from '../session.ts'
import type { Slice } from '../tables/slice.ts'
import { inSets } from '../fragment.ts'
import { numberIn, numberOrNullIn, textIn, textOrNullIn } from '../rows/row.ts'

/** Creates the two tables' access for the correlation of receipts: expected receipts, and early ones. */
export function sqlReceipts({ connection, slices, dialect }: Session): Receipts {
  return {
    expect: async (part, expiresAt) => {
      await connection.lockName(nameOf(part.carrier, part.carrierMessageId))
      const stored = connection.run(expect, expectParams(part, expiresAt))
      const [early] = await Promise.all([takeEarly(connection, part), stored])
      return early
    },
    match: async (receipt, account) => {
      await connection.lockName(nameOf(receipt.carrier, receipt.carrierMessageId))
      const row = await findPart(connection, dialect, receipt, account)
      if (row !== undefined) return partIn(row)
      return (await storeEarly(connection, receipt)) ? 'UNMATCHED' : 'REPEATED'
    },
    settle: async ({ carrier, carrierMessageId, account }, { type, detail }) => {
      await connection.run(settle, [type, detail, carrier, carrierMessageId, cellOf(account)])
    },
    parts: async (account, messageId) => {
      // Two that settle a part each must not both find the other's open.
      await connection.lockName(nameOf(account, messageId))
      return (await connection.all(parts, [cellOf(account), account, messageId])).map(partIn)
    },
    unmatched: async (limit) => numberIn((await connection.first(unmatched, [limit]))?.[0]),
    ...openReceipts(connection, slices),
  }
}

/** The statements that remove old receipts, each with the parameters time and limit. */
export function receiptTrims({
  slices,
  dialect,
}: Pick<Session, 'slices' | 'dialect'>): readonly string[] {
  const routes = dialect.routesReceipts ? routeTrims(slices) : []
  return [...slices.map(trimParts), trimEarly, ...routes]
}

async function findPart(
  connection: SqlConnection,
  { routesReceipts }: Dialect,
  { carrier, carrierMessageId }: UnmatchedReceipt,
  known: AccountId | null,
): Promise<Row | undefined> {
  const account =
    known ?? (routesReceipts ? await accountOfRoute(connection, carrier, carrierMessageId) : null)
  if (account !== null) {
    return connection.first(findOwn, [carrier, carrierMessageId, cellOf(account), account])
  }
  return routesReceipts ? undefined : connection.first(find, [carrier, carrierMessageId])
}

/** Stores a receipt; returns false if one with this outcome is stored already. */
async function storeEarly(
  connection: SqlConnection,
  { carrier, carrierMessageId, outcome, code, receivedAt }: UnmatchedReceipt,
): Promise<boolean> {
  const known = [carrier, carrierMessageId, outcome.type, outcome.detail]
  return (await connection.run(keep, [...known, code, receivedAt, ...known])) > 0
}

/** Removes and returns the receipts that came before their part was expected. The caller has locked its name. */
async function takeEarly(
  connection: SqlConnection,
  { carrier, carrierMessageId }: PartKey,
): Promise<readonly UnmatchedReceipt[]> {
  const rows = await connection.all(early, [carrier, carrierMessageId])
  if (rows.length > 0) await connection.run(removeEarly, [carrier, carrierMessageId])
  return rows.map(earlyIn)
}

/** Reads the parts without outcome of several accounts. */
function openReceipts(
  connection: SqlConnection,
  slices: readonly Slice[],
): Pick<Receipts, 'overdue' | 'pending'> {
  const isOne = slices.length === 1
  const rowsOf = async (ask: (slice: Slice) => MaybePromise<readonly Row[]>) =>
    (await Promise.all(slices.map(ask))).flat()
  return {
    overdue: async (now, limit) => {
      const rows = await rowsOf((slice) => connection.all(expiring(slice), [limit + 1]))
      const byTime = (a: Row, b: Row): number => numberIn(a[7]) - numberIn(b[7])
      const sorted = isOne ? rows : rows.toSorted(byTime)
      const over = sorted.slice(0, limit).filter((row) => numberIn(row[7]) <= now)
      const parts: OverduePart[] = []
      for (const part of over.map(partIn)) {
        await connection.lockName(nameOf(part.carrier, part.carrierMessageId))
        parts.push({ ...part, early: await takeEarly(connection, part) })
      }
      return { parts, nextAt: numberOrNullIn(sorted[over.length]?.[7] ?? null) }
    },
    pending: async (carrier, after, limit) => {
      const params = [carrier, after ?? '', limit]
      const rows = await rowsOf((slice) => connection.all(pending(slice), params))
      const byName = (a: Row, b: Row): number => (textIn(a[1]) < textIn(b[1]) ? -1 : 1)
      return (isOne ? rows : rows.toSorted(byName)).slice(0, limit).map(partIn)
    },
  }
}

/** Forgets all parts of a message. */
export async function forgetReceipts(
  connection: SqlConnection,
  account: AccountId,
  messageId: string,
): Promise<void> {
  await connection.run(forget, [cellOf(account), account, messageId])
}

function expectParams(part: ExpectedReceipt, expiresAt: Instant): readonly SqlValue[] {
  const { carrier, carrierMessageId, account, messageId, outcome } = part
  const settled = outcome === null ? 0 : 1
  const [type, detail] = [outcome?.type ?? null, outcome?.detail ?? null]
  return [
    carrier,
    carrierMessageId,
    account,
    messageId,
    part.part,
    type,
    detail,
    settled,
    expiresAt,
    cellOf(account),
  ]
}

/** Returns the lock name that serializes the expectation and the arrival of a receipt. */
function nameOf(place: string, id: string): readonly string[] {
  return ['receipt', place, id]
}

function partIn(row: Row): ExpectedReceipt {
  const [carrier, carrierMessageId, account, message, part, outcome, detail] = row
  return {
    account: accountId(textIn(account)),
    messageId: textIn(message),
    part: numberIn(part),
    carrier: textIn(carrier),
    carrierMessageId: textIn(carrierMessageId),
    outcome: outcome === null ? null : outcomeIn(outcome, detail),
  }
}

function earlyIn(row: Row): UnmatchedReceipt {
  const [carrier, carrierMessageId, outcome, detail, code, receivedAt] = row
  return {
    carrier: textIn(carrier),
    carrierMessageId: textIn(carrierMessageId),
    outcome:
      outcome === 'SENT' ? { type: outcome, detail: textIn(detail) } : outcomeIn(outcome, detail),
    code: textOrNullIn(code),
    receivedAt: numberIn(receivedAt),
  }
}

function outcomeIn(type: unknown, detail: unknown): PartOutcome {
  if (type !== 'DELIVERED' && type !== 'FAILED' && type !== 'UNKNOWN') {
    throw new Error(`${String(type)} is no outcome of a part`)
  }
  return { type, detail: textOrNullIn(detail) }
}

const columns = 'carrier, carrier_message_id, account, message, part, outcome, detail'
const part = 'carrier = ? and carrier_message_id = ?'

/** A carrier may use an identifier again: then the newer part has it, and is found in place of one in another cell. */
const expect = `${inSets}
  insert into receipts (${columns}, settled, expires_at, cell)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  on conflict (carrier, carrier_message_id, cell) do update set
    account = excluded.account, message = excluded.message, part = excluded.part,
    outcome = excluded.outcome, detail = excluded.detail,
    settled = excluded.settled, expires_at = excluded.expires_at`
const find = `${inSets}
  select ${columns} from receipts where ${part} order by expires_at desc limit 1`
const findOwn = `select ${columns} from receipts where ${part} and cell = ? and account = ?`
const settle = `${inSets}
  update receipts set settled = 1, outcome = ?, detail = ? where ${part} and cell = ?`
const parts = `
  select ${columns} from receipts where cell = ? and account = ? and message = ?
  order by part, carrier, carrier_message_id`
const forget = 'delete from receipts where cell = ? and account = ? and message = ?'
const expiring = (slice: Slice): string => `
  select ${columns}, expires_at from receipts where ${slice.holds()} and settled = 0
  order by expires_at, carrier, carrier_message_id limit ?`
/** Few of the parts at a carrier have no outcome: they are found by that, not by their identifiers. */
const pending = (slice: Slice): string => `
  select ${columns} from receipts
  where ${slice.holds()} and settled = 0 and carrier || '' = ? and carrier_message_id || '' > ?
  order by carrier_message_id || '' limit ?`

const earlyColumns = 'carrier, carrier_message_id, outcome, detail, code, received_at'
const keep = `
  insert into unmatched_receipts (${earlyColumns})
  select ?, ?, ?, cast(? as text), cast(? as text), cast(? as bigint)
  where not exists (select 1 from unmatched_receipts
    where ${part} and outcome = ? and detail is not distinct from cast(? as text))`
const early = `${inSets} select ${earlyColumns} from unmatched_receipts where ${part} order by row_id`
const unmatched = 'select count(*) from (select 1 from unmatched_receipts limit ?) counted'
const removeEarly = `delete from unmatched_receipts where ${part}`

const trimParts = (slice: Slice): string => `
  delete from receipts where ${slice.holds()} and (carrier, carrier_message_id, cell) in
    (select carrier, carrier_message_id, cell from receipts
      where ${slice.holds()} and settled = 1 and expires_at < ? order by expires_at limit ?)`
const trimEarly = `
  delete from unmatched_receipts where row_id in
    (select row_id from unmatched_receipts where received_at < ? order by received_at limit ?)`
