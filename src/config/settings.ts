import { parsers } from './parsers.ts'
import { settingTable } from './setting.ts'

/**
 * The settings of the service: one row each. `Config`, the loader, `nuncio serve --help`, the
 * configuration file and the reference derive from it, in the order of the rows.
 */
export const settings = settingTable({
  host: {
    placeholder: 'address',
    default: '127.0.0.1',
    description: 'The address or host name to listen on; 0.0.0.0 is every IPv4 address.',
    parser: parsers.host,
  },
  port: {
    placeholder: 'number',
    default: '8080',
    description: 'The port to listen on; 0 takes any free port.',
    parser: parsers.port,
  },
  store: {
    placeholder: 'location',
    default: 'sqlite:./data/nuncio.db',
    description:
      'The store: sqlite:./path, sqlite:/absolute/path, postgres://…, ' +
      'or memory: (a temporary SQLite file, removed at exit).',
    secret: true,
    parser: parsers.store,
  },
  roles: {
    placeholder: 'roles',
    default: 'api,submit,deliver',
    description:
      'The parts of the service that this node runs, separated by commas: api serves requests, submit ' +
      'sends messages to carriers, deliver sends notifications to webhooks. All are required if the ' +
      'store is not PostgreSQL.',
    parser: parsers.roles,
  },
  adminKey: {
    placeholder: 'key',
    default: null,
    defaultNote: 'created at the first start',
    description:
      "The administrator's key, nuncio_… with at least 32 characters; " +
      'a flag shows in the process list, so prefer the variable.',
    secret: true,
    parser: parsers.adminKey,
  },
  secretKey: {
    placeholder: 'keys',
    default: null,
    defaultNote: 'secrets are stored in clear',
    description:
      'The key that encrypts stored secrets, at least 32 random characters; a second one, after a ' +
      'comma, only decrypts.',
    secret: true,
    parser: parsers.secretKey,
  },
  webhookNetworks: {
    placeholder: 'networks',
    default: null,
    defaultNote: '127.0.0.0/8,::1/128 while listening on loopback only, else none',
    description:
      'Networks that webhooks may reach besides public ones, separated by commas; ' +
      'plain http reaches only these; empty for none.',
    parser: parsers.networks,
  },
  carrierNetworks: {
    placeholder: 'networks',
    default: null,
    defaultNote: 'the networks of webhookNetworks',
    description:
      'Networks that carriers over HTTP may reach besides public ones, separated by commas; ' +
      'plain http reaches only these; empty for none.',
    parser: parsers.networks,
  },
  retrySchedule: {
    placeholder: 'seconds',
    default: '5,30,120,600,1800,3600,7200,14400,21600',
    description:
      'Seconds to wait before each further attempt of a webhook delivery, separated by commas; ' +
      'the last one repeats.',
    parser: parsers.retrySchedule,
  },
  simulatorDelayMs: {
    placeholder: 'milliseconds',
    default: '200',
    description: 'Milliseconds from SENT to the receipt of the simulator carrier.',
    parser: parsers.simulatorDelayMs,
  },
  defaultSender: {
    placeholder: 'sender',
    default: 'Nuncio',
    description:
      'The sender of messages that name none: a number, a short code, or 1 to 11 letters, digits and spaces.',
    parser: parsers.sender,
  },
  senders: {
    placeholder: 'choice',
    default: 'any',
    description:
      'Allowed senders: every address (any), or only numbers of the account and the default sender (registered).',
    parser: parsers.senders,
  },
  nationalLanguages: {
    placeholder: 'languages',
    default: '',
    description:
      'Languages whose shift tables (3GPP TS 23.038) encode a message if that saves parts, separated ' +
      'by commas, such as turkish,portuguese, or all.',
    parser: parsers.nationalLanguages,
  },
  optOutWords: {
    placeholder: 'words',
    default: '',
    description: 'Further keywords like STOP that opt a recipient out, separated by commas.',
    parser: parsers.words,
  },
  optInWords: {
    placeholder: 'words',
    default: '',
    description: 'Further keywords like START that end an opt-out, separated by commas.',
    parser: parsers.words,
  },
  messageRetentionDays: {
    placeholder: 'days',
    default: null,
    defaultNote: 'until a client deletes them',
    description:
      'Days after which messages that have ended are removed; an account can have its own number.',
    parser: parsers.retentionDays,
  },
  bodyRetentionDays: {
    placeholder: 'days',
    default: null,
    defaultNote: 'as long as the message',
    description:
      'Days after which the bodies of messages that have ended are erased; an account can have its own number.',
    parser: parsers.retentionDays,
  },
  corsOrigins: {
    placeholder: 'origins',
    default: '',
    description:
      'Origins whose web pages may call the service from a browser, separated by commas, or * for all.',
    parser: parsers.origins,
  },
  rateLimit: {
    placeholder: 'number',
    default: '0',
    description: 'Requests per second and key; 0 for no limit.',
    parser: parsers.rateLimit,
  },
  rateLimitBurst: {
    placeholder: 'number',
    default: '100',
    description: 'Requests that an idle key may send in a burst, if rateLimit sets a limit.',
    parser: parsers.rateLimitBurst,
  },
  trustedProxies: {
    placeholder: 'networks',
    default: '',
    description:
      'Networks of proxies whose Forwarded or X-Forwarded-For names the client, separated by commas.',
    parser: parsers.networks,
  },
  auditRetentionDays: {
    placeholder: 'days',
    default: '365',
    description: 'Days after which audit events are deleted.',
    parser: parsers.days,
  },
  maxConnections: {
    placeholder: 'number',
    default: '5000',
    description:
      'Open connections of clients; beyond them the service closes those that were idle for longest.',
    parser: parsers.maxConnections,
  },
  limitWebhooks: {
    placeholder: 'number',
    default: '1000',
    description: 'Webhooks of an account whose `limits` name no other number.',
    parser: parsers.accountLimit,
  },
  limitKeys: {
    placeholder: 'number',
    default: '1000',
    description: 'Keys of an account whose `limits` name no other number.',
    parser: parsers.accountLimit,
  },
  limitEventStreams: {
    placeholder: 'number',
    default: '50',
    description: 'Open event streams per node of an account whose `limits` name no other number.',
    parser: parsers.accountLimit,
  },
  limitIdempotencyBytes: {
    placeholder: 'octets',
    default: '104857600',
    description:
      'Octets of stored responses to requests with Idempotency-Key of an account whose `limits` ' +
      'name no other number.',
    parser: parsers.accountLimit,
  },
  limitWaitingMessages: {
    placeholder: 'number',
    default: '1000000',
    description:
      'Messages that no carrier has taken yet, of an account whose `limits` name no other number.',
    parser: parsers.accountLimit,
  },
  limitRequestsPerSecond: {
    placeholder: 'number',
    default: '0',
    description:
      'Requests per second of an account whose `limits` name no other number; 0 for no limit.',
    parser: parsers.accountLimit,
  },
  queryTimeoutMs: {
    placeholder: 'milliseconds',
    default: '5000',
    description: 'Maximum time of one query, in milliseconds.',
    parser: parsers.queryTimeoutMs,
  },
  searchIndexes: {
    placeholder: 'collections',
    default: '',
    description:
      'Built-in collections whose search has an index on PostgreSQL, separated by commas, such as messages; ' +
      'a declared collection says searchIndex.',
    parser: parsers.searchIndexes,
  },
  log: {
    placeholder: 'level',
    default: 'info',
    description:
      'The lowest level to log: trace, debug, info, warn, error or fatal; ' +
      'JSON lines if standard error is not a terminal.',
    parser: parsers.logLevel,
  },
  metricsAddress: {
    placeholder: 'address',
    default: null,
    description:
      'A separate address for /metrics and /health, such as 127.0.0.1:9464; the main one then has no ' +
      '/metrics.',
    parser: parsers.address,
  },
  otlpEndpoint: {
    placeholder: 'url',
    default: null,
    description:
      'Exports spans and metrics to this URL by OTLP over HTTP, such as http://127.0.0.1:4318; ' +
      "needs OpenTelemetry's packages.",
    parser: parsers.baseUrl,
  },
  accessLog: {
    placeholder: 'choice',
    default: 'off',
    description: 'One line in the log for each request, at level info: on or off.',
    parser: parsers.accessLog,
  },
  config: {
    inFile: false,
    placeholder: 'path',
    default: null,
    defaultNote: './nuncio.config.ts or ./nuncio.config.json, if it exists',
    description: 'The configuration file, with settings and the declared collections.',
    parser: parsers.path,
  },
})
