/** Condition on the value at a place under which an instance violates a constraint. */
export type Violation =
  /** It has a value there. */
  | { readonly is: 'value' }
  /** It has null there, in an object that it has. */
  | { readonly is: 'null' }
  /** It has another value there than these. */
  | { readonly is: 'other'; readonly than: readonly string[] }
  /** The instance exists, with the object around the place. */
  | { readonly is: 'instance' }
  /** It belongs to an account other than the administrator's own. */
  | { readonly is: 'elsewhere' }

/** A condition that all instances must meet, so that a changed declaration loses nothing. */
export interface Constraint {
  /** Path of the declaration, such as `fields.price`. */
  readonly path: string
  /** The names that lead to the value, in the served text or in the hidden one. */
  readonly names: readonly string[]
  readonly source: 'doc' | 'hidden'
  readonly breach: Violation
  /** The fault and its remedy. `…` is replaced by the number of violating instances. */
  readonly detail: string
}

/** Reasons why a change may lose data: the violation, and its message. */
export const reasons = {
  removed: {
    breach: { is: 'value' },
    detail:
      'is no longer declared, and … a value for it. Declare it again, or drop the values: add its name to ' +
      'removedFields.',
  },
  kind: {
    breach: { is: 'value' },
    detail:
      'is declared as another kind, and … a value of the old one. Declare it under a new name, copy ' +
      'the values, then add the old name to removedFields.',
  },
  hidden: {
    breach: { is: 'value' },
    detail:
      'was shown and is writeOnly now, or the other way round, and … a value for it. Declare it under ' +
      'a new name, then add the old one to removedFields.',
  },
  nullable: {
    breach: { is: 'null' },
    detail: 'is no longer nullable, and … null. Give them a value first, or add nullable: true.',
  },
  required: {
    breach: { is: 'instance' },
    detail:
      'is new, and … none. Add a default for existing instances, or nullable: true. ' +
      'With required: true new instances must still set it.',
  },
  owner: {
    breach: { is: 'elsewhere' },
    detail:
      'is true now, and … an account that would no longer see them. Delete them first, or leave ' +
      'it out.',
  },
} as const satisfies Record<string, Pick<Constraint, 'breach' | 'detail'>>
