import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readOpenId } from '../../src/config/declared/read-open-id.ts'

const whole = {
  issuer: 'https://id.example/realms/sms',
  clientId: 'nuncio',
  clientSecret: { env: 'OIDC_SECRET' },
  url: 'https://sms.example',
  grants: [{ claim: 'groups', value: 'ops', account: 'account_default', scopes: ['admin'] }],
}

function read(oidc: unknown, environment: Readonly<Record<string, string>> = { OIDC_SECRET: 's' }) {
  return readOpenId({ path: 'nuncio.config.json', values: { oidc } }, environment)
}

describe('oidc in a configuration file', () => {
  it('names a provider, whose secret the environment may have', () => {
    const { oidc, faults } = read(whole)

    assert.deepEqual(faults, [])
    assert.equal(oidc?.clientSecret, 's')
    assert.equal(oidc.scope, 'openid profile email')
    assert.equal(oidc.issuer.href, whole.issuer)
    assert.deepEqual(read(undefined), { oidc: null, faults: [] })
  })

  it('is refused with each fault at its key', () => {
    const fault = (change: object): readonly string[] => read({ ...whole, ...change }).faults

    assert.deepEqual(fault({ issuer: 'http://id.example' }), [
      'The key oidc.issuer in nuncio.config.json must be an https URL; http is for this machine alone.',
    ])
    assert.deepEqual(fault({ issuer: 'http://127.0.0.1:9000', url: 'http://localhost:8080' }), [])
    assert.match(fault({ url: 'ftp://x' })[0] ?? '', /oidc\.url .* must be an https URL/)
    assert.match(fault({ scope: 'email' })[0] ?? '', /oidc\.scope .* must contain openid/)
    assert.match(fault({ grants: [] })[0] ?? '', /oidc\.grants .* at least one grant/)
    assert.match(fault({ clientID: 'x' })[0] ?? '', /oidc\.clientID .* is unknown/)
    const grants = [{ claim: 'groups', value: 1, account: '', scopes: ['everything'] }]
    assert.deepEqual(
      fault({ grants }).map((each) => each.split(' ')[2]),
      ['oidc.grants[0].scopes', 'oidc.grants[0].value', 'oidc.grants[0].account'],
    )
    assert.match(read(whole, {}).faults[0] ?? '', /OIDC_SECRET, which is not set/)
    assert.match(read('x').faults[0] ?? '', /must be an object/)
  })
})
