/**
 * Cells that one statement over several accounts covers: all of them, or those that a distributed store keeps
 * together.
 */
export interface Slice {
  /** The condition on a column of cells. It has constants, by which a distributed store finds the place of the rows. */
  holds(column?: string): string
}

/** Every cell, where a store keeps all of them together. */
export const everyCell: readonly Slice[] = [{ holds: () => '1 = 1' }]

/** Makes the slice of some cells. */
export function sliceOf(cells: readonly number[]): Slice {
  const list = cells.join(', ')
  return { holds: (column = 'cell') => `${column} in (${list})` }
}
