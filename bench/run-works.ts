import { mkdirSync } from 'node:fs'
import type { Pace } from './interleave.ts'
import type { Options } from './options.ts'
import type { Outcome } from './outcome.ts'
import type { Participant } from './reporting/results.ts'
import { directus } from './subjects/directus.ts'
import { contenderNames, install, isInstalled, versionIn } from './subjects/install.ts'
import { kannelDurability, kannelFault } from './subjects/kannel.ts'
import { nuncio } from './subjects/nuncio.ts'
import { npmContenders } from './subjects/npm-contenders.ts'
import { type Postgres, postgresDurability, startPostgres } from './subjects/postgres.ts'
import type { Candidate } from './subjects/subject.ts'
import { onPostgres, sqliteAlone } from './works/ceilings.ts'
import { deadWebhooks } from './works/dead-webhooks.ts'
import { deliveries } from './works/deliveries.ts'
import { type Filled, growth } from './works/growth.ts'
import { httpWork, httpWorks, type Started } from './works/http.ts'
import { journey } from './works/journey.ts'
import { neighbour } from './works/neighbour.ts'
import { overSmpp } from './works/over-smpp.ts'
import { starts } from './works/start.ts'
import { temporaryFolder } from './works/temporary-folder.ts'
import { underLoad } from './works/under-load.ts'

/** What all works together found. */
export interface Found {
  readonly outcomes: readonly Outcome[]
  readonly participants: readonly Participant[]
  readonly absent: readonly string[]
}

type Say = (line: string) => void

/**
 * Runs the works that are wanted, one after the other, and shows each as soon as it is done, with all
 * that was found until then.
 */
export async function runWorks(
  options: Options,
  say: Say,
  show: (outcome: Outcome, found: Found) => void,
): Promise<Found> {
  const outcomes: Outcome[] = []
  const absent: string[] = []
  const present = await installed(options, say, absent)
  const participants: Participant[] = [nuncio]
  const wants = (...works: readonly string[]): boolean =>
    options.only.length === 0 ||
    works.some((work) => options.only.some((name) => work.startsWith(name)))
  /** Measures, keeps and shows what is wanted. One work that fails does not take the others with it. */
  const keep = async (name: string, work: () => Promise<readonly Outcome[]>): Promise<void> => {
    try {
      for (const outcome of (await work()).filter((found) => wants(found.work))) {
        outcomes.push(outcome)
        show(outcome, { outcomes, participants, absent })
      }
    } catch (error) {
      absent.push(`${name} was not measured: ${String(error)}`)
      say(`FAILED: ${absent.at(-1)}`)
    }
  }
  const pace: Pace = options

  if (wants('sqlite')) await keep('SQLite alone', () => sqliteAlone(pace, options.rows))
  const wanted = httpWorks.filter(({ work }) => wants(work))
  if (wanted.length > 0) {
    await using started = await startAll(options, present, { say, absent, participants })
    for (const work of wanted) {
      await keep(work.title, async () => [await httpWork(work, started.all, pace)])
    }
  }
  if (wants('journey')) {
    await keep('the way of a message', () => journey({ ...options, seconds: options.sustain }))
  }
  if (wants('smpp')) {
    const fault =
      options.contenders?.includes('kannel') === false ? 'not wanted' : await kannelFault()
    if (fault === null) participants.push(kannelParticipant)
    else absent.push(`Kannel: ${fault}`)
    const messages = options.perSecond * Math.min(options.sustain, 4)
    const plan = { ...options, messages, hasKannel: fault === null }
    await keep('the way over SMPP', () => overSmpp(plan))
  }
  if (wants('deliveries', 'post-postgres')) {
    await using postgres = await postgresOr(absent)
    const { server } = postgres
    const queues = present.filter((name) => queueNames.includes(name))
    for (const name of queues) {
      const version = `${name} ${versionIn(name, name)}`
      participants.push({ name, version, durability: postgresDurability })
    }
    if (server !== null && wants('post-postgres')) {
      await keep('POST on PostgreSQL', () => onPostgres(server, pace))
    }
    if (wants('deliveries')) {
      const plan = { ...options, webhooks: 16, postgres: server, queues }
      await keep('deliveries', () => deliveries(plan))
    }
  }
  if (wants('webhooks')) {
    const messages = options.isQuick ? 20 : 100
    await keep('dead webhooks', () => deadWebhooks({ ...options, messages }))
  }
  if (wants('neighbour')) {
    await keep('a quiet neighbour', () =>
      neighbour({ ...options, rounds: Math.min(options.rounds, 3) }),
    )
  }
  if (wants('memory-load')) await keep('memory under load', () => underLoad(pace))
  if (wants('start', 'rest', 'growth', 'deep')) {
    using folder = temporaryFolder()
    const stores = await fillAll(folder.path, options.sizes, say)
    const full = stores.at(-1)
    if (full !== undefined && wants('start', 'rest')) {
      await keep('starts', () => starts({ ...options, full }))
    }
    if (wants('growth', 'deep')) await keep('growth', () => growth(stores, pace))
  }
  return { outcomes, participants, absent }
}

const kannelParticipant: Participant = {
  name: 'Kannel',
  version: 'Debian’s kannel 1.4.5',
  durability: kannelDurability,
}

const queueNames = ['pg-boss', 'graphile-worker']

/** Those that npm installs and that are there; a quick run installs none. */
async function installed(
  { contenders, isQuick }: Options,
  say: Say,
  absent: string[],
): Promise<readonly string[]> {
  return contenderNames.filter((name) => {
    if (contenders !== null && !contenders.includes(name)) return false
    if (isQuick && contenders === null && !isInstalled(name)) {
      absent.push(`${name} is not installed, and a quick run installs nothing`)
      return false
    }
    const fault = install(name, say)
    if (fault !== null) absent.push(`${name} cannot be installed: ${fault}`)
    return fault === null
  })
}

interface All extends AsyncDisposable {
  readonly all: readonly Started[]
}

/** Starts the service and each contender over the same messages. One that does not start is absent. */
async function startAll(
  { rows }: Options,
  present: readonly string[],
  told: { readonly say: Say; readonly absent: string[]; readonly participants: Participant[] },
): Promise<All> {
  await using opened = new AsyncDisposableStack()
  const all: Started[] = []
  const makers: Readonly<Record<string, () => Candidate>> = { ...npmContenders, directus }
  const candidates = present.flatMap((name) => makers[name]?.() ?? [])
  for (const candidate of [nuncio, ...candidates]) {
    const folder = opened.use(temporaryFolder())
    told.say(`filling ${candidate.name} with ${rows.toLocaleString('en')} messages …`)
    try {
      await candidate.prepare(folder.path, rows)
      const subject = opened.use(await candidate.launch(folder.path, rows))
      all.push({ candidate, subject })
      if (candidate !== nuncio) told.participants.push(candidate)
    } catch (error) {
      if (candidate === nuncio) throw error
      told.absent.push(`${candidate.name} did not start: ${String(error)}`)
    }
  }
  const kept = opened.move()
  return { all, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

interface Served extends AsyncDisposable {
  readonly server: Postgres | null
}

async function postgresOr(absent: string[]): Promise<Served> {
  try {
    const server = await startPostgres()
    return { server, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
  } catch (error) {
    absent.push(`PostgreSQL cannot be had: ${String(error)}`)
    return { server: null, [Symbol.asyncDispose]: async () => {} }
  }
}

async function fillAll(
  folder: string,
  sizes: readonly number[],
  say: Say,
): Promise<readonly Filled[]> {
  const stores: Filled[] = []
  for (const rows of sizes) {
    const own = `${folder}/${rows}`
    mkdirSync(own)
    say(`filling a store with ${rows.toLocaleString('en')} messages …`)
    await nuncio.prepare(own, rows)
    stores.push({ folder: own, rows })
  }
  return stores
}
