import { parsers } from './parsers.ts'
import { settingTable, type SettingValues } from './setting.ts'

/** The settings for commands that call a running service. A configuration file cannot set them. */
export const clientSettings = settingTable({
  service: {
    inFile: false,
    placeholder: 'url',
    default: 'http://127.0.0.1:8080',
    description: 'The address of the service.',
    secret: true,
    parser: parsers.serviceUrl,
  },
  key: {
    inFile: false,
    placeholder: 'key',
    default: null,
    description: 'The API key; a flag shows in the process list, so prefer the variable.',
    secret: true,
    parser: parsers.key,
  },
})

/** The service that `send`, `listen` and `maintenance` call, and the key they use. */
export type ClientConfig = SettingValues<typeof clientSettings>
