import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { accountId } from '../../../src/core/account.ts'
import { partUuid } from '../../../src/carriers/http/http.ts'

const message = { account: accountId('ours'), id: 'm1', correlation: 'request_1' }

describe('the UUID of a part', () => {
  it('is one of RFC 9562, and that of a repeated request is the same', () => {
    const uuid = partUuid('c1', message, 1)

    assert.match(uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.equal(partUuid('c1', { ...message }, 1), uuid)
  })

  it('differs by carrier, account, message, request that created it, and part', () => {
    const all = [
      partUuid('c1', message, 1),
      partUuid('c2', message, 1),
      partUuid('c1', { ...message, account: accountId('theirs') }, 1),
      partUuid('c1', { ...message, id: 'm2' }, 1),
      partUuid('c1', { ...message, correlation: 'request_2' }, 1),
      partUuid('c1', message, 2),
    ]

    assert.equal(new Set(all).size, all.length)
  })
})
