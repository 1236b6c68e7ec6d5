import type { PeerAccount } from '../../core/ports/carrier.ts'
import type { InputError } from '../../core/problem.ts'
import type { SmppSettings } from './settings.ts'

/** Returns the faults of settings that their fields cannot express; pointers start below `settings`. */
export function settingFaults({ bind }: SmppSettings, hasRoutes: boolean): readonly InputError[] {
  if (bind !== 'RECEIVER' || !hasRoutes) return []
  const detail = 'must not be RECEIVER for a carrier with routes: it cannot send. Remove the routes'
  return [{ pointer: '/bind', detail }]
}

/**
 * Returns the account at the SMSC. An SMSC sends the receipts of a `system_id` over any of its binds,
 * so two carriers could not match them.
 */
export function peerAccount({ host, port, systemId }: SmppSettings): PeerAccount {
  return { key: JSON.stringify([host.toLowerCase(), port, systemId]), field: 'systemId' }
}
