import { isFinal } from '../../src/core/declaration/collection.ts'
import { messageStates } from '../../src/collections/messages.ts'
import { firstStart } from '../../src/collections/first-start.ts'
import { typeIds } from '../../src/core/id.ts'
import { adminKey, clients, seedClients } from './parts/clients.ts'
import { startNode, type Node } from './parts/node.ts'
import { owner, type Owner } from './parts/owner.ts'
import { phones, type Phones } from './parts/phones.ts'
import { receivers, type Receivers } from './parts/receivers.ts'
import { seedRecipients } from './parts/broadcaster.ts'
import type { Plant } from './parts/plants.ts'
import { openWorld, pass, type Noted, type World } from './parts/world.ts'

/** What a schedule came to. */
export interface Simulated {
  readonly seed: number
  /** What must never be and was. Empty where all is well. */
  readonly complaints: readonly string[]
  readonly trace: readonly Noted[]
  readonly accepted: number
  readonly acknowledged: number
  readonly crashes: number
  readonly replays: number
  readonly broadcasts: number
  readonly steps: number
}

const dayMs = 24 * 3_600_000

/** No claim holds longer, and no message is scheduled for later. */
const dueWithinMs = 40 * 60_000

/** Plays one schedule: what happens in it follows from the seed, and from the fault that is planted. */
export async function simulate(seed: number, plant?: Plant): Promise<Simulated> {
  const world = openWorld(seed)
  const { dice, temper, timeline } = world
  await firstStart(world.disk, adminKey, {
    clock: timeline,
    random: world.random,
    newId: typeIds(timeline, world.random),
  })
  await seedClients(world.disk, timeline.now())
  if (temper.broadcasts > 0) await seedRecipients(world.disk, timeline.now())
  const outside = { phones: phones(world), receivers: receivers(world) }
  const nodes: Node[] = []
  const play: Play = { world, outside, nodes, plant, count: { started: 0, crashes: 0 } }
  for (let index = 0; index < temper.nodes; index += 1) nodes.push(start(play))
  const around = { nodes, phones: outside.phones, hooks: outside.receivers.hooks }
  const owners = clients.map((client) => owner(world, client, around))
  for (const [index, client] of owners.entries()) {
    const hooks = index === 0 ? 1 + dice.below(2) : 1
    for (let count = 0; count < hooks; count += 1) client.addHook()
  }

  const steps = 10 + dice.below(40)
  for (let step = 0; step < steps && world.complaints.length === 0; step += 1) {
    befall(play)
    dice.pick(owners)?.act()
    const isLong = dice.fraction() < 0.1
    await timeline.advance(dice.below(isLong ? 60_000 : 1500))
    bury(play)
  }
  await calm(play, owners)
  return {
    seed,
    complaints: world.complaints,
    trace: world.trace,
    accepted: owners.reduce((sum, { accepted }) => sum + accepted.size, 0),
    acknowledged: [...outside.receivers.hooks.values()].reduce(
      (sum, { acknowledged }) => sum + acknowledged,
      0,
    ),
    crashes: play.count.crashes,
    replays: world.witness.replays.size,
    broadcasts: world.witness.broadcasts.size,
    steps,
  }
}

/** All that a schedule consists of. */
interface Play {
  readonly world: World
  readonly outside: { readonly phones: Phones; readonly receivers: Receivers }
  readonly nodes: Node[]
  readonly plant: Plant | undefined
  readonly count: { started: number; crashes: number }
}

function start({ world, outside, plant, count }: Play): Node {
  const node = startNode(`node-${(count.started += 1)}`, world, outside, plant)
  const { dice, temper } = world
  if (dice.strikes(temper.kills)) node.machine.fuse = 1 + dice.below(200)
  return node
}

/** Something may befall the machines. */
function befall({ world, nodes }: Play): void {
  const { dice, temper, timeline } = world
  const machine = dice.pick(nodes)?.machine
  if (machine === undefined) return
  if (dice.strikes(temper.kills)) machine.fuse = Math.min(machine.fuse, 1 + dice.below(60))
  if (dice.strikes(temper.pauses)) {
    world.note(`${machine.name} is paused`)
    machine.pause()
    void pass(world, dice.fraction() * 120_000).then(() => machine.resume())
  }
  if (dice.strikes(temper.stops)) void dice.pick(nodes)?.stop()
  if (dice.strikes(temper.jumps)) {
    const jumpMs = (dice.fraction() * 2 - 1) * (temper.longJumps ? 10 * dayMs : 300_000)
    world.note(`the wall clock jumps by ${Math.round(jumpMs / 1000)} s`)
    timeline.jump(Math.round(jumpMs))
    world.latest = Math.max(world.latest, timeline.now() + temper.driftMs)
  }
}

/** Where a process is dead another is started. */
function bury(play: Play): void {
  const { nodes, world, count } = play
  for (const [index, { machine }] of nodes.entries()) {
    if (machine.state() !== 'DEAD') continue
    world.note(`${machine.name} is dead`)
    count.crashes += 1
    nodes[index] = start(play)
  }
}

/** Nothing goes wrong any more: all must come to rest, and be as it should. */
async function calm(play: Play, owners: readonly Owner[]): Promise<void> {
  const { world, nodes, outside } = play
  const { timeline } = world
  world.isRough = false
  world.note('all is calm')
  for (const { machine } of nodes) {
    machine.fuse = Infinity
    machine.resume()
  }
  const hooks = [...outside.receivers.hooks.values()]
  for (let round = 0; round < 40 && world.complaints.length === 0; round += 1) {
    bury(play)
    for (const hook of hooks) {
      const client = owners.find(({ account }) => account === hook.account)
      if (hook.owed().length > 0 || hook.isReplaying) void client?.revive(hook)
    }
    if (await comesToRest(play, owners)) break
    // Claims, validities and leases run out, whatever a clock showed when they were made.
    if (isAnswered(owners) && timeline.now() < world.latest + 4 * dayMs) {
      timeline.jump(world.latest + 4 * dayMs - timeline.now())
    }
  }
  // What is left behind comes due now: a claim, or a time that a message was scheduled for.
  timeline.jump(Math.max(world.latest - timeline.now(), 0) + dueWithinMs)
  await timeline.advance(8000)
  if (world.complaints.length === 0) await checkAll(play, owners)
  await askAfterBroadcasts(play, owners)
}

async function askAfterBroadcasts(play: Play, owners: readonly Owner[]): Promise<void> {
  const { world } = play
  let isOver = false
  void Promise.all(owners.map(({ broadcasts }) => broadcasts.check())).then(() => (isOver = true))
  for (let slice = 0; slice < 60 && !isOver; slice += 1) {
    bury(play)
    await world.timeline.advance(slice === 0 ? 100 : 2000)
  }
  if (!isOver) world.complain('nobody answers what became of a broadcast')
}

/** Gives it a minute, and ends as soon as all is done. */
async function comesToRest(play: Play, owners: readonly Owner[]): Promise<boolean> {
  const { world } = play
  for (let sliceMs = 0; sliceMs < 60_000 && world.complaints.length === 0; sliceMs += 2000) {
    await world.timeline.advance(2000)
    if (isDone(play, owners)) return true
  }
  return false
}

function isDone({ world, outside }: Play, owners: readonly Owner[]): boolean {
  const hooks = [...outside.receivers.hooks.values()]
  const unfinished = [...world.witness.messages.values()].some(({ status }) =>
    isUnfinished(status.type),
  )
  return (
    !unfinished &&
    isAnswered(owners) &&
    !owners.some(({ broadcasts }) => broadcasts.isWaiting()) &&
    hooks.every((hook) => hook.owed().length === 0 && !hook.isReplaying)
  )
}

function isAnswered(owners: readonly Owner[]): boolean {
  return owners.every((client) => client.open() === 0)
}

function isUnfinished(status: keyof typeof messageStates.steps): boolean {
  return !isFinal(messageStates, status) && status !== 'UNKNOWN'
}

/** What must be true in the end, whatever happened. */
async function checkAll(play: Play, owners: readonly Owner[]): Promise<void> {
  const { world, outside } = play
  const { witness, complain } = world
  const { taken, incoming } = outside.phones
  for (const client of owners) checkClient(play, client)
  for (const { id, status, history } of witness.messages.values()) {
    if (isUnfinished(status.type)) complain(`${id} stays ${status.id}`)
    const marks = history.filter((entry) => entry.status === 'ACCEPTED.RESUBMITTED').length
    if ((taken.get(id) ?? 0) > 1 + marks) complain(`${id} was sent again without a mark`)
  }
  // Where the clock leaps on by weeks a part may be forgotten, by that clock rightly, before its receipt comes.
  const kept = world.temper.longJumps ? [] : witness.messages.values()
  for (const { id, status, history } of kept) {
    const isSentOnce = taken.get(id) === 1 && history.some((entry) => entry.status === 'SENT.null')
    const outcomes = isSentOnce ? [...(outside.phones.told.get(id)?.values() ?? [])] : []
    const isTold = outcomes.length > 0 && outcomes.every((outcome) => outcome !== null)
    if (isTold && status.type === 'UNKNOWN') complain(`${id} has lost its receipts`)
  }
  const received = new Set([...witness.messages.values()].map(({ body }) => body))
  for (const body of incoming)
    if (!received.has(body)) complain(`"${body}" was received and is lost`)
  for (const hook of outside.receivers.hooks.values()) {
    const owed = hook.owed()
    if (owed.length > 0) complain(`${hook.id} never got ${owed.join()}`)
    if (hook.isReplaying) complain(`${hook.id} has a replay that comes to no end`)
  }
}

/** What must be true for each client in the end. */
function checkClient({ world, nodes, outside }: Play, client: Owner): void {
  const { witness, complain } = world
  const { handed } = outside.phones
  if (client.open() > 0) complain(`${client.open()} requests are never answered`)
  for (const id of client.accepted) {
    if (!witness.messages.has(id) && !client.removed.has(id)) complain(`${id} is lost`)
  }
  for (const [id, before] of client.cancelled) {
    if ((handed.get(id) ?? 0) > before) complain(`${id} was sent after it was cancelled`)
  }
  // Other nodes hear of it a little later.
  for (const [id, before] of nodes.length > 1 ? [] : client.removed) {
    if (before !== null && (handed.get(id) ?? 0) > before)
      complain(`${id} was sent after it was deleted`)
  }
  for (const [key, ids] of world.temper.longJumps ? [] : client.byKey) {
    const made = [...witness.messages.values()].filter((each) => each.userSuppliedId === key)
    const all = new Set([...ids, ...made.map(({ id }) => id)])
    if (all.size > 1) complain(`${key} made ${[...all].join()}`)
  }
}
