import { simulatorId } from '../../../src/collections/carriers.ts'
import type { ContentDefaults } from '../../../src/gateway/messages/content.ts'

/** An operator's defaults for messages: every message goes to the simulator and costs a credit a part. */
export const contentDefaults: ContentDefaults = {
  senders: 'any',
  defaultSender: 'NUNCIO',
  nationalLanguages: [],
  costOf: async (_, { numberOfParts }) => numberOfParts,
  routeOf: () => simulatorId,
  isCarrier: async (_, id) => id === simulatorId || id === 'carrier_other',
}
