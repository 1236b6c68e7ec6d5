import { type AccountId, accountId } from '../../../core/account.ts'
import type { RoutedPart } from '../../../core/ports/receipts.ts'
import { cellOf } from '../../cell.ts'
import type { SqlConnection } from '../connection.ts'
import { inSets } from '../fragment.ts'
import { textIn } from '../rows/row.ts'
import type { Slice } from '../tables/slice.ts'

/**
 * The directory of parts in a distributed store: a receipt names carrier and identifier alone, and the row that is
 * led by the hash of both names the account. Its server may be another than that of the account.
 */
export function routeCell({
  carrier,
  carrierMessageId,
}: Pick<RoutedPart, 'carrier' | 'carrierMessageId'>): number {
  return cellOf(`${carrier} ${carrierMessageId}`)
}

/**
 * Writes the route of a part; if its server is unavailable (`isStray`), into a table outside the directory.
 */
export async function writeRoute(
  connection: SqlConnection,
  part: RoutedPart,
  isStray: boolean,
): Promise<void> {
  const { carrier, carrierMessageId, account, expiresAt } = part
  const row = [routeCell(part), carrier, carrierMessageId, account, expiresAt]
  await connection.run(isStray ? insert('stray_routes') : insert('receipt_routes'), row)
}

/** Returns whose part has an identifier; null if the directory does not know it. */
export async function accountOfRoute(
  connection: SqlConnection,
  carrier: string,
  carrierMessageId: string,
): Promise<AccountId | null> {
  const key = [routeCell({ carrier, carrierMessageId }), carrier, carrierMessageId]
  const row =
    (await connection.first(find('stray_routes'), key)) ??
    (await connection.first(find('receipt_routes'), key))
  return row === undefined ? null : accountId(textIn(row[0]))
}

/** The statements that forget routes of parts whose receipts were due before a time. */
export function routeTrims(slices: readonly Slice[]): readonly string[] {
  const ofSlices = slices.map((slice) => trim('receipt_routes', slice.holds()))
  return [...ofSlices, trim('stray_routes', '1 = 1')]
}

const insert = (table: string): string => `${inSets}
  insert into ${table} (cell, carrier, carrier_message_id, account, expires_at) values (?, ?, ?, ?, ?)
  on conflict (cell, carrier, carrier_message_id) do update set
    account = excluded.account, expires_at = excluded.expires_at`
const find = (table: string): string =>
  `${inSets} select account from ${table} where cell = ? and carrier = ? and carrier_message_id = ?`
const trim = (table: string, holds: string): string => `
  delete from ${table} where ${holds} and (cell, carrier, carrier_message_id) in
    (select cell, carrier, carrier_message_id from ${table}
      where ${holds} and expires_at < ? order by expires_at limit ?)`
