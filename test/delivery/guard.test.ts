import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { egressGuard, networks } from '../../src/delivery/egress/guard.ts'

const strict = egressGuard(networks([]))
const local = egressGuard(networks(['127.0.0.0/8', '::1/128', '10.1.0.0/16']))

/** Addresses that no request goes to, by what they are. */
const forbidden: Readonly<Record<string, readonly string[]>> = {
  unspecified: ['0.0.0.0', '0.1.2.3', '::', '0:0:0:0:0:0:0:0'],
  loopback: ['127.0.0.1', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1'],
  private: ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  'shared by carriers': ['100.64.0.1', '100.127.255.255'],
  'link-local': ['169.254.0.1', 'fe80::1', 'febf::1', 'fe80::1%eth0'],
  metadata: ['169.254.169.254', 'fd00:ec2::254', '100.100.100.200', '168.63.129.16', '192.0.0.192'],
  'for protocols': ['192.0.0.1', '2001:1ff:ffff::1', '100::1', '5f00::1'],
  documentation: ['192.0.2.1', '198.51.100.7', '203.0.113.9', '2001:db8::1', '3fff:fff::1'],
  benchmarking: ['198.18.0.1', '198.19.255.255', '2001:2::1'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  reserved: ['240.0.0.1', '255.255.255.254', '4000::1', 'fec0::1', '1fff::1'],
  broadcast: ['255.255.255.255'],
  'IPv4 in IPv6': [
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:8.8.8.8',
    '::127.0.0.1',
    '::7f00:1',
  ],
  'NAT64-mapped': ['64:ff9b::7f00:1', '64:ff9b::8.8.8.8', '64:ff9b:1::a00:1'],
  '6to4 or Teredo': ['192.88.99.1', '2002:7f00:1::', '2001::1', '2001:0:7f00:1::'],
  'unique-local': ['fc00::1', 'fd12:3456::1', 'fdff:ffff::1'],
  'no address': [
    '',
    'localhost',
    '127.1',
    '0x7f.0.0.1',
    '1.2.3',
    '1.2.3.4.5',
    '[::1]',
    '8.8.8.8:80',
  ],
}

const open = [
  '1.1.1.1',
  '8.8.8.8',
  '93.184.216.34',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '192.167.255.255',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2606:4700:4700::1111',
  '2a00:1450::1',
  '3fff:1000::1',
]

describe('an address that a connection is made to', () => {
  for (const [kind, addresses] of Object.entries(forbidden)) {
    it(`is refused where it is ${kind}`, () => {
      assert.deepEqual(
        addresses.filter((address) => strict.permits('https:', address, 443)),
        [],
      )
    })
  }

  it('is accepted where it is public, over https alone', () => {
    assert.deepEqual(
      open.filter((address) => !strict.permits('https:', address, 443)),
      [],
    )
    assert.deepEqual(
      open.filter((address) => strict.permits('http:', address, 443)),
      [],
    )
  })

  it('is accepted in a network that the operator allows, over http too', () => {
    for (const address of ['127.0.0.1', '127.9.9.9', '::1', '10.1.255.255']) {
      assert.ok(
        local.permits('http:', address, 443) && local.permits('https:', address, 443),
        address,
      )
    }
    for (const address of ['10.2.0.1', '::ffff:127.0.0.1', '::2', '192.168.0.1']) {
      assert.ok(!local.permits('https:', address, 443), address)
    }
  })
})

describe('the URL of a webhook', () => {
  const refusedEverywhere = [
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.0.0.1/',
    'https://0177.0.0.1/',
    'https://017700000001/',
    'https://127.1/',
    'https://127.0.1/',
    'https://127.0.0.1./',
    'https://%31%32%37.0.0.1/',
    'https://１２７.０.０.１/',
    'https://①②⑦.0.0.1/',
    'https://127。0。0。1/',
    'https://0/',
    'https://0.0.0.0:443/',
    'https://3232235777/',
    'https://169.254.169.254/latest/meta-data/',
    'https://0xa9fea9fe/',
    'https://[::1]/',
    'https://[0:0:0:0:0:0:0:1]:8443/',
    'https://[::]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::10.0.0.1]/',
    'https://[64:ff9b:1::1]/',
    'https://[2002:7f00:1::]/',
    'https://[2001:0:7f00:1::]/',
    'https://[fe80::1]/',
    'https://[fd00:ec2::254]/',
    'https://[ff02::1]/',
    'https://localhost/',
    'https://LOCALHOST/',
    'https://localhost./',
    'https://ⓛocalhost/',
    'https://api.localhost/',
    'https://api.localhost.:8443/',
    'http://93.184.216.34/',
    'http://example.com/',
    'http://localhost/',
    'https://example.com/#fragment',
    'https://example.com/#',
    'https://example.com:0/',
    'https://[fe80::1%25eth0]/',
    'https://256.256.256.256/',
    'https://example.com:99999/',
    'https://',
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'example.com/hook',
    '//example.com/hook',
    'https://xn--/',
    'https://a.xn--foo-/',
    `https://${'a'.repeat(64)}.example/`,
    `https://${'a.'.repeat(127)}example/`,
    'https://-a.example/',
    'https://a..example/',
    'https://a!b.example/',
  ]
  for (const url of refusedEverywhere) {
    it(`cannot be ${url}`, () => {
      assert.match(strict.refusal(url) ?? 'accepted', /^must /)
    })
  }

  const accepted = [
    'https://example.com/',
    'https://example.com:8443/hook?tenant=7',
    'https://EXAMPLE.com./',
    'https://bücher.example/',
    'https://xn--bcher-kva.example/',
    'https://93.184.216.34/',
    'https://[2606:4700:4700::1111]:444/',
    'https://localhost.example.com/',
    'https://notlocalhost/',
    'https://my_service.example/',
    `https://${'a'.repeat(63)}.example/`,
  ]
  for (const url of accepted) {
    it(`can be ${url}`, () => {
      assert.equal(strict.refusal(url), null)
    })
  }

  it('is not that of the service itself, in whatever network', () => {
    const own = { port: () => 8080, has: (address: string) => address === '127.0.0.1' }
    const guard = egressGuard(networks(['127.0.0.0/8']), own)

    const [itself, others] = [
      ['http://127.0.0.1:8080/v1/messages', 'http://0x7f.1:8080/', 'https://127.0.0.1:8080/'],
      ['http://127.0.0.1:8081/', 'http://127.0.0.2:8080/'],
    ]

    const refusals = itself.map((url) => guard.refusal(url))
    assert.deepEqual(new Set(refusals), new Set(['must not lead to this service itself']))
    assert.deepEqual(
      others.map((url) => guard.refusal(url)),
      [null, null],
    )
    assert.ok(!guard.permits('http:', '127.0.0.1', 8080))
  })

  it('can be http where the operator allows the network, or a name that may lead there', () => {
    assert.equal(local.refusal('http://127.0.0.1:3000/hook'), null)
    assert.equal(local.refusal('http://[::1]:3000/hook'), null)
    assert.equal(local.refusal('http://localhost:3000/hook'), null)
    assert.equal(local.refusal('http://receiver.internal/hook'), null)
    assert.match(local.refusal('http://8.8.8.8/hook') ?? '', /^must be an https URL: /)
    assert.match(local.refusal('http://10.2.0.1/hook') ?? '', /^must not lead to /)
  })
})

describe('the networks that an operator allows', () => {
  it('are read with and without a prefix', () => {
    const allowed = networks(['10.0.0.0/8', ' 192.168.1.7 ', 'fd00::/8', '2001:db8::1'])

    assert.deepEqual(
      ['10.9.9.9', '192.168.1.7', 'fd12::1', '2001:db8::1'].map((address) => allowed.has(address)),
      [true, true, true, true],
    )
    assert.deepEqual(
      ['11.0.0.1', '192.168.1.8', 'fe80::1', '2001:db8::2', 'fd'].map((a) => allowed.has(a)),
      [false, false, false, false, false],
    )
  })

  it('may be everything', () => {
    const everything = networks(['0.0.0.0/0', '::/0'])

    assert.ok(everything.has('8.8.8.8') && everything.has('::1') && everything.has('ff02::1'))
  })

  for (const text of [
    '',
    'localhost',
    '10.0.0.0/33',
    '10.0/8',
    'fd00::/129',
    '10.0.0.0/',
    '::/-1',
    '1.1.1.1/8/8',
    'fe80::1%eth0/64',
  ]) {
    it(`cannot be ${JSON.stringify(text)}`, () => {
      assert.throws(() => networks([text]), { name: 'RangeError', message: /is no network/ })
    })
  }
})
