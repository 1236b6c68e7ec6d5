/** Action of a keyword: stop messages, or start them again. */
export type KeywordAction = 'STOP' | 'START'

/** The English keywords, which every installation obeys, in capitals. */
export const englishKeywords: ReadonlyMap<string, KeywordAction> = new Map([
  ['STOP', 'STOP'],
  ['STOPALL', 'STOP'],
  ['UNSUBSCRIBE', 'STOP'],
  ['CANCEL', 'STOP'],
  ['END', 'STOP'],
  ['QUIT', 'STOP'],
  ['REVOKE', 'STOP'],
  ['OPTOUT', 'STOP'],
  ['START', 'START'],
  ['UNSTOP', 'START'],
  ['YES', 'START'],
])
