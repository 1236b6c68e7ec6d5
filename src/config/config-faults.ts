import { englishKeywords, type KeywordAction } from '../core/keywords.ts'
import { roles } from '../core/ports/nodes.ts'
import type { Config } from './config.ts'

/** Returns one sentence for each combination of values that cannot work. */
export function configFaults(config: Config): readonly string[] {
  return [...unservedRoles(config), ...ineffectiveKeywords(config)]
}

/** Only a store in PostgreSQL has other nodes, which could run the missing roles. */
function unservedRoles({ store, roles: given }: Config): readonly string[] {
  const missing = roles.filter((role) => !given.includes(role))
  if (store.kind === 'postgres' || missing.length === 0) return []
  return [
    `The setting roles leaves out ${missing.join(' and ')}, which no other node can do: ` +
      'only a store in PostgreSQL is shared by several nodes.',
  ]
}

/** Returns one sentence for each keyword of the operator that cannot do what its setting says. */
function ineffectiveKeywords({ optOutWords, optInWords }: Config): readonly string[] {
  const english = (setting: string, words: readonly string[], action: KeywordAction): string[] =>
    words
      .filter((word) => (englishKeywords.get(word.toUpperCase()) ?? action) !== action)
      .map((word) => `The setting ${setting} names ${word}, which ${opposites[action]} everywhere.`)
  const both = optInWords.filter((word) => optOutWords.some((other) => isSame(word, other)))
  return [
    ...english('optOutWords', optOutWords, 'STOP'),
    ...english('optInWords', optInWords, 'START'),
    ...both.map((word) => `The settings optOutWords and optInWords both name ${word}.`),
  ]
}

/** The effect of an English keyword with the opposite action. */
const opposites: Readonly<Record<KeywordAction, string>> = {
  STOP: 'ends an opt-out',
  START: 'opts out',
}

function isSame(one: string, other: string): boolean {
  return one.toUpperCase() === other.toUpperCase()
}
