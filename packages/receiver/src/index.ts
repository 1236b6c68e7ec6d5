export type { NotificationRecord } from './record.ts'
export type { HeaderSource } from './headers.ts'
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
