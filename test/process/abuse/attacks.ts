import type { Attack } from './attack.ts'
import { accountStreams } from './attacks/connections/account-streams.ts'
import { bodies } from './attacks/connections/bodies.ts'
import { byteChunks } from './attacks/connections/byte-chunks.ts'
import { costlyBodies } from './attacks/costly-bodies.ts'
import { deepPages } from './attacks/deep-pages.ts'
import { drippingReceivers } from './attacks/dripping-receivers.ts'
import { floodingSmsc } from './attacks/flooding-smsc.ts'
import { fourAccounts } from './attacks/four-accounts.ts'
import { headerFloods } from './attacks/connections/header-floods.ts'
import { heldBodies } from './attacks/connections/held-bodies.ts'
import { idempotencyKeys } from './attacks/idempotency-keys.ts'
import { idleConnections } from './attacks/connections/idle-connections.ts'
import { innerWebhooks } from './attacks/inner-webhooks.ts'
import { largePages } from './attacks/large-pages.ts'
import { longRecords } from './attacks/connections/long-records.ts'
import { longQuery } from './attacks/long-query.ts'
import { manyStars } from './attacks/many-stars.ts'
import { manyWebhooks } from './attacks/many-webhooks.ts'
import { pipelining } from './attacks/connections/pipelining.ts'
import { queries } from './attacks/queries.ts'
import { slowConnections } from './attacks/connections/slow-connections.ts'
import { sorts } from './attacks/sorts.ts'
import { smallRequests } from './attacks/connections/small-requests.ts'
import { unreadPages } from './attacks/connections/unread-pages.ts'
import { unreadStreams } from './attacks/connections/unread-streams.ts'
import { writers } from './attacks/writers.ts'

/** All attacks, in the order of the table in the documents. */
export const attacks: readonly Attack[] = [
  longQuery,
  costlyBodies,
  manyStars,
  sorts,
  queries,
  deepPages,
  largePages,
  byteChunks,
  bodies,
  heldBodies,
  headerFloods,
  idleConnections,
  slowConnections,
  pipelining,
  smallRequests,
  unreadPages,
  unreadStreams,
  longRecords,
  accountStreams,
  writers,
  idempotencyKeys,
  manyWebhooks,
  drippingReceivers,
  innerWebhooks,
  floodingSmsc,
  fourAccounts,
]
