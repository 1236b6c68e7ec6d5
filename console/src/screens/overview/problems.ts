import { backlogText, isOld, type Backlog } from './backlog.ts'

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

/**
 * Returns the carriers for which messages wait too long, and the active carriers and webhooks that do
 * not work, with the service's reason.
 */
export function problemsOf(
  carriers: readonly (Stateful & Backlog)[],
  webhooks: readonly (Stateful & { readonly url: string })[],
  nowMs: number,
): readonly Problem[] {
  const found = (one: Stateful, address: string, title: string): Problem => ({
    address: `${address}/${one.id}`,
    title: one.name ?? title,
    state: one.state,
    reason: one.stateReason ?? '',
  })
  return [
    ...carriers.flatMap((one) => {
      const isFaulty = one.active && (one.state !== 'BOUND' || one.stateReason !== null)
      const isLate = isOld(one, nowMs)
      if (!isFaulty && !isLate) return []
      const problem = found(one, 'carriers', one.id)
      if (!isLate) return [problem]
      const reason = `${problem.reason} ${backlogText(one, nowMs)}.`.trim()
      return [{ ...problem, reason, ...(isFaulty ? {} : { state: 'LATE' }) }]
    }),
    ...webhooks
      .filter(({ active, state }) => active && state !== 'ACTIVE')
      .map((one) => found(one, 'webhooks', one.url)),
  ]
}
