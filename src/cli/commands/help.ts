import type { Flag } from '../arguments.ts'
import { helpFlag, refuse, type Command, type CommandWord } from '../command.ts'

/** Columns of the help text; terminals have at least 80. */
const columns = 80

/** Makes `nuncio help`, which lists the commands. It is one of them. */
export function help(commands: () => readonly Command[]): Command {
  return {
    name: 'help',
    summary: 'Shows the commands, or with a command its flags: nuncio help serve.',
    usage: 'help [command]',
    flags: [],
    run: async ({ faults }, context) => {
      if (faults.length > 0) return refuse(context, 'help', faults)
      context.out.write(programHelp(commands()))
      return 0
    },
  }
}

/** Returns the help of one command: its usage and every flag. */
export function commandHelp({ usage, summary, words = [], notes = [], flags }: Command): string {
  const paragraphs = [
    summary,
    `Usage: nuncio ${usage}`,
    ...(words.length === 0 ? [] : [words.map(wordHelp).join('\n')]),
    ...notes.map((note) => wrap(note, '')),
    ...[...flags, helpFlag].map(flagHelp),
  ]
  return `${paragraphs.join('\n\n')}\n`
}

/** Returns the help of the program: its commands. */
export function programHelp(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length))
  const list = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  return [
    'Nuncio: the messaging API that a company runs itself.',
    '',
    'Usage: nuncio <command> [flags]',
    '',
    ...list,
    '',
    'Begin with "nuncio serve". "nuncio <command> --help" shows the flags of a command.',
    '',
  ].join('\n')
}

function wordHelp({ word, object, summary }: CommandWord): string {
  const name = object === undefined ? word : `${word} <${object.placeholder}>`
  return wrap(`  ${name.padEnd(wordColumns)}${summary}`, '')
}

/** Columns of the longest word with its object, and a space. */
const wordColumns = 'add <provider>  '.length

function flagHelp({ flag, placeholder, description, note }: Flag): string {
  const indent = '      '
  return [
    placeholder === null ? `  --${flag}` : `  --${flag} <${placeholder}>`,
    wrap(description, indent),
    ...(note === undefined ? [] : [wrap(note, indent)]),
  ].join('\n')
}

/** Breaks a text into lines at its spaces. */
function wrap(text: string, indent: string): string {
  const lines: string[] = []
  let line = indent
  for (const word of text.split(' ')) {
    if (line.trim() !== '' && line.length + word.length >= columns) {
      lines.push(line.trimEnd())
      line = indent
    }
    line += `${word} `
  }
  return [...lines, line.trimEnd()].join('\n')
}
