import type { MaybePromise } from '../../../src/core/maybe-promise.ts'
import { StoreUnavailable, type Store, type Transaction } from '../../../src/core/ports/store.ts'
import type { Machine } from './machine.ts'
import { noDeeds } from './witness.ts'
import { pass, type World } from './world.ts'

/** How a store is spoiled on purpose, to see whether that is noticed. */
export interface StorePlant {
  /** What a process is given in the place of a transaction. */
  readonly transaction?: (transaction: Transaction, machine: Machine) => Transaction
  /** The answer comes before the commit. */
  readonly answersEarly?: boolean
}

/**
 * The disk as one process has it: slow, at times not to be written. The process dies at any await,
 * before a commit (then nothing of it is durable) or after it (then all is, and nobody knows).
 */
export function storeView(world: World, machine: Machine, plant: StorePlant): Store {
  const { disk, dice, temper, witness } = world

  const unheard: (() => void)[] = []
  /** What others committed is told of a little later, all of one instant together. */
  const tellLater = (tell: () => void): void => {
    unheard.push(tell)
    if (unheard.length > 1) return
    world.timeline.after(1, () => {
      for (const each of unheard.splice(0)) machine.enter(each)
    })
  }

  const call = async <T>(work: () => Promise<T>): Promise<T> => {
    machine.burn()
    if (machine.state() === 'DEAD') return new Promise(() => {})
    return machine.through(work())
  }
  const slowly = async (): Promise<void> => {
    if (dice.strikes(temper.storeSlow)) await pass(world, dice.fraction() * 200)
  }

  const transact = async <T>(work: (transaction: Transaction) => MaybePromise<T>): Promise<T> => {
    await slowly()
    const fails = dice.strikes(temper.storeFails)
    const whenItFails = fails ? dice.below(3) : -1
    if (fails) world.note(`${machine.name} has a transaction fail, ${failures[whenItFails]}`)
    if (whenItFails === 0) throw unavailable
    const deeds = noDeeds()
    let answerEarly: (result: T) => void = () => {}
    const early = new Promise<T>((resolve) => (answerEarly = resolve))
    const done = disk.transact(async (transaction) => {
      const given = plant.transaction?.(transaction, machine) ?? transaction
      const result = await machine.unlessDead(Promise.resolve(work(witness.watch(given, deeds))))
      answerEarly(result)
      if (plant.answersEarly === true) await machine.unlessDead(pass(world, 20))
      // Whatever it did in memory, it is undone on the disk.
      if (whenItFails === 1) throw unavailable
      world.committing = machine
      return result
    })
    const committed = done.then((result) => {
      witness.committed(deeds)
      return result
    })
    if (plant.answersEarly === true) {
      committed.catch(() => {})
      return Promise.race([early, committed])
    }
    const result = await committed
    machine.burn()
    await slowly()
    if (whenItFails === 2) throw unavailable
    return result
  }

  return {
    name: 'simulated',
    isShared: disk.isShared,
    read: (account, work) => call(() => disk.read(account, work)),
    page: (...asked) => call(() => disk.page(...asked)),
    count: (...asked) => call(() => disk.count(...asked)),
    findKey: (digest) => call(async () => disk.findKey(digest)),
    transact: (work) => call(() => transact(work)),
    shards: disk.shards,
    shardOf: disk.shardOf,
    log: {
      ...disk.log,
      read: (...asked) => call(() => disk.log.read(...asked)),
      sum: (...asked) => call(() => disk.log.sum(...asked)),
      count: (...asked) => call(() => disk.log.count(...asked)),
      end: (account) => call(() => disk.log.end(account)),
      ends: (accounts) => call(() => disk.log.ends(accounts)),
    },
    maintain: (...asked) =>
      call(async () => {
        const left = await disk.maintain(...asked)
        await witness.trimmed()
        return left
      }),
    onCommit: (listener) =>
      disk.onCommit((commit) => {
        if (world.committing === machine) return machine.enter(() => listener(commit))
        if (dice.strikes(temper.commitUnheard) || machine.state() === 'DEAD') return
        tellLater(() => listener(commit))
      }),
    async [Symbol.asyncDispose]() {},
  }
}

const failures = ['before it', 'at its commit', 'after its commit']

const unavailable = new StoreUnavailable('the disk is full')
