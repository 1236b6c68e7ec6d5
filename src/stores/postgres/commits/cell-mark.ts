const insertion = /\binsert into [^(]*\(([^)]*)\)\s*values \(([^)]*)\)/

/** Returns which parameter of a statement is the cell; null if none is. */
export function cellMarkOf(sql: string): number | null {
  const [, columns, values] = insertion.exec(sql) ?? []
  if (columns !== undefined && values !== undefined) {
    const at = columns.split(',').findIndex((column) => column.trim() === 'cell')
    return at === -1 ? null : marksIn(values.split(',').slice(0, at).join())
  }
  const at = sql.search(/\bcell = \?/)
  return at === -1 ? null : marksIn(sql.slice(0, at))
}

function marksIn(text: string): number {
  return text.split('?').length - 1
}
