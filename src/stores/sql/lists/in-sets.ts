/**
 * Begins the text of a statement that may be run for many sets of parameters at once: it reads or
 * writes only the rows that its own parameters name, and of those that are sent together no two write
 * the same row, or it does not matter which of them comes first. Every mark of it stands for a value.
 */
export const inSets = '/* in sets */'
