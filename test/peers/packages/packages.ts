import assert from 'node:assert/strict'
import { globSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { publishedPackages } from '../../../scripts/release/published-packages.ts'
import { installPacked, type Consumer } from './support/consumer.ts'
import { commonJsProgram, moduleProgram, printed, strictProject } from './support/programs.ts'
import { installPeer } from '../../support/peer.ts'
import { project } from '../../support/program.ts'

const tools = join(installPeer('packages'), 'node_modules')

/** The versions of Node that must run the service: the oldest supported, and the one of the project. */
const supportedNodes = {
  'Node 24.12': join(tools, 'node-24.12/bin/node'),
  'Node 26': process.execPath,
}
const oldNode = join(tools, 'node-20/bin/node')

/** The compilers, by version: the project pins the newest. */
const compilers = {
  'TypeScript 5.4': join(tools, 'typescript-5.4/bin/tsc'),
  'TypeScript 5.9': join(tools, 'typescript-5.9/bin/tsc'),
  'the newest TypeScript': join(project, 'node_modules/typescript/bin/tsc'),
}

/** Older compilers refuse that CommonJS requires a module. */
const requiringCompilers = {
  'TypeScript 5.8': join(tools, 'typescript-5.8/bin/tsc'),
  'TypeScript 5.9': compilers['TypeScript 5.9'],
  'the newest TypeScript': compilers['the newest TypeScript'],
}

/** How the programs of users find packages. */
const resolutions = {
  node16: { module: 'node16' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
}

/** The types of Node that the oldest compiler reads. */
const oldTypes = { typeRoots: [join(tools, '@types')] }

const bytesMax = 30_000_000

describe('the packages, with the tools of their users', () => {
  let consumer: Consumer
  before(async () => {
    consumer = await installPacked()
    await consumer.write('program.mts', moduleProgram)
    await consumer.write('program.cts', commonJsProgram)
  })
  after(() => consumer[Symbol.asyncDispose]())

  /** Packages with Node exist for some platforms only. */
  const skip = (node: string): string | false =>
    statSync(node, { throwIfNoEntry: false }) === undefined &&
    `unavailable for this platform: ${relative(tools, node)}`

  it('are all good for publint and for the profile "esm-only" of attw', async () => {
    for (const name of Object.keys(publishedPackages)) {
      const tarball = consumer.tarballs[name] ?? ''
      const publint = await run(join(tools, 'publint/src/cli.js'), 'run', tarball, '--strict')
      const cli = join(tools, '@arethetypeswrong/cli/dist/index.js')
      const attw = await run(cli, '--profile', 'esm-only', tarball)

      assert.match(publint.stdout, /All good!/, publint.stdout)
      assert.equal(attw.code, 0, attw.stdout)
    }
  })

  it(`have at most ${bytesMax / 1e6} MB with their dependencies`, () => {
    const files = globSync('node_modules/**/*', { cwd: consumer.folder, withFileTypes: true })
    const bytes = files
      .filter((file) => file.isFile())
      .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)

    assert.ok(bytes <= bytesMax, `${bytes} bytes`)
  })

  for (const [name, node] of Object.entries(supportedNodes)) {
    it(`serve and receive on ${name}`, { skip: skip(node) }, async () => {
      const { stdout: version } = await consumer.run('node', ['--version'], node)
      await using service = await consumer.serve(node)
      const ready = await fetch(`${service.url}/health/ready`)
      await consumer.write('program.mjs', moduleProgram)
      const ran = await consumer.run('node', ['program.mjs'], node)

      assert.ok(version.startsWith(name.replace('Node ', 'v')), version)
      assert.equal(ready.status, 200)
      assert.deepEqual(ran, { code: 0, stdout: printed, stderr: '' })
    })
  }

  it('name the Node to install on Node 20', { skip: skip(oldNode) }, async () => {
    const { code, stdout, stderr } = await consumer.run(
      'npx',
      ['--offline', '--loglevel=error', 'nuncio', 'serve'],
      oldNode,
    )

    const sentence = /^Nuncio needs Node 24\.12 or newer; this is v20\.\S+ Install Node 26 .*\n$/
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' })
    assert.match(stderr, sentence)
  })

  for (const [version, compiler] of Object.entries(compilers)) {
    for (const [resolution, options] of Object.entries(resolutions)) {
      it(`follow ${version} with ${resolution}`, async () => {
        await consumer.write(
          'tsconfig.json',
          strictProject({ ...options, ...oldTypes }, 'program.mts'),
        )

        const compiled = await run(compiler, '--noEmit')

        assert.deepEqual(compiled, { code: 0, stdout: '', stderr: '' })
      })
    }
  }

  for (const [version, compiler] of Object.entries(requiringCompilers)) {
    it(`are required by CommonJS that ${version} compiled`, async () => {
      const options = { module: 'nodenext', ...oldTypes }
      await consumer.write('tsconfig.json', strictProject(options, 'program.cts'))

      const compiled = await run(compiler)
      const nodes = Object.values(supportedNodes).filter((node) => skip(node) === false)
      const ran = await Promise.all(
        nodes.map((node) => consumer.run('node', ['-e', "require('./program.cjs')"], node)),
      )

      assert.deepEqual(compiled, { code: 0, stdout: '', stderr: '' })
      for (const each of ran) assert.deepEqual(each, { code: 0, stdout: printed, stderr: '' })
    })
  }

  /** Runs a program of npm on the project's Node, in the folder of the installed packages. */
  function run(program: string, ...args: readonly string[]): ReturnType<Consumer['run']> {
    return consumer.run(process.execPath, [program, ...args])
  }
})
