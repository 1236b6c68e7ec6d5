import { deliveries } from '../../../src/collections/deliveries.ts'
import { replays } from '../../../src/collections/replays.ts'
import { webhooks } from '../../../src/collections/webhooks.ts'
import type { Store } from '../../../src/core/ports/store.ts'
import { openStore, type StoreKind } from '../../gateway/support/stores.ts'
import { World } from './world.ts'

/** Opens an empty store of what deliveries need. */
export function openDeliveryStore(kind: StoreKind): Promise<Store> {
  return openStore(kind, [webhooks, deliveries, replays])
}

/** A world over an empty store of this kind. */
export async function worldOver(
  t: { after(end: () => Promise<void>): void },
  kind: StoreKind,
): Promise<World> {
  return new World(t, { store: await openDeliveryStore(kind) })
}
