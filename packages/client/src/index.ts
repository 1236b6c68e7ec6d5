// The declarations reach types of the service that are newer than some programs’ own libraries.
/// <reference lib="esnext.disposable" preserve="true" />

export { createClient } from './create-client.ts'
export { NuncioProblem, type ProblemType } from './problem.ts'
export { NuncioConnectionError, type ConnectionFault } from './connection-error.ts'
export { etagOf } from './entity-tag.ts'
export type { Client } from './client.ts'
export type { Newest, VersionName } from './version.ts'
export type { Resource } from './resource.ts'
export type { InstanceOf, Declared, DeclaredCollections } from './declared.ts'
export type { InputOf, PatchOf } from './input.ts'
export type { Where, Sort } from './filter.ts'
export type { ListQuery, Page } from './list-query.ts'
export type {
  ChangeOptions,
  ClientOptions,
  CreateOptions,
  Fetch,
  GetOptions,
  PatchOptions,
  PutOptions,
  RequestOptions,
  WriteOptions,
  RetryLimits,
} from './options.ts'
export type {
  AlertRecord,
  NotificationFeed,
  NotificationQuery,
  NotificationRecord,
  NotificationType,
  RecordOf,
  Notifications,
} from './notification.ts'
export type { Account } from '../../../src/collections/accounts.ts'
export type { Contact } from '../../../src/collections/contacts.ts'
export type { DeliveryAttempt as Delivery } from '../../../src/collections/deliveries.ts'
export type { ApiKey } from '../../../src/collections/keys.ts'
export type { Message } from '../../../src/collections/messages.ts'
export type { Replay } from '../../../src/collections/replays.ts'
export type { Webhook } from '../../../src/collections/webhooks.ts'
export type { InputError, ProblemName } from '../../../src/core/problem.ts'
