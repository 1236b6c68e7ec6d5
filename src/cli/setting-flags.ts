import { defaultText, type Setting } from '../config/setting.ts'
import type { Flag } from './arguments.ts'

/** The settings of a table as flags of a command. */
export function settingFlags(table: Readonly<Record<string, Setting>>): readonly Flag[] {
  return Object.values(table).map((setting) => ({
    flag: setting.flag,
    placeholder: setting.placeholder,
    description: setting.description,
    note: note(setting),
  }))
}

function note(setting: Setting): string {
  const key = setting.key === null ? '' : ` key ${setting.key};`
  return `Variable ${setting.variable};${key} default ${defaultText(setting)}`
}
