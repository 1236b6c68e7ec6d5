import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { blocksOf, commandsOf, type Block } from './blocks.ts'
import { databaseShown, newReader, root, type Reader } from './reader.ts'
import { noPostgres, testDatabase } from '../../support/postgres/database.ts'
import { isAsShown, isJsonAsShown, meaningfulLines } from './shown.ts'
import { openShell, openTerminal, type Shell, type Terminal } from './terminal.ts'

/** What the following of a page has come to. */
interface Following {
  readonly reader: Reader
  readonly shell: Shell
  readonly terminals: Map<string, Terminal>
  /** What the last commands have printed. */
  printed: string
}

/** Follows a page from its beginning to its end: one subtest for each block. */
export async function runPage(t: TestContext, page: string): Promise<void> {
  const blocks = blocksOf(await readFile(join(root, page), 'utf8'))
  await using parts = new AsyncDisposableStack()
  const needsDatabase = blocks.some(({ text }) => text.includes(databaseShown))
  const missing = needsDatabase ? await noPostgres() : false
  const database = needsDatabase && missing === false ? parts.use(await testDatabase()).url : null
  const reader = parts.use(await newReader(database))
  const shell = parts.use(openShell(reader))
  const terminals = new Map<string, Terminal>()
  parts.defer(async () => {
    for (const terminal of terminals.values()) await terminal[Symbol.asyncDispose]()
  })
  const following: Following = { reader, shell, terminals, printed: '' }
  if (needsService(blocks)) await startService(following)

  let failed: string | null = null
  for (const [index, block] of blocks.entries()) {
    // What follows goes on from there.
    if (missing !== false && block.text.includes(databaseShown)) failed ??= missing
    const title = `${page}:${block.line} ${titleOf(block)}`
    await t.test(title, { skip: failed ?? reasonNotToRun(block) ?? false }, async () => {
      failed = `line ${block.line} failed`
      await follow(block, blocks[index + 1], following)
      failed = null
    })
  }
}

/** Tells whether a block shows commands that need this program. */
export function uses(program: string, page: string): boolean {
  const word = new RegExp(`\\b${program}\\b`)
  return blocksOf(page).some(
    (block) => ['sh', 'console'].includes(block.language) && word.test(block.text),
  )
}

function titleOf({ text, language }: Block): string {
  const first = text.split('\n').find((line) => line.trim() !== '') ?? ''
  const title = first.replace(/^\$ /, '').slice(0, 60)
  return language === 'json' ? 'the answer' : title
}

function reasonNotToRun({ language, instruction }: Block): string | null {
  if (instruction?.kind === 'NOT_RUN') return instruction.reason
  return language === 'text' && instruction === null ? 'a drawing' : null
}

/** A page that does not start the service itself finds one running, with its key in NUNCIO_KEY. */
function needsService(blocks: readonly Block[]): boolean {
  const run = blocks.filter(({ instruction }) => instruction?.kind !== 'NOT_RUN')
  return (
    run.some(({ text }) => text.includes('127.0.0.1:8080')) &&
    !run.some(({ text }) => /npm start|nuncio serve/.test(text))
  )
}

async function startService({ reader, shell, terminals }: Following): Promise<void> {
  const service = await openTerminal(reader, 'service', 'exec npx nuncio serve')
  terminals.set('service', service)
  await service.prints('…\nRead on at …')
  await shell.run(`export NUNCIO_KEY=${reader.key()}`)
}

async function follow(block: Block, next: Block | undefined, following: Following): Promise<void> {
  const { language, text, instruction } = block
  if (instruction?.kind === 'FILE') return following.reader.write(instruction.name, text)
  if (instruction?.kind === 'TERMINAL') return inTerminal(instruction.name, block, following)
  switch (language) {
    case 'sh':
      return runCommands(text, showsRefusal(next), following)
    case 'console':
      return runTranscript(text, following)
    case 'json':
      return compareAnswer(text, following)
    default:
      assert.fail(
        `a block in "${language}" needs a comment above it: <!-- file: name -->, ` +
          '<!-- terminal: name --> or <!-- not run: reason -->',
      )
  }
}

async function runCommands(text: string, mayFail: boolean, following: Following): Promise<void> {
  const { output, exitCode } = await following.shell.run(text)
  following.printed = output
  assert.ok(mayFail || exitCode === 0, `exit code ${exitCode}:\n${output}`)
}

async function runTranscript(text: string, following: Following): Promise<void> {
  for (const { script, shown } of commandsOf(text)) {
    const { output } = await following.shell.run(script)
    following.printed = output
    assert.ok(
      isAsShown(shown ?? '', output),
      `$ ${script}\nshould print:\n${shown}\nit prints:\n${output}`,
    )
  }
}

function compareAnswer(shown: string, { printed }: Following): void {
  const answer = meaningfulLines(printed).at(-1) ?? ''
  assert.ok(isJsonAsShown(shown, answer), `should be:\n${shown}\nis:\n${answer}`)
}

/** A refusal that is shown is no failure of the command before it. */
function showsRefusal(next: Block | undefined): boolean {
  return next?.language === 'json' && next.text.includes('"type": "/problems/')
}

async function inTerminal(name: string, block: Block, following: Following): Promise<void> {
  const { reader, terminals } = following
  const open = terminals.get(name)
  if (block.language === 'text') {
    if (open === undefined) assert.fail(`there is no terminal "${name}" yet`)
    if (!block.text.startsWith('^C')) return open.prints(block.text)
    await open.interrupt()
    return open.prints(block.text.slice('^C'.length))
  }

  await open?.[Symbol.asyncDispose]()
  const commands =
    block.language === 'console' ? commandsOf(block.text) : [{ script: block.text, shown: null }]
  const script = commands.map((command) => command.script).join('\n')
  const terminal = await openTerminal(reader, name, script)
  terminals.set(name, terminal)
  await terminal.prints(commands.map(({ shown }) => shown ?? '').join('\n'))
}
