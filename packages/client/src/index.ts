// The declarations use types that are newer than the libraries of some programs.
/// <reference lib="esnext.disposable" preserve="true" />

export { createClient } from './create-client.ts'
export { NuncioProblem, type ProblemType } from './requests/problem.ts'
export { NuncioConnectionError, type ConnectionFault } from './requests/connection-error.ts'
export { etagOf } from './operations/entity-tag.ts'
export type { Client } from './declarations/client.ts'
export type { Newest, VersionName } from './declarations/version.ts'
export type { Resource } from './declarations/resource.ts'
export type { InstanceOf, Declared, DeclaredCollections } from './declarations/declared.ts'
export type { InputOf, PatchOf } from './declarations/input.ts'
export type { Where, Sort } from './declarations/filter.ts'
export type { ListQuery, Page } from './declarations/list-query.ts'
export type {
  ChangeOptions,
  DeleteOptions,
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
  StreamInterruption,
  StreamOptions,
} from './notifications/notification.ts'
export type { Account } from '../../../src/collections/accounts.ts'
export type { Contact } from '../../../src/collections/contacts.ts'
export type { DeliveryAttempt as Delivery } from '../../../src/collections/deliveries.ts'
export type { ApiKey } from '../../../src/collections/keys.ts'
export type { Message } from '../../../src/collections/messages.ts'
export type { Replay } from '../../../src/collections/replays.ts'
export type { Webhook } from '../../../src/collections/webhooks.ts'
export type { InputError, ProblemName } from '../../../src/core/problem.ts'
