import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { compareVersions, withoutIntegrity } from '../../scripts/release/release-faults.ts'
import { release, ReleaseRefused, type ReleaseOptions } from '../../scripts/release/release.ts'
import { project } from '../support/program.ts'

const execute = promisify(execFile)

const lock = {
  name: 'nuncio',
  version: '0.1.0',
  packages: {
    '': { name: 'nuncio', version: '0.1.0', dependencies: { '@nuncio/client': '0.1.0' } },
    'packages/client': { name: '@nuncio/client', version: '0.1.0' },
    'node_modules/pg-like': { version: '0.1.0', integrity: 'sha512-xxx' },
  },
}

/** A project with a file of every kind that has the version. */
const files: Readonly<Record<string, string>> = {
  'package.json': json({
    name: 'nuncio',
    version: '0.1.0',
    dependencies: { '@nuncio/client': '0.1.0', x: '0.1.0' },
  }),
  'package-lock.json': json(lock),
  'packages/client/package.json': json({ name: '@nuncio/client', version: '0.1.0' }),
  'packages/client/dist/.keep': '',
  'packages/receiver/dist/.keep': '',
  'dist/.keep': '',
  'deploy/helm/nuncio/Chart.yaml': 'apiVersion: v2\nversion: 0.1.0\nappVersion: 0.1.0\n',
  'README.md': 'Nuncio 0.1.0 is ready; pack nuncio-client-0.1.0.tgz. Other 0.1.0\n',
  'CHANGELOG.md':
    '# Changelog\n\n## Unreleased\n\n### Added\n\n- A way.\n\n## 0.0.9 - 2026-01-01\n\n- Old.\n',
  'vendor/shown/origin.json': json({
    name: '@a/shown',
    version: '2.0.0',
    license: 'MIT',
    integrity: 'sha512-AAEC',
  }),
  '.gitignore': '/release/\n',
}

describe('npm run release', () => {
  it('gives every file the version, and the entries a section', async (t) => {
    const { root, options } = await tree(t)

    await release(options)

    const text = (file: string): Promise<string> => readFile(join(root, file), 'utf8')
    assert.deepEqual(JSON.parse(await text('package.json')), {
      name: 'nuncio',
      version: '0.2.0',
      dependencies: { '@nuncio/client': '0.2.0', x: '0.1.0' },
    })
    assert.deepEqual(JSON.parse(await text('package-lock.json')), {
      name: 'nuncio',
      version: '0.2.0',
      packages: {
        '': { name: 'nuncio', version: '0.2.0', dependencies: { '@nuncio/client': '0.2.0' } },
        'packages/client': { name: '@nuncio/client', version: '0.2.0' },
        'node_modules/pg-like': { version: '0.1.0', integrity: 'sha512-xxx' },
      },
    })
    assert.equal(
      await text('deploy/helm/nuncio/Chart.yaml'),
      'apiVersion: v2\nversion: 0.2.0\nappVersion: 0.2.0\n',
    )
    assert.equal(
      await text('README.md'),
      'Nuncio 0.2.0 is ready; pack nuncio-client-0.2.0.tgz. Other 0.1.0\n',
    )
    assert.equal(
      await text('CHANGELOG.md'),
      '# Changelog\n\n## Unreleased\n\n## 0.2.0 - 2026-11-23\n\n### Added\n\n- A way.\n\n' +
        '## 0.0.9 - 2026-01-01\n\n- Old.\n',
    )
  })

  it('writes the tarballs and the documents about them', async (t) => {
    const { root, options, printed } = await tree(t)

    await release(options)

    const folder = join(root, 'release/0.2.0')
    const text = (file: string): Promise<string> => readFile(join(folder, file), 'utf8')
    assert.deepEqual((await readdir(folder)).sort(), [
      'CHANGES.md',
      'LICENCES.md',
      'client.tgz',
      'nuncio.tgz',
      'openapi.json',
      'receiver.tgz',
      'sbom.cdx.json',
    ])
    assert.equal(await text('CHANGES.md'), '## 0.2.0 - 2026-11-23\n\n### Added\n\n- A way.\n')
    assert.deepEqual(JSON.parse(await text('openapi.json')), { openapi: '3.1.0' })
    const licences = await text('LICENCES.md')
    for (const row of [
      '@a/shown | 2.0.0 | MIT',
      'pg | 8.0.0 | MIT',
      'react | 19.0.0 | not stated',
    ]) {
      assert.ok(licences.includes(`| ${row} |`), licences)
    }
    const { components } = JSON.parse(await text('sbom.cdx.json'))
    assert.deepEqual(components.at(-1).hashes, [{ alg: 'SHA-512', content: '000102' }])
    assert.ok(printed.includes('  git commit -am "Release 0.2.0" && git tag v0.2.0'))
  })

  it('leaves nothing after a dry run or a failure', async (t) => {
    const { root, options, printed, built } = await tree(t)

    await release({ ...options, isDryRun: true })
    const failure = release({
      ...options,
      readOpenApi: () => Promise.reject(new Error('no start')),
    })
    await assert.rejects(failure, { message: 'no start' })

    const { stdout } = await execute('git', ['status', '--porcelain'], { cwd: root })
    assert.equal(stdout, '')
    assert.deepEqual(await readdir(join(root, 'release')), [])
    assert.ok(printed.includes('  nuncio.tgz'))
    // The builds of the release, and one more after each, of what is there again.
    assert.deepEqual(built, ['0.2.0', '0.1.0', '0.2.0', '0.1.0'])
  })

  it('refuses with all faults of the tree together', async (t) => {
    const { root, options } = await tree(t)
    await writeFile(join(root, 'README.md'), 'changed')
    await execute('git', ['tag', 'v0.0.9'], { cwd: root })
    await mkdir(join(root, 'release/0.0.9'), { recursive: true })
    const { packages } = lock
    const unvouched = {
      ...lock,
      packages: { ...packages, 'node_modules/@x/y': { version: '1.0.0' } },
    }
    await writeFile(join(root, 'package-lock.json'), json(unvouched))

    const refused = release({ ...options, version: '0.0.9' })

    await assert.rejects(refused, (error: Error) => {
      assert.ok(error instanceof ReleaseRefused)
      assert.match(
        error.message,
        new RegExp(
          [
            'M README\\.md\n.*tag v0\\.0\\.9 .*\n.*release/0\\.0\\.9 .*\n.*section 0\\.0\\.9\\..*',
            '.*greater than the last one: 0\\.0\\.9 .*',
            '.* @x/y@1\\.0\\.0$',
          ].join('\n'),
          's',
        ),
      )
      return true
    })
  })

  it('refuses a version that is not after the last one, and names it', async (t) => {
    const { options } = await tree(t)

    for (const version of ['0.0.8', '0.0.9-beta.1', '0.1.0-rc.1']) {
      await assert.rejects(release({ ...options, version }), {
        message:
          `The version ${version} must be greater than the last one: ` +
          '0.0.9 in CHANGELOG.md, 0.1.0 in package.json.',
      })
    }
    await release({ ...options, version: '0.1.0' })
  })

  it('orders versions as Semantic Versioning does', () => {
    const ordered = [
      '0.9.0',
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0-alpha.beta',
      '1.0.0-beta.2',
      '1.0.0-beta.11',
      '1.0.0-rc.1',
      '1.0.0',
      '1.0.10',
      '1.2.0',
    ]

    assert.deepEqual(ordered.toReversed().toSorted(compareVersions), ordered)
  })

  it('refuses what is no version, and a release without entries', async (t) => {
    const { root, options } = await tree(t)
    await assert.rejects(release({ ...options, version: 'next' }), /must be like 1\.2\.3/)
    await writeFile(
      join(root, 'CHANGELOG.md'),
      '## Unreleased\n\n## 0.0.9 - 2026-01-01\n\n- Old.\n',
    )
    await execute('git', ['commit', '-qam', 'Empty'], { cwd: root })

    const refused = release(options)

    await assert.rejects(refused, /no entry under "## Unreleased"/)
  })

  it('finds an integrity value for every package of this project', async () => {
    const unvouched = withoutIntegrity(await readFile(join(project, 'package-lock.json'), 'utf8'))

    assert.deepEqual(unvouched, [])
  })
})

interface Tree {
  readonly root: string
  readonly options: ReleaseOptions
  readonly printed: readonly string[]
  /** The versions that were built. */
  readonly built: readonly string[]
}

/** Returns a committed project, with programs that write what npm would. */
async function tree(t: TestContext): Promise<Tree> {
  const root = await mkdtemp(join(tmpdir(), 'nuncio-release-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, file)), { recursive: true })
    await writeFile(join(root, file), text)
  }
  await execute('git', ['init', '-q'], { cwd: root })
  for (const [name, value] of Object.entries({
    'user.name': 't',
    'user.email': 't@example.org',
    'commit.gpgsign': 'false',
  })) {
    await execute('git', ['config', name, value], { cwd: root })
  }
  await execute('git', ['add', '--all', '--force'], { cwd: root })
  await execute('git', ['commit', '-qm', 'Begin'], { cwd: root })
  const [printed, built]: [string[], string[]] = [[], []]
  const options: ReleaseOptions = {
    root,
    version: '0.2.0',
    date: '2026-11-23',
    isDryRun: false,
    run: async (program, args, cwd) => {
      if (program === 'git') return (await execute('git', args, { cwd })).stdout
      if (args[0] === 'sbom') return json(bill)
      const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
      if (args[0] === 'run') built.push(version)
      const name = /packages\/(\w+)/.exec(cwd)?.[1] ?? 'nuncio'
      if (args[0] === 'pack') await writeFile(join(args.at(-1) ?? '', `${name}.tgz`), version)
      return ''
    },
    readOpenApi: async () => '{"openapi":"3.1.0"}',
    print: (line) => printed.push(line),
  }
  return { root, options, printed, built }
}

/** What npm lists. */
const bill = {
  metadata: {
    component: { type: 'library', name: 'folder', version: '0.2.0', 'bom-ref': 'nuncio@0.2.0' },
  },
  components: [
    {
      name: 'pg',
      version: '8.0.0',
      'bom-ref': 'pg@8.0.0',
      licenses: [{ license: { id: 'MIT' } }],
    },
    {
      name: 'react',
      version: '19.0.0',
      'bom-ref': 'react@19.0.0',
      properties: [{ name: 'cdx:npm:package:development', value: 'true' }],
    },
  ],
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
