import type { Row } from '../sql/connection.ts'
import type { RowKey } from '../sql/rows/row-key.ts'
import type { KnownRows } from '../sql/work.ts'

/** So many rows are remembered: those of the messages that are on their way at five thousand a second. */
const slotCount = 2048
const slotMask = slotCount - 1

/** A row with more characters is not remembered: all together take 16 MB at most, 32 where they are not Latin. */
const charactersMax = 8192

interface Slot {
  readonly place: RowKey
  readonly row: Row
}

/**
 * Remembers the rows that were read or written last, since a message is changed twice within a fraction
 * of a second after it was made, and what changes it reads it first. This process alone writes its
 * file, and one transaction at a time: what it wrote last is what stands there. Where that is undone
 * it must be forgotten. Each row has one slot, by its identifier; whichever comes next takes it. A `Map`
 * by texts would cost as much as it saves: V8 keeps a table of all texts that were keys.
 */
export function recentRows(): KnownRows {
  const slots: (Slot | undefined)[] = Array.from({ length: slotCount })
  // Most that is asked for is not there: its hash says so, and nothing is fetched from memory for it.
  const hashes = new Int32Array(slotCount)
  return {
    get: (place) => {
      const hash = hashOf(place)
      if (hashes[hash & slotMask] !== hash) return undefined
      const slot = slots[hash & slotMask]
      return slot !== undefined && isSame(slot.place, place) ? slot.row : undefined
    },
    set: (place, row) => {
      const hash = hashOf(place)
      const isKept = row !== null && isSmall(row)
      hashes[hash & slotMask] = hash
      slots[hash & slotMask] = isKept ? { place, row } : undefined
    },
    delete: (place) => {
      slots[hashOf(place) & slotMask] = undefined
    },
    clear: () => void slots.fill(undefined),
  }
}

/** Identifiers differ in their last characters. */
function hashOf({ key: { id } }: RowKey): number {
  let hash = 0
  for (let index = Math.max(0, id.length - 8); index < id.length; index += 1) {
    hash = (Math.imul(hash, 31) + id.charCodeAt(index)) | 0
  }
  return hash
}

function isSame(a: RowKey, b: RowKey): boolean {
  return (
    a.key.id === b.key.id &&
    a.account === b.account &&
    a.table.name === b.table.name &&
    (!a.table.nested || a.key.parent === b.key.parent)
  )
}

function isSmall(row: Row): boolean {
  let sum = 0
  for (const value of row) if (typeof value === 'string') sum += value.length
  return sum <= charactersMax
}
