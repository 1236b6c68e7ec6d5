import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, it } from 'node:test'
import type { Row, SqlConnection } from '../../src/stores/sql/connection.ts'
import { moveRows } from '../../src/stores/sql/moving/move-rows.ts'
import type { MoveState } from '../../src/stores/sql/moving/move-state.ts'
import type { TableMove } from '../../src/stores/sql/moving/plan-move.ts'
import type { RowValues, StoreEnd, TargetEnd } from '../../src/stores/sql/moving/store-end.ts'

const move: TableMove = {
  table: { name: 'counters', order: ['id'], collection: null } as unknown as TableMove['table'],
  columns: ['id'],
  rewritten: null,
  reading: { table: 'counters', order: ['id'], columns: ['id'], long: [], only: null },
}

const notMoved: MoveState = { from: 'sqlite:old.db', tables: {} }

/** A connection of which a test uses these statements alone. */
function connectionWith(statements: Partial<SqlConnection>): SqlConnection {
  const unused = (): never => assert.fail('this statement is not expected')
  return new Proxy(statements as SqlConnection, {
    get: (target, name) => Reflect.get(target, name) ?? unused,
  })
}

/** A source with rows of one column, in slices of two. */
function sourceOf(ids: readonly number[]): StoreEnd {
  const connection = connectionWith({
    all: async (_sql, params) => {
      const after = params.length > 1 ? Number(params[0]) : 0
      return ids
        .filter((id) => id > after)
        .slice(0, 2)
        .map((id): Row => [id, id])
    },
  })
  return { connection } as StoreEnd
}

/** A target whose statements take time, and which notes what it does. It fails before `failing` if given. */
function slowTarget(failing: number | null = null) {
  const steps: string[] = []
  let state = notMoved
  const connection = connectionWith({
    run: async (_sql, params) => {
      await nextTurn()
      state = JSON.parse(String(params[0]))
      steps.push(`state ${JSON.stringify(state.tables['counters'])}`)
      return 1
    },
  })
  const target = {
    connection,
    insert: async (_table: string, _columns: readonly string[], rows: readonly RowValues[]) => {
      await nextTurn()
      await nextTurn()
      const ids = rows.map(([id]) => id)
      if (failing !== null && ids.includes(failing)) throw new Error(`no room for ${failing}`)
      steps.push(`rows ${ids.join(' ')}`)
    },
    transact: async (work: () => Promise<void>) => {
      steps.push('begin')
      await work()
      steps.push('commit')
    },
  } as unknown as TargetEnd
  return { target, steps, state: () => state }
}

describe('moving the rows of a table', () => {
  it('commits each slice after its rows, together with how far it has come', async () => {
    const { target, steps } = slowTarget()
    const told: number[] = []

    await moveRows({ source: sourceOf([1, 2, 3]), target }, [move], notMoved, (_move, rows) => {
      told.push(rows)
    })

    assert.deepEqual(steps, [
      'begin',
      'rows 1 2',
      'state {"after":[2],"rows":2,"isDone":false}',
      'commit',
      'begin',
      'rows 3',
      'state {"after":[3],"rows":3,"isDone":false}',
      'commit',
      'begin',
      'state {"after":[3],"rows":3,"isDone":true}',
      'commit',
    ])
    assert.deepEqual(told, [0, 2, 1])
  })

  it('stops at rows that the target refuses, and resumes before them', async () => {
    const source = sourceOf([1, 2, 3, 4])
    const failing = slowTarget(3)
    await assert.rejects(
      moveRows({ source, target: failing.target }, [move], notMoved, () => {}),
      { message: 'no room for 3' },
    )
    const again = slowTarget()

    await moveRows({ source, target: again.target }, [move], failing.state(), () => {})

    const rows = [...failing.steps, ...again.steps].filter((step) => step.startsWith('rows'))
    assert.deepEqual(rows, ['rows 1 2', 'rows 3 4'])
  })

  it('leaves out a table that is moved already', async () => {
    const { target, steps } = slowTarget()
    const done = { ...notMoved, tables: { counters: { after: [2], rows: 2, isDone: true } } }

    await moveRows({ source: sourceOf([1, 2, 3]), target }, [move], done, () => {})

    assert.deepEqual(steps, [])
  })
})
