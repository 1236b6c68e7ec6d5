import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { describe, it } from 'node:test'
import { temporaryDirectory } from './temporary-directory.ts'

const module = new URL('../../src/stores/sqlite/temporary-store.ts', import.meta.url).href

describe('the store memory:', () => {
  for (const [end, script] of [
    ['closes', 'await store[Symbol.asyncDispose]()'],
    ['is lost with its process', "throw new Error('the process fails')"],
  ] as const) {
    it(`is one directory below the temporary one, removed when it ${end}`, async () => {
      await using directory = await temporaryDirectory()
      const temporary = directory.file('tmp')
      mkdirSync(temporary)

      const { stdout } = spawnSync(
        process.execPath,
        [
          '--input-type=module',
          '--eval',
          `import { readdirSync } from 'node:fs'
          import { temporaryStore } from '${module}'
          const store = await temporaryStore([])
          console.log(readdirSync(process.env.TMPDIR).length)
          ${script}`,
        ],
        { encoding: 'utf8', env: { ...process.env, TMPDIR: temporary } },
      )

      assert.equal(stdout.trim(), '1')
      assert.deepEqual(readdirSync(temporary), [])
    })
  }
})
