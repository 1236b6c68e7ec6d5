import type { Config, SettingName } from './config.ts'
import { parsers } from './parsers.ts'
import type { SettingTable } from './setting.ts'

/** Every setting of the service. The loader, `nuncio serve --help` and the reference are derived from it. */
export const settings: SettingTable<Pick<Config, SettingName>> = {
  host: {
    flag: 'host',
    variable: 'NUNCIO_HOST',
    key: 'host',
    placeholder: 'address',
    form: 'text',
    default: '127.0.0.1',
    description: 'The address or host name to listen on; 0.0.0.0 is every IPv4 address.',
    secret: false,
    parse: parsers.host,
  },
  port: {
    flag: 'port',
    variable: 'NUNCIO_PORT',
    key: 'port',
    placeholder: 'number',
    form: 'number',
    default: '8080',
    description: 'The port to listen on; 0 takes any that is free.',
    secret: false,
    parse: parsers.port,
  },
  store: {
    flag: 'store',
    variable: 'NUNCIO_STORE',
    key: 'store',
    placeholder: 'location',
    form: 'text',
    default: 'sqlite:./data/nuncio.db',
    description:
      'Where everything is kept: sqlite:./path, sqlite:/absolute/path, postgres://…, ' +
      'or memory: (a temporary SQLite file, removed at exit).',
    secret: true,
    parse: parsers.store,
  },
  roles: {
    flag: 'roles',
    variable: 'NUNCIO_ROLES',
    key: 'roles',
    placeholder: 'roles',
    form: 'list',
    default: 'api,submit,deliver',
    description:
      'The parts of the service that this node runs, separated by commas: api answers requests, submit ' +
      'hands messages to carriers, deliver brings notifications to webhooks. All of them where the store ' +
      'is not PostgreSQL.',
    secret: false,
    parse: parsers.roles,
  },
  adminKey: {
    flag: 'admin-key',
    variable: 'NUNCIO_ADMIN_KEY',
    key: 'adminKey',
    placeholder: 'key',
    form: 'text',
    default: null,
    defaultNote: 'made at the first start',
    description:
      "The administrator's key, nuncio_… with at least 32 characters; " +
      'a flag shows in the process list, so prefer the variable.',
    secret: true,
    parse: parsers.adminKey,
  },
  webhookNetworks: {
    flag: 'webhook-networks',
    variable: 'NUNCIO_WEBHOOK_NETWORKS',
    key: 'webhookNetworks',
    placeholder: 'networks',
    form: 'list',
    default: null,
    defaultNote: '127.0.0.0/8,::1/128 while listening on loopback only, else none',
    description:
      'Networks that webhooks may reach besides public ones, separated by commas; ' +
      'only these are reached by plain http; empty for none.',
    secret: false,
    parse: parsers.networks,
  },
  carrierNetworks: {
    flag: 'carrier-networks',
    variable: 'NUNCIO_CARRIER_NETWORKS',
    key: 'carrierNetworks',
    placeholder: 'networks',
    form: 'list',
    default: null,
    defaultNote: 'those of webhookNetworks',
    description:
      'Networks that carriers over HTTP may reach besides public ones, separated by commas; ' +
      'only these are reached by plain http; empty for none.',
    secret: false,
    parse: parsers.networks,
  },
  retrySchedule: {
    flag: 'retry-schedule',
    variable: 'NUNCIO_RETRY_SCHEDULE',
    key: 'retrySchedule',
    placeholder: 'seconds',
    form: 'list',
    default: '5,30,120,600,1800,3600,7200,14400,21600',
    description:
      'Seconds to wait before each further attempt of a webhook delivery, separated by commas; ' +
      'the last one repeats.',
    secret: false,
    parse: parsers.retrySchedule,
  },
  simulatorDelayMs: {
    flag: 'simulator-delay-ms',
    variable: 'NUNCIO_SIMULATOR_DELAY_MS',
    key: 'simulatorDelayMs',
    placeholder: 'milliseconds',
    form: 'number',
    default: '200',
    description: 'How long the simulator carrier takes from SENT to the receipt, in milliseconds.',
    secret: false,
    parse: parsers.simulatorDelayMs,
  },
  defaultSender: {
    flag: 'default-sender',
    variable: 'NUNCIO_DEFAULT_SENDER',
    key: 'defaultSender',
    placeholder: 'sender',
    form: 'text',
    default: 'Nuncio',
    description:
      'The sender of messages that name none: a number, a short code, or 1 to 11 letters, digits and spaces.',
    secret: false,
    parse: parsers.sender,
  },
  nationalLanguages: {
    flag: 'national-languages',
    variable: 'NUNCIO_NATIONAL_LANGUAGES',
    key: 'nationalLanguages',
    placeholder: 'languages',
    form: 'list',
    default: '',
    description:
      'Languages whose shift tables (3GPP TS 23.038) messages may be written with where that saves ' +
      'parts, separated by commas, such as turkish,portuguese, or all.',
    secret: false,
    parse: parsers.nationalLanguages,
  },
  optOutWords: {
    flag: 'opt-out-words',
    variable: 'NUNCIO_OPT_OUT_WORDS',
    key: 'optOutWords',
    placeholder: 'words',
    form: 'list',
    default: '',
    description:
      'Words besides STOP and its like by which a recipient opts out, separated by commas.',
    secret: false,
    parse: parsers.words,
  },
  optInWords: {
    flag: 'opt-in-words',
    variable: 'NUNCIO_OPT_IN_WORDS',
    key: 'optInWords',
    placeholder: 'words',
    form: 'list',
    default: '',
    description: 'Words besides START and its like by which an opt-out ends, separated by commas.',
    secret: false,
    parse: parsers.words,
  },
  corsOrigins: {
    flag: 'cors-origins',
    variable: 'NUNCIO_CORS_ORIGINS',
    key: 'corsOrigins',
    placeholder: 'origins',
    form: 'list',
    default: '',
    description:
      'Origins whose web pages may call the service from a browser, separated by commas, or * for all.',
    secret: false,
    parse: parsers.origins,
  },
  rateLimit: {
    flag: 'rate-limit',
    variable: 'NUNCIO_RATE_LIMIT',
    key: 'rateLimit',
    placeholder: 'number',
    form: 'number',
    default: '0',
    description: 'Requests a second that each key may make; 0 is no limit.',
    secret: false,
    parse: parsers.rateLimit,
  },
  rateLimitBurst: {
    flag: 'rate-limit-burst',
    variable: 'NUNCIO_RATE_LIMIT_BURST',
    key: 'rateLimitBurst',
    placeholder: 'number',
    form: 'number',
    default: '100',
    description: 'Requests that a key may make at once after a rest, where there is a limit.',
    secret: false,
    parse: parsers.rateLimitBurst,
  },
  log: {
    flag: 'log',
    variable: 'NUNCIO_LOG',
    key: 'log',
    placeholder: 'level',
    form: 'text',
    default: 'info',
    description:
      'The least that is logged: trace, debug, info, warn, error or fatal; ' +
      'JSON lines on standard error when it is no terminal.',
    secret: false,
    parse: parsers.logLevel,
  },
  config: {
    flag: 'config',
    variable: 'NUNCIO_CONFIG',
    key: null,
    placeholder: 'path',
    form: 'text',
    default: null,
    defaultNote: './nuncio.config.ts or ./nuncio.config.json, where it exists',
    description: 'The configuration file, with settings and the declared collections.',
    secret: false,
    parse: parsers.path,
  },
}
