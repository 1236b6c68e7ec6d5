import type { Attack } from './attack.ts'
import { bodies } from './attacks/bodies.ts'
import { byteChunks } from './attacks/byte-chunks.ts'
import { deepPages } from './attacks/deep-pages.ts'
import { drippingReceivers } from './attacks/dripping-receivers.ts'
import { floodingSmsc } from './attacks/flooding-smsc.ts'
import { headerFloods } from './attacks/header-floods.ts'
import { heldBodies } from './attacks/held-bodies.ts'
import { idempotencyKeys } from './attacks/idempotency-keys.ts'
import { idleConnections } from './attacks/idle-connections.ts'
import { largePages } from './attacks/large-pages.ts'
import { longQuery } from './attacks/long-query.ts'
import { manyStars } from './attacks/many-stars.ts'
import { manyWebhooks } from './attacks/many-webhooks.ts'
import { pipelining } from './attacks/pipelining.ts'
import { queries } from './attacks/queries.ts'
import { slowConnections } from './attacks/slow-connections.ts'
import { sorts } from './attacks/sorts.ts'
import { unreadPages } from './attacks/unread-pages.ts'
import { unreadStreams } from './attacks/unread-streams.ts'
import { writers } from './attacks/writers.ts'

/** All attacks, in the order of the table in the documents. */
export const attacks: readonly Attack[] = [
  longQuery,
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
  unreadPages,
  unreadStreams,
  writers,
  idempotencyKeys,
  manyWebhooks,
  drippingReceivers,
  floodingSmsc,
]
