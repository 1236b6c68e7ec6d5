import { englishKeywords, type KeywordAction } from '../core/keywords.ts'
import type { Config } from './config.ts'

/** One sentence for each word of the operator's own that could never do what its setting says. */
export function vainWords({ optOutWords, optInWords }: Config): readonly string[] {
  const ofEnglish = (setting: string, words: readonly string[], wish: KeywordAction): string[] =>
    words
      .filter((word) => (englishKeywords.get(word.toUpperCase()) ?? wish) !== wish)
      .map((word) => `The setting ${setting} names ${word}, which ${english[wish]} everywhere.`)
  const both = optInWords.filter((word) => optOutWords.some((other) => isSame(word, other)))
  return [
    ...ofEnglish('optOutWords', optOutWords, 'STOP'),
    ...ofEnglish('optInWords', optInWords, 'START'),
    ...both.map((word) => `The settings optOutWords and optInWords both name ${word}.`),
  ]
}

/** What an English keyword does that was to do this. */
const english: Readonly<Record<KeywordAction, string>> = {
  STOP: 'ends an opt-out',
  START: 'opts out',
}

function isSame(one: string, other: string): boolean {
  return one.toUpperCase() === other.toUpperCase()
}
