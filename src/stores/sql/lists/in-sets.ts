/**
 * Begins the text of a statement that may run for many sets of parameters together. It reads or writes
 * only the rows that its parameters name. No two statements of one round trip write the same row, or their
 * order has no effect. Every mark is a value.
 */
export const inSets = '/* in sets */'
