import { type Outcome, row } from '../outcome.ts'
import { freePort } from '../../test/support/free-ports.ts'
import { memoryOf, pause } from '../processes.ts'
import { bareHttpName } from '../subjects/bare-http.ts'
import { launched } from '../subjects/launched.ts'
import { nuncio } from '../subjects/nuncio.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** What starts are measured with. */
export interface StartPlan {
  readonly rounds: number
  /** A folder with a store, and the messages in it. */
  readonly full: { readonly folder: string; readonly rows: number }
}

/** How long a process is left alone before its memory is read. */
const restMs = 2000

/** From the start of the process to its first answer, and the memory that it holds when left alone. */
export async function starts({ rounds, full }: StartPlan): Promise<Outcome[]> {
  const figures = { empty: [] as Begun[], full: [] as Begun[], bare: [] as Begun[] }
  for (let round = 0; round < rounds; round += 1) {
    figures.bare.push(await startBare())
    using folder = temporaryFolder()
    await nuncio.prepare(folder.path, 0)
    figures.empty.push(await startOurs(folder.path, 0))
    figures.full.push(await startOurs(full.folder, full.rows))
  }
  const many = `${full.rows.toLocaleString('en')} messages`
  const outcome = (work: string, title: string, unit: string, value: keyof Begun): Outcome[] =>
    (['empty', 'full'] as const).map((store) => ({
      work: `${work}-${store}`,
      title: `${title}, ${store === 'empty' ? 'empty store' : many}`,
      unit,
      isLessBetter: true,
      rows: [
        row(
          'Nuncio',
          'ours',
          figures[store].map((begun) => begun[value]),
        ),
        row(
          bareHttpName,
          'ceiling',
          figures.bare.map((begun) => begun[value]),
        ),
      ],
      notes: [],
    }))
  return [
    ...outcome('start', 'Start to ready', 'ms', 'startMs'),
    ...outcome('rest', 'Memory at rest', 'MB', 'megabytes'),
  ]
}

interface Begun {
  readonly startMs: number
  readonly megabytes: number
}

async function startOurs(folder: string, rows: number): Promise<Begun> {
  await using service = await nuncio.launch(folder, rows)
  await pause(restMs)
  return { startMs: service.startMs, megabytes: memoryOf(service.pid)?.now ?? 0 }
}

async function startBare(): Promise<Begun> {
  const port = await freePort()
  const script = `require('http').createServer((q, r) => r.end('{}')).listen(${port}, '127.0.0.1')`
  await using bare = await launched(
    { program: process.execPath, args: ['-e', script], cwd: '/', env: {} },
    port,
    '/',
  )
  await pause(restMs)
  return { startMs: bare.startMs, megabytes: memoryOf(bare.pid)?.now ?? 0 }
}
