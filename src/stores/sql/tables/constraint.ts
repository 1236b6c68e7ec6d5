/** When an instance breaks a demand, by the value that it has at a place. */
export type Violation =
  /** It has a value there. */
  | { readonly is: 'value' }
  /** It has null there, in an object that it has. */
  | { readonly is: 'null' }
  /** It has another value there than these. */
  | { readonly is: 'other'; readonly than: readonly string[] }
  /** It is there at all, with the object around the place. */
  | { readonly is: 'instance' }
  /** It belongs to an account other than the administrator's own. */
  | { readonly is: 'elsewhere' }

/** What no instance may break, if a change of a declaration is to lose nothing. */
export interface Constraint {
  /** Where the declaration says so, such as `fields.price`. */
  readonly path: string
  /** The names that lead to the value, in the text that is served or in the one beside it. */
  readonly names: readonly string[]
  readonly source: 'doc' | 'hidden'
  readonly breach: Violation
  /** What is wrong where some break it, `…` standing for how many, and what to do. */
  readonly detail: string
}

/** Why a change may lose something: when it does, and what to say then. */
export const reasons = {
  removed: {
    breach: { is: 'value' },
    detail:
      'is declared no more, and … a value for it. Declare it again, or drop the values: add its name to ' +
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
    detail: 'may be null no more, and … null. Give them a value first, or add nullable: true.',
  },
  required: {
    breach: { is: 'instance' },
    detail:
      'is new, and … none. Add a default, which those that are there get, or nullable: true. With ' +
      'required: true new ones must give it all the same.',
  },
  owner: {
    breach: { is: 'elsewhere' },
    detail:
      'is true now, and … an account that would not see them any more. Delete them first, or leave ' +
      'it out.',
  },
} as const satisfies Record<string, Pick<Constraint, 'breach' | 'detail'>>
