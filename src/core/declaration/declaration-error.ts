/** One mistake in a declaration. */
export interface DeclarationFault {
  /** Path of the faulty part, such as `collections[1].fields.price.minimum`. */
  readonly path: string
  /** The fault and its remedy. */
  readonly detail: string
}

/** Declarations that cannot be served. The message lists every fault, a line each. */
export class DeclarationError extends Error {
  override readonly name = 'DeclarationError'
  readonly faults: readonly DeclarationFault[]

  /** `source` is where the declarations come from, such as the name of a file. */
  constructor(source: string, faults: readonly DeclarationFault[]) {
    super(faults.map(({ path, detail }) => `${source}: ${path}: ${detail}`).join('\n'))
    this.faults = faults
  }
}
