import assert from 'node:assert/strict'
import { basename } from 'node:path'
import { describe, it } from 'node:test'
import { assertNone } from './support/faults.ts'
import { textOf, texts, wordsIn } from './support/project.ts'

const folder = 'docs/decisions'
const allWordsMax = 10_000

const pages = [...texts.keys()].filter((file) => /^docs\/decisions\/\d{4}-.*\.md$/.test(file))

/** The rows of the index: number or link, decision, date, status. */
const rows = textOf(`${folder}/README.md`)
  .split('\n')
  .filter((line) => /^\| (\[|\d)/.test(line))
  .map((line) =>
    line
      .slice(2, -2)
      .split(' | ')
      .map((cell) => cell.trim()),
  )

describe('the decision pages', () => {
  it(`have at most ${allWordsMax} words together`, () => {
    const words = [...texts.keys()]
      .filter((file) => file.startsWith(`${folder}/`))
      .reduce((sum, file) => sum + wordsIn(textOf(file)), 0)
    assert.ok(
      words <= allWordsMax,
      `${words} words, at most ${allWordsMax}: shorten or withdraw older pages`,
    )
  })

  it('state context, decision and price', () => {
    assertNone(
      pages.flatMap((page) =>
        ['Context', 'Decision', 'Price']
          .filter((part) => !textOf(page).includes(`\n**${part}.**`))
          .map((part) => `${page}: add **${part}.**`),
      ),
    )
  })

  it('are in the index, with title, date and status', () => {
    const faults = pages.flatMap((page) => {
      const row = rows.find(([number = '']) => number.includes(numberOf(page)))
      if (row === undefined) return [`${page}: add a row to ${folder}/README.md`]
      const [link = '', title = '', , status = ''] = row
      const isWithdrawn = status.startsWith('withdrawn')
      const isLinked = link === `[${numberOf(page)}](${basename(page)})`
      const isTitled = textOf(page).startsWith(`# ${Number(numberOf(page))}. ${title}\n`)
      return isWithdrawn || (isLinked && isTitled)
        ? []
        : [`${page}: its row has another title or link`]
    })
    assertNone(faults)
  })

  it('have rows in order, each with a date and a known status', () => {
    const numbers = rows.map(([number = '']) => /\d{4}/.exec(number)?.[0] ?? '')
    assert.deepEqual(numbers, numbers.toSorted())
    assertNone(
      rows
        .filter(
          ([, , date = '', status = '']) =>
            !/^\d{4}-\d\d-\d\d$/.test(date) ||
            !/^(accepted|superseded by \d{4}|withdrawn: .+)$/.test(status),
        )
        .map(
          (row) => `${row.join(' | ')}: give a date and accepted, superseded by NNNN, or withdrawn`,
        ),
    )
  })
})

function numberOf(page: string): string {
  return basename(page).slice(0, 4)
}
