/** The parts of a service that `nuncio doctor` checks, in their order. */
export type CheckName =
  'settings' | 'store' | 'service' | 'clocks' | 'key' | 'carriers' | 'webhooks'

/** The result of a check. Only a problem fails the command. */
export interface Finding {
  readonly check: CheckName
  readonly result: 'OK' | 'WARNING' | 'PROBLEM' | 'SKIPPED'
  /** What was found, in one sentence. */
  readonly detail: string
  /** What to do; null if nothing. */
  readonly remedy: string | null
}

/** Makes a finding that needs nothing. */
export function ok(check: CheckName, detail: string): Finding {
  return { check, result: 'OK', detail, remedy: null }
}

/** Makes a finding that may be intended. */
export function warning(check: CheckName, detail: string, remedy: string): Finding {
  return { check, result: 'WARNING', detail, remedy }
}

/** Makes a finding that keeps the service from its work. */
export function problem(check: CheckName, detail: string, remedy: string | null): Finding {
  return { check, result: 'PROBLEM', detail, remedy }
}

/** Makes the finding of a check that could not run. */
export function skipped(check: CheckName, detail: string): Finding {
  return { check, result: 'SKIPPED', detail, remedy: null }
}
