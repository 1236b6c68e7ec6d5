import { parsers } from './parsers.ts'
import type { SettingTable } from './setting.ts'

/** Which service the commands `send` and `listen` talk to, and as whom. */
export interface ClientConfig {
  /** Without a slash at the end. */
  readonly url: string
  /** Null where none is given. */
  readonly key: string | null
}

/** The settings of the commands that talk to a running service. They have no configuration file. */
export const clientSettings: SettingTable<ClientConfig> = {
  url: {
    flag: 'url',
    variable: 'NUNCIO_URL',
    key: null,
    placeholder: 'url',
    form: 'text',
    default: 'http://127.0.0.1:8080',
    description: 'The address of the service.',
    secret: true,
    parse: parsers.baseUrl,
  },
  key: {
    flag: 'key',
    variable: 'NUNCIO_KEY',
    key: null,
    placeholder: 'key',
    form: 'text',
    default: null,
    description: 'The API key; a flag shows in the process list, so prefer the variable.',
    secret: true,
    parse: parsers.key,
  },
}
