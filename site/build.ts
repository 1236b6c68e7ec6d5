import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { unevaluated } from './literal-braces.ts'
import { installLocked } from '../test/support/peer.ts'

// Builds the documentation site into site/dist: npm run docs:build [-- --base /nuncio/]
const folder = import.meta.dirname
try {
  installLocked(folder)
  const vitepress = join(folder, 'node_modules/vitepress/bin/vitepress.js')
  const args = [vitepress, 'build', folder, ...process.argv.slice(2)]
  process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1
  const built = join(folder, 'dist')
  const faulty = process.exitCode === 0 ? unevaluated(built) : []
  if (faulty.length > 0) {
    console.error(`Pages show a template of VitePress: ${faulty.join(', ')}`)
    process.exitCode = 1
  }
  if (process.exitCode === 0) {
    console.log(`The site is in ${built}. Any web server serves it; to look at it:`)
    console.log(
      `  npx vitepress preview ${process.argv.slice(2).join(' ')}`.trimEnd() + `  (in ${folder})`,
    )
  }
} catch (error) {
  if (!/ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT/.test(String(error))) throw error
  console.error(`The documentation site was not built: the registry is unavailable.\n${error}`)
}
