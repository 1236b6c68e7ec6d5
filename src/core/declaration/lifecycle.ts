/** The states of an instance and the steps between them: a state only moves along this table. */
export interface Lifecycle<S extends string = string> {
  readonly states: readonly S[]
  readonly steps: Readonly<Record<S, readonly S[]>>
}

/** Declares states by their steps. A state without steps is final. */
export function lifecycle<S extends string>(
  steps: Readonly<Record<S, readonly NoInfer<S>[]>>,
): Lifecycle<S> {
  return { states: Object.keys(steps) as S[], steps }
}

/** Returns true if one state may follow another. A step outside the table is late. */
export function mayFollow<S extends string>(cycle: Lifecycle<S>, from: S, to: S): boolean {
  return cycle.steps[from].includes(to)
}

/** Returns true if no state follows. */
export function isFinal<S extends string>(cycle: Lifecycle<S>, state: S): boolean {
  return cycle.steps[state].length === 0
}
