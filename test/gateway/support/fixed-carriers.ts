import { standardScheme } from '../../../src/core/part-scheme.ts'
import type { Carrier } from '../../../src/core/ports/carrier.ts'
import type { Store } from '../../../src/core/ports/store.ts'
import type { CarrierLimits, OpenCarrier } from '../../../src/gateway/carriers/carriers.ts'
import type { GatewayOptions } from '../../../src/gateway/gateway.ts'
import { pendingParts } from '../../../src/gateway/reports/receipt.ts'

/** What a test says of a carrier besides what it does. */
export type Given = Partial<Pick<OpenCarrier, 'routes' | 'downLimitMs' | 'partScheme'>> & {
  readonly limits?: Partial<CarrierLimits>
}

/** These carriers, open for as long as the test lasts. */
export function fixedCarriers(
  store: Store,
  carriers: readonly Carrier[],
  given: Readonly<Record<string, Given>> = {},
): GatewayOptions['carriers'] {
  const byId = new Map(carriers.map((carrier) => [carrier.id, carrier]))
  return {
    open: () =>
      carriers.map((carrier) => ({
        routes: [],
        downLimitMs: 30_000,
        partScheme: standardScheme,
        ...given[carrier.id],
        id: carrier.id,
        limits: { inFlight: 1000, partsPerSecond: null, ...given[carrier.id]?.limits },
        condition: () => carrier.condition(),
      })),
    acquire: (id) => {
      const carrier = byId.get(id)
      return carrier === undefined ? null : { carrier, release: () => {} }
    },
    onChange: () => () => {},
    async start(report) {
      for (const carrier of carriers) {
        await carrier.start(report, () => pendingParts(store, carrier.id))
      }
    },
  }
}
