import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  keyPairFrom,
  privateKey,
  publicKey,
  secretFrom,
  secretKey,
  sign,
  verifyingKey,
} from '../src/index.ts'
import { known } from './support/known.ts'

describe('A key', () => {
  it('is made from 24 to 64 random bytes as whsec_ and Base64', () => {
    const shortest = secretFrom(new Uint8Array(24))
    const longest = secretFrom(new Uint8Array(64).fill(255))

    assert.equal(shortest, 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
    assert.equal(secretKey(longest).material.symmetricKeySize, 64)
    assert.throws(() => secretFrom(new Uint8Array(23)), /24 to 64 bytes; this one is 23/)
    assert.throws(() => secretFrom(new Uint8Array(65)), /24 to 64 bytes; this one is 65/)
  })

  it('holds the very bytes that it was made from', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 24, maxLength: 64 }), (bytes) => {
        const key = secretKey(secretFrom(bytes))

        assert.deepEqual(new Uint8Array(key.material.export()), bytes)
      }),
    )
  })

  for (const [form, wrong] of Object.entries({
    'without its prefix': 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    'that is empty': '',
    'of another kind': known.privateKey,
    'in the URL alphabet': 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLa-_',
    'with a space in it': 'whsec_MfKQ9r8GKYqrTwjU PD8ILPZIo2LaLaSw',
    'cut short': 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS',
    'with a character too many': 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwA',
    'of too few bytes': 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2La',
  })) {
    it(`${form} is refused without being repeated in the message`, () => {
      assert.throws(
        () => secretKey(wrong),
        (error) => error instanceof TypeError && !/MfKQ|6Xb/.test(error.message),
      )
    })
  }

  it('does not show its bytes when printed', () => {
    const key = secretKey(known.secret)

    assert.doesNotMatch(JSON.stringify(key), /MfKQ|49|0x/)
  })

  it('of an ed25519 pair comes as seed and public key, or as the seed alone', () => {
    const seed = new Uint8Array(32).fill(7)
    const pair = keyPairFrom(seed)
    const seedAlone = `whsk_${Buffer.from(seed).toString('base64')}`

    const whole = sign(privateKey(pair.privateKey), known.content)
    const short = sign(privateKey(seedAlone), known.content)

    assert.equal(whole, short)
    assert.equal(publicKey(pair.publicKey).kind, 'public')
  })

  it('of an ed25519 pair is refused where its size or its halves are wrong', () => {
    const mixed = Buffer.concat([new Uint8Array(32).fill(7), new Uint8Array(32).fill(8)])

    assert.throws(() => privateKey(`whsk_${mixed.toString('base64')}`), /does not belong/)
    assert.throws(() => privateKey('whsk_AAAA'), /32 or 64 bytes; this one holds 3/)
    assert.throws(() => publicKey('whpk_AAAA'), /32 bytes; this one holds 3/)
    assert.throws(() => keyPairFrom(new Uint8Array(31)), /32 bytes; these are 31/)
  })

  it('that a receiver is given is known by its prefix', () => {
    assert.equal(verifyingKey(known.secret).kind, 'secret')
    assert.equal(verifyingKey(known.publicKey).kind, 'public')
    assert.throws(() => verifyingKey(known.privateKey), TypeError)
  })
})
