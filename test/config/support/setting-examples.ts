import { nationalLanguages } from '../../../src/core/part-scheme.ts'
import type { SettingName } from '../../../src/config/config.ts'

/** Key of stored secrets. */
const secretKey = '0123456789abcdefghijklmnopqrstuv'

const adminKey = 'nuncio_0123456789_abcdefghijklmnopqrst'

/** The examples of one setting. */
interface SettingExamples {
  /** The value if nothing sets it. */
  readonly default: unknown
  /** Texts that are accepted, with their values. */
  readonly taken: readonly [string, unknown][]
  /** Texts that are refused. */
  readonly refused: readonly string[]
}

const accountLimit = {
  taken: [
    ['0', 0],
    ['1000000000000', 1_000_000_000_000],
  ] as [string, number][],
  refused: ['', '-1', '1.5', 'x', '1000000000001'],
}

/** Examples of every setting but `config`; tests of flags, environment and file derive from them. */
export const settingExamples: Record<Exclude<SettingName, 'config'>, SettingExamples> = {
  messageRetentionDays: {
    default: null,
    taken: [
      ['1', 1],
      ['36500', 36_500],
    ],
    refused: ['', '0', '-1', '36501', '1.5', '30d'],
  },
  bodyRetentionDays: {
    default: null,
    taken: [
      ['1', 1],
      ['36500', 36_500],
    ],
    refused: ['', '0', '-1', '36501', '1.5', '30d'],
  },
  host: {
    default: '127.0.0.1',
    taken: [
      ['0.0.0.0', '0.0.0.0'],
      ['::1', '::1'],
      ['api.example.com', 'api.example.com'],
    ],
    refused: ['', '[::1]', '256.1.1.1', 'localhost:8080', 'http://localhost', 'a b'],
  },
  searchIndexes: {
    default: [],
    taken: [
      ['messages', ['messages']],
      ['contacts, messages', ['contacts', 'messages']],
    ],
    refused: ['webhooks', 'messages;contacts'],
  },
  port: {
    default: 8080,
    taken: [
      ['0', 0],
      ['65535', 65_535],
    ],
    refused: ['', '-1', '65536', '80a', '8080.5', '1e3'],
  },
  store: {
    default: { kind: 'sqlite', file: './data/nuncio.db' },
    taken: [
      ['sqlite:./a.db', { kind: 'sqlite', file: './a.db' }],
      ['sqlite:/var/lib/a b.db', { kind: 'sqlite', file: '/var/lib/a b.db' }],
      ['memory:', { kind: 'memory' }],
      ['postgres://u:p@db/n', { kind: 'postgres', url: 'postgres://u:p@db/n' }],
      ['postgresql://db/n', { kind: 'postgres', url: 'postgresql://db/n' }],
      ...['u:p@a:5432,b:5433/n?target_session_attrs=read-write', '[::1]:1,b/n'].map(
        (rest): [string, unknown] => [
          `postgres://${rest}`,
          { kind: 'postgres', url: `postgres://${rest}` },
        ],
      ),
      ...[
        '?connections=3&pooled=true&prepare=false&direct=postgres%3A%2F%2Fdb%2Fn%3Fsslmode%3Drequire',
        '?sslmode=verify-full&application_name=a&options=-c%20x%3Dy&host=%2Frun',
        '?target_session_attrs=read-write',
      ].map((query): [string, unknown] => {
        return [`postgres://db/n${query}`, { kind: 'postgres', url: `postgres://db/n${query}` }]
      }),
    ],
    refused: [
      '',
      'sqlite:',
      'sqlite::memory:',
      'sqlite:file:a',
      'sqlite://a',
      'memory',
      'mysql://db',
      'postgres://a,,b/n',
      'postgres://a:x,b/n',
      ...[
        'foo=1',
        'target_session_attrs=any',
        'host=a,b',
        'prepare=maybe',
        'pooled=yes',
        'pooled',
        'connections=2',
        'connections=4.5',
        'connections=20&connections=30',
        'sslmode=sometimes',
        'direct=db',
        'direct=postgres%3A%2F%2Fdb%2Fn%3Fpooled%3Dtrue',
        'channel_binding=require',
        '__proto__=1',
      ].map((query) => `postgres://db/n?${query}`),
    ],
  },
  adminKey: {
    default: null,
    taken: [
      [adminKey, adminKey],
      [adminKey.slice(0, 32), adminKey.slice(0, 32)],
    ],
    refused: [
      '',
      'nuncio_short',
      `${adminKey} `,
      adminKey.replace('nuncio', 'other'),
      adminKey.slice(0, 31),
      `nuncio_${'a'.repeat(40)}`,
      `nuncio_${'ab'.repeat(20)}`,
    ],
  },
  secretKey: {
    default: null,
    taken: [
      [secretKey, [secretKey]],
      [`${secretKey}, ${secretKey}2`, [secretKey, `${secretKey}2`]],
    ],
    refused: [
      '',
      secretKey.slice(0, 31),
      `${secretKey},`,
      `${secretKey},short`,
      `${secretKey},${secretKey}2,${secretKey}3`,
      'ab'.repeat(20),
    ],
  },
  carrierNetworks: {
    default: ['127.0.0.0/8', '::1/128'],
    taken: [
      ['', []],
      ['10.0.0.0/8', ['10.0.0.0/8']],
    ],
    refused: ['10.0.0.0', 'a'],
  },
  webhookNetworks: {
    default: ['127.0.0.0/8', '::1/128'],
    taken: [
      ['', []],
      ['10.0.0.0/8, fd00::/8', ['10.0.0.0/8', 'fd00::/8']],
      ['0.0.0.0/0', ['0.0.0.0/0']],
    ],
    refused: [
      '10.0.0.1',
      '10.0.0.0/33',
      'fd00::/129',
      '10.0.0/8',
      'a/8',
      '10.0.0.0/8,',
      'fe80::1%eth0/64',
    ],
  },
  retrySchedule: {
    default: [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 21_600],
    taken: [
      ['1', [1]],
      ['1, 2.5,60', [1, 2.5, 60]],
    ],
    refused: ['', '0', '0.999', '5,0', '-1', '5,,6', '5s', '1e3', '1e9', '1.2345', 'Infinity'],
  },
  simulatorDelayMs: {
    default: 200,
    taken: [
      ['0', 0],
      ['30000', 30_000],
    ],
    refused: ['', '-1', '0.5', '86400001'],
  },
  defaultSender: {
    default: 'Nuncio',
    taken: [
      ['Acme', 'Acme'],
      ['+49 151 12345678', '+4915112345678'],
      ['12345', '12345'],
    ],
    refused: ['', 'Twelve chars', 'Ümlaut'],
  },
  nationalLanguages: {
    default: [],
    taken: [
      ['', []],
      ['urdu, turkish', ['turkish', 'urdu']],
      ['all', nationalLanguages],
    ],
    refused: ['Turkish', 'german', 'tr', 'turkish,', 'all,turkish'],
  },
  optOutWords: {
    default: [],
    taken: [
      ['', []],
      ['arrêt, ne plus, СТОП', ['arrêt', 'ne plus', 'СТОП']],
    ],
    refused: ['stop!', ',', 'stop,,halt', '-', 'x'.repeat(41)],
  },
  optInWords: {
    default: [],
    taken: [['weiter', ['weiter']]],
    refused: ['a,', '?'],
  },
  corsOrigins: {
    default: [],
    taken: [
      ['', []],
      ['*', ['*']],
      ['https://a.example, http://localhost:3000', ['https://a.example', 'http://localhost:3000']],
    ],
    refused: [
      'https://a.example/',
      'a.example',
      'https://a.example:443',
      '*,https://a.example',
      'null',
    ],
  },
  roles: {
    default: ['api', 'submit', 'deliver'],
    taken: [
      ['api,submit,deliver', ['api', 'submit', 'deliver']],
      ['deliver, api,submit', ['api', 'submit', 'deliver']],
    ],
    refused: ['', 'api,send', 'API'],
  },
  rateLimit: {
    default: 0,
    taken: [
      ['0', 0],
      ['1000', 1000],
    ],
    refused: ['', '-1', '1.5', '1000001'],
  },
  rateLimitBurst: {
    default: 100,
    taken: [
      ['1', 1],
      ['1000', 1000],
    ],
    refused: ['', '0', '-1', '1.5', '1000001'],
  },
  senders: {
    default: 'any',
    taken: [
      ['any', 'any'],
      ['registered', 'registered'],
    ],
    refused: ['', 'ANY', 'none'],
  },
  trustedProxies: {
    default: [],
    taken: [
      ['10.0.0.0/8,::1/128', ['10.0.0.0/8', '::1/128']],
      ['', []],
    ],
    refused: ['10.0.0.0', 'proxy'],
  },
  auditRetentionDays: {
    default: 365,
    taken: [
      ['1', 1],
      ['36500', 36_500],
    ],
    refused: ['', '0', '36501', 'x'],
  },
  maxConnections: {
    default: 5000,
    taken: [
      ['1', 1],
      ['1000000', 1_000_000],
    ],
    refused: ['', '0', '1000001', '-1', '1.5', 'x'],
  },
  limitWebhooks: { ...accountLimit, default: 1000 },
  limitKeys: { ...accountLimit, default: 1000 },
  limitEventStreams: { ...accountLimit, default: 50 },
  limitIdempotencyBytes: { ...accountLimit, default: 104857600 },
  limitWaitingMessages: { ...accountLimit, default: 1000000 },
  limitRequestsPerSecond: { ...accountLimit, default: 0 },
  queryTimeoutMs: {
    default: 5000,
    taken: [
      ['1', 1],
      ['600000', 600_000],
    ],
    refused: ['', '0', '600001', '-1', '1.5', 'x'],
  },
  log: {
    default: 'info',
    taken: [
      ['trace', 'trace'],
      ['fatal', 'fatal'],
    ],
    refused: ['', 'verbose', 'INFO'],
  },
  metricsAddress: {
    default: null,
    taken: [
      ['127.0.0.1:9464', { host: '127.0.0.1', port: 9464 }],
      ['[::1]:0', { host: '::1', port: 0 }],
      ['metrics.internal:80', { host: 'metrics.internal', port: 80 }],
    ],
    refused: ['', '9464', ':9464', '127.0.0.1', '::1:9464', '[127.0.0.1]:1', '1.2.3:4', 'a:65536'],
  },
  otlpEndpoint: {
    default: null,
    taken: [
      ['http://127.0.0.1:4318', 'http://127.0.0.1:4318'],
      ['https://collector.example/otlp/', 'https://collector.example/otlp'],
    ],
    refused: ['', 'collector', 'ftp://a', 'http://a/?b=c', 'http://user:secret@a/'],
  },
  accessLog: {
    default: 'off',
    taken: [
      ['on', 'on'],
      ['off', 'off'],
    ],
    refused: ['', 'ON', 'true', '1'],
  },
}
