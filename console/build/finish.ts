import { hash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** What the build of the console left. */
const output = new URL('../dist/', import.meta.url).pathname

/** Smaller files are sent as they are. */
const compressedBytesMin = 1024

const compressible = /\.(js|css|html|svg)$/

/** The attribute that React Aria's usePress puts into its style. */
const pressable = 'data-react-aria-pressable'

await writeFile(
  join(output, 'csp.json'),
  `${JSON.stringify({ styleHashes: await styleHashes() })}\n`,
)
await compressAll()

/** Returns the hashes of the styles that the scripts add to the page, for its security policy. */
async function styleHashes(): Promise<readonly string[]> {
  const hashes = new Set<string>()
  for (const name of await names()) {
    if (!name.endsWith('.js')) continue
    const script = await readFile(join(output, name), 'utf8')
    for (const [, style = ''] of script.matchAll(/`(\s*@layer \{[^`]*touch-action[^`]*)`/g)) {
      const text = style.replace(/\$\{[^}]*\}/, pressable).trim()
      hashes.add(`sha256-${hash('sha256', text, 'base64')}`)
    }
  }
  if (hashes.size !== 1) throw new Error(`expected one style of React Aria, found ${hashes.size}`)
  return [...hashes]
}

async function compressAll(): Promise<void> {
  for (const name of await names()) {
    if (!compressible.test(name)) continue
    const content = await readFile(join(output, name))
    if (content.length < compressedBytesMin) continue
    const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
    const path = join(output, name)
    await writeFile(`${path}.br`, await promisify(brotliCompress)(content, { params: quality }))
    await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }))
  }
}

function names(): Promise<string[]> {
  return readdir(output, { recursive: true })
}
