import { parsers } from 'prettier/plugins/typescript'

/** A node of a syntax tree as the parser of the formatter gives it: its other properties are read by name. */
export interface Node {
  readonly type: string
  readonly range: readonly [start: number, end: number]
  readonly [property: string]: unknown
}

/** The nodes of a TypeScript source, each before those within it. Throws if it is not TypeScript. */
export function nodesOf(source: string): readonly Node[] {
  const found: Node[] = []
  // The parser reads no option but the name of the file, and no type says so.
  const tree: unknown = parsers.typescript.parse(source, { filepath: 'source.ts' } as never)
  collect(tree, found)
  return found
}

/** Whether a value is a node. */
export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'range' in value
}

/** What a node is made of besides other trees of the same source. */
const besides = ['comments', 'tokens', 'loc', 'range', 'parent']

function collect(value: unknown, found: Node[]): void {
  if (Array.isArray(value)) for (const one of value) collect(one, found)
  if (!isNode(value)) return
  found.push(value)
  for (const [name, child] of Object.entries(value)) {
    if (!besides.includes(name)) collect(child, found)
  }
}
