export { sign, type SignedContent } from './sign.ts'
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
