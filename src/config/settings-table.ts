import { defaultText, type Setting } from './setting.ts'
import { settings } from './settings.ts'

/** Returns the settings as a table in Markdown, for the reference. */
export function settingsTable(): string {
  return [
    '| environment | flag | key | default | meaning |',
    '|---|---|---|---|---|',
    ...Object.values(settings).map(row),
    '',
  ].join('\n')
}

function row(setting: Setting): string {
  const { variable, flag, key, defaultNote, description } = setting
  const shown = defaultText(setting)
  const cells = [
    `\`${variable}\``,
    `\`--${flag}\``,
    key === null ? '' : `\`${key}\``,
    defaultNote === undefined && shown !== 'none' ? `\`${shown}\`` : shown,
    description,
  ]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}
