import { hash } from 'node:crypto'
import type { TableDigest } from '../../../core/ports/moving.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import type { Told } from './move-rows.ts'
import type { TableMove } from './plan-move.ts'
import { readRows } from './read-rows.ts'
import { takenRow, type Taking } from './taken-row.ts'
import type { RowValues } from './store-end.ts'

/**
 * Reads every table again at both ends and compares the numbers of rows and their values. Throws
 * `StoreUnavailable` if they differ. Returns the digests by table.
 */
export async function compareEnds(
  taking: Taking,
  moves: readonly TableMove[],
  told: Told,
): Promise<ReadonlyMap<string, TableDigest>> {
  const digests = new Map<string, TableDigest>()
  for (const move of moves) {
    told(move, 0)
    const source = await digestOfSource(taking, move, told)
    const target = await digestOfTarget(taking, move)
    const { name } = move.table
    if (source.rows !== target.rows || source.digest !== target.digest) {
      throw new StoreUnavailable(
        `the table ${name} has ${source.rows} rows in ${taking.source.shown} and ${target.rows} in ` +
          `${taking.target.shown}, or they hold other things: one of them was changed since the move ` +
          'began; empty the target, and start the move again',
      )
    }
    digests.set(name, source)
  }
  return digests
}

/** Returns the digest of the rows that the target must have. */
async function digestOfSource(taking: Taking, move: TableMove, told: Told): Promise<TableDigest> {
  const sum = rowSum()
  for await (const slice of readRows(taking.source.connection, move.reading, null)) {
    for (const row of slice) sum.add(takenRow(move, row))
    told(move, slice.length)
  }
  return sum.digest()
}

async function digestOfTarget({ target }: Taking, move: TableMove): Promise<TableDigest> {
  const sum = rowSum()
  for await (const slice of readRows(target.connection, move.reading, null)) {
    for (const { values } of slice) sum.add(values)
  }
  return sum.digest()
}

/** Adds up the digests of rows, each with its number. */
function rowSum() {
  let [sum, rows] = [0n, 0]
  return {
    add: (values: RowValues): void => {
      rows += 1
      const line = JSON.stringify([rows, values])
      sum = (sum + BigInt(`0x${hash('sha256', line, 'hex')}`)) % modulus
    },
    digest: (): TableDigest => ({ rows, digest: sum.toString(16).padStart(digestLength, '0') }),
  }
}

const digestLength = 64
const modulus = 2n ** 256n
