import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { loadConfig } from '../../src/config/load-config.ts'
import { blocksOf } from './support/blocks.ts'
import { hasProgram, root } from './support/reader.ts'

const blocks = blocksOf(readFileSync(join(root, 'docs/how-to/deploy.md'), 'utf8'))
const [unit = '', variables = ''] = textsIn('ini')
const [dockerfile = ''] = textsIn('dockerfile')

const hasSystemd = hasProgram('systemd-analyze')

describe('The examples of a deployment', () => {
  it('start the service with settings that it takes', async () => {
    const ofUnit = settingsIn(`${unit.replaceAll(/^Environment=/gm, '')}\n${variables}`)
    const ofImage = settingsIn(
      dockerfile.replaceAll(/^ENV (.*)$/gm, (_, pairs: string) => pairs.replaceAll(' ', '\n')),
    )

    const loaded = [
      await loadConfig({ flags: {}, environment: ofUnit, cwd: tmpdir() }),
      await loadConfig({ flags: {}, environment: ofImage, cwd: tmpdir() }),
    ]

    assert.deepEqual(Object.keys(ofUnit), ['NUNCIO_STORE', 'NUNCIO_ADMIN_KEY', 'NUNCIO_SECRET_KEY'])
    assert.deepEqual(Object.keys(ofImage), ['NUNCIO_HOST', 'NUNCIO_STORE'])
    assert.deepEqual(
      loaded.map(({ ok }) => ok),
      [true, true],
    )
  })

  it(
    'have a unit that systemd understands',
    {
      skip: hasSystemd ? false : 'systemd-analyze is not on this machine',
    },
    async (t) => {
      const folder = await mkdtemp(join(tmpdir(), 'nuncio-unit-'))
      t.after(() => rm(folder, { recursive: true }))
      const file = join(folder, 'nuncio.service')
      await writeFile(file, unit.replaceAll('/opt/nuncio', root))

      const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], {
        encoding: 'utf8',
      })

      assert.deepEqual(
        { status, ofUnit: linesAbout('nuncio.service', stderr) },
        { status: 0, ofUnit: [] },
      )
    },
  )

  it('have an image whose steps are known, and whose program is here', () => {
    const steps = dockerfile.split('\n').map((line) => line.split(' ', 1)[0] ?? '')
    const program: unknown = JSON.parse(/^CMD (.*)$/m.exec(dockerfile)?.[1] ?? '[]')

    assert.deepEqual(steps, [
      'FROM',
      'WORKDIR',
      'COPY',
      'RUN',
      'USER',
      'RUN',
      'ENV',
      'VOLUME',
      'EXPOSE',
      'CMD',
    ])
    assert.deepEqual(program, ['node', 'bin/nuncio.js', 'serve'])
    assert.ok(existsSync(join(root, 'bin/nuncio.js')))
  })
})

function textsIn(language: string): readonly string[] {
  return blocks.filter((block) => block.language === language).map(({ text }) => text)
}

/** The settings in lines `NUNCIO_NAME=value`. */
function settingsIn(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...text.matchAll(/^(NUNCIO_\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  )
}

function linesAbout(file: string, text: string): readonly string[] {
  return text.split('\n').filter((line) => line.includes(file))
}
