import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { publishedPackages } from '../../../scripts/release/published-packages.ts'
import { project } from '../../support/program.ts'
import { installPacked, type Consumer } from './support/consumer.ts'
import {
  moduleProgram,
  printed,
  strictProject,
  threadProgram,
  wrongConfiguration,
} from './support/programs.ts'

const names = Object.keys(publishedPackages)

describe('the packages, as they are published', () => {
  let consumer: Consumer
  before(async () => {
    consumer = await installPacked()
  })
  after(() => consumer[Symbol.asyncDispose]())

  const manifestOf = async (name: string): Promise<Readonly<Record<string, object>>> =>
    JSON.parse(await readFile(consumer.file(`node_modules/${name}/package.json`), 'utf8'))

  it('are JavaScript with types and source maps, a licence and a README, and no TypeScript', async () => {
    for (const name of names) {
      const files = await Array.fromAsync(
        glob('**/*', { cwd: consumer.file(`node_modules/${name}`) }),
      )

      assert.deepEqual(
        files.filter((file) => /(?<!\.d)\.ts$|tsbuildinfo|\.test\./.test(file)),
        [],
      )
      for (const file of ['LICENSE', 'README.md'])
        assert.ok(files.includes(file), `${name} ${file}`)
      for (const kind of ['.js', '.d.ts', '.js.map']) {
        assert.ok(
          files.some((file) => file.endsWith(kind)),
          `${name} ${kind}`,
        )
      }
    }
  })

  it('name each other by exact versions, and need no tool and no Node from npm', async () => {
    const { version, dependencies } = await manifestOf('nuncio')

    for (const name of names) {
      const manifest = await manifestOf(name)
      const unwanted = /^(dev|optional)Dependencies|scripts|workspaces|private/
      assert.deepEqual(
        Object.keys(manifest).filter((key) => unwanted.test(key)),
        [],
      )
      assert.equal(manifest['version'], version)
    }
    for (const value of Object.values<string>({ ...dependencies })) {
      assert.match(value, /^\d+\.\d+\.\d+$/)
    }
    const installed = await Array.fromAsync(glob('node_modules/node-*', { cwd: consumer.folder }))
    assert.deepEqual(installed, [])
  })

  it('run, and follow a strict compiler', async () => {
    await consumer.write('program.mjs', moduleProgram)
    await consumer.write('program.mts', moduleProgram)
    await consumer.write('tsconfig.json', strictProject({ module: 'nodenext' }, 'program.mts'))
    const compiler = join(project, 'node_modules/typescript/bin/tsc')

    const ran = await consumer.run(process.execPath, ['program.mjs'])
    const compiled = await consumer.run(process.execPath, [compiler, '--noEmit'])

    assert.deepEqual(ran, { code: 0, stdout: printed, stderr: '' })
    assert.deepEqual(compiled, { code: 0, stdout: '', stderr: '' })
  })

  it('have a command that reads a configuration file that imports from it', async () => {
    await consumer.write('wrong.config.ts', wrongConfiguration)

    const version = await consumer.run('npx', ['--offline', 'nuncio', 'version'])
    const args = ['--offline', 'nuncio', 'serve', '--config', 'wrong.config.ts']
    const serve = await consumer.run('npx', args)

    assert.match(version.stdout, /^nuncio \d/)
    assert.match(serve.stderr, /collections\[0\]\.fields\.name/)
    assert.doesNotMatch(serve.stderr, /Warning|^ +at /m)
  })

  it('serve the reference and the console', async () => {
    await using service = await consumer.serve()

    const console = await (await fetch(`${service.url}/console`)).text()
    const [, entry] = /<script type="module"[^>]* src="([^"]+)"/.exec(console) ?? []
    const paths = ['/docs', '/docs/reference.js', '/console', entry ?? 'no entry script']
    const answered = await Promise.all(
      paths.map(async (path) => `${path} ${(await fetch(new URL(path, service.url))).status}`),
    )

    assert.deepEqual(
      answered,
      paths.map((path) => `${path} 200`),
    )
  })

  it('have the ready declarations of carriers', async () => {
    const { stdout } = await consumer.run('npx', ['--offline', 'nuncio', 'carriers', 'providers'])

    assert.match(stdout, /twilio/)
  })

  it('read in threads', async () => {
    await consumer.write('count.mjs', threadProgram)

    const { stdout, stderr } = await consumer.run(process.execPath, ['count.mjs'])

    assert.equal(stdout.trim(), '0', stderr)
  })
})
