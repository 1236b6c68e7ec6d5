export { receiver, type Receiver, type ReceiverOptions, type Secret } from './receiver.ts'
export { fetchHandler } from './adapters/fetch.ts'
export { nodeHandler, type NodeHandler, type NodeResponse } from './adapters/node.ts'
export { fastifyPlugin, type FastifyPlugin } from './adapters/fastify.ts'
export type { AlertRecord, NotificationRecord, WebhookRecord } from './record.ts'
export type { AlertHandler, Handler, Handlers } from './hand-on.ts'
export type { Answer } from './answer.ts'
export type { WebhookRequest, FetchRequest, NodeRequest, RawRequest } from './webhook-request.ts'
export type { HeaderSource } from './headers.ts'
export type { ReceiverClock } from './clock.ts'
export { memoryDuplicates, type DuplicateStore } from './duplicates.ts'
export { parse } from './parse.ts'
export { Refusal, type Fault, type RefusalStatus } from './refusal.ts'
export { sign, type SignedContent } from './sign.ts'
export { verify, type Delivery, type VerifyTime } from './verify.ts'
export {
  keyPairFrom,
  privateKey,
  publicKey,
  secretFrom,
  secretKey,
  verifyingKey,
  type PrivateKey,
  type PublicKey,
  type SecretKey,
  type SigningKey,
  type VerifyingKey,
} from './key.ts'
