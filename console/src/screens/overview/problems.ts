/** A problem that somebody should look at. */
export interface Problem {
  /** The address below the console. */
  readonly address: string
  readonly title: string
  readonly state: string
  readonly reason: string
}

interface Stateful {
  readonly id: string
  readonly name: string | null
  readonly active: boolean
  readonly state: string
  readonly stateReason: string | null
}

/** Returns the active carriers and webhooks that do not work, with the service's reason. */
export function problemsOf(
  carriers: readonly Stateful[],
  webhooks: readonly (Stateful & { readonly url: string })[],
): readonly Problem[] {
  const found = (one: Stateful, address: string, title: string): Problem => ({
    address: `${address}/${one.id}`,
    title: one.name ?? title,
    state: one.state,
    reason: one.stateReason ?? '',
  })
  return [
    ...carriers
      .filter(({ active, state, stateReason }) => active && (state !== 'BOUND' || stateReason))
      .map((one) => found(one, 'carriers', one.id)),
    ...webhooks
      .filter(({ active, state }) => active && state !== 'ACTIVE')
      .map((one) => found(one, 'webhooks', one.url)),
  ]
}
