import { execFileSync } from 'node:child_process'
import { root } from './reader.ts'

/** Every file in Markdown that is part of the project. */
export const markdownFiles: readonly string[] = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'],
  { cwd: root, encoding: 'utf8' },
)
  .split('\n')
  .filter((file) => file !== '')

/** The pages whose examples are run: for those who use Nuncio, and those of examples. Packages run their own. */
export const pages: readonly string[] = markdownFiles.filter((file) =>
  /^(README|CONTRIBUTING)\.md$|^docs\/(?!decisions\/).*\.md$|^examples\/.*\.md$/.test(file),
)
