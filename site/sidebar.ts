import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectPages } from './project-pages.ts'

/** A group of the sidebar, or a page in it. */
export interface SidebarItem {
  readonly text: string
  readonly link?: string
  readonly collapsed?: boolean
  readonly items?: readonly SidebarItem[]
}

/** The folders of `docs/` that readers see first. Others follow. */
const firstFolders = ['tutorials', 'how-to', 'reference', 'explanation']

/** Returns a group for each folder of `docs/`, and one for the pages outside. */
export function sidebar(root: string): SidebarItem[] {
  const pages = projectPages(root)
  const folders = [...new Set(pages.map(folderOf))].filter((folder) => folder !== null)
  const ordered = [...new Set(['', ...firstFolders, ...folders])].filter((each) =>
    folders.includes(each),
  )
  const groups = ordered.map((folder) => {
    const isOpen = firstFolders.includes(folder) || folder === ''
    return group(
      root,
      titleOf(folder),
      pages.filter((page) => folderOf(page) === folder),
      isOpen,
    )
  })
  return [
    ...groups,
    group(
      root,
      'Project',
      pages.filter((page) => folderOf(page) === null),
      false,
    ),
  ]
}

function group(root: string, text: string, pages: readonly string[], isOpen: boolean): SidebarItem {
  const items = pages.map((page) => ({
    text: headingOf(readFileSync(join(root, page), 'utf8')) ?? page,
    link: `/${page.replace(/README\.md$/, '').replace(/\.md$/, '')}`,
  }))
  items.sort((a, b) => a.text.localeCompare(b.text, 'en', { numeric: true }))
  return { text, collapsed: !isOpen, items }
}

/** Returns the folder of a page below `docs/`, empty for a page in `docs/` itself; null outside. */
function folderOf(page: string): string | null {
  const [top, folder, ...rest] = page.split('/')
  if (top !== 'docs') return null
  return rest.length === 0 ? '' : (folder ?? '')
}

function titleOf(folder: string): string {
  return folder === '' ? 'Documents' : `${folder.charAt(0).toUpperCase()}${folder.slice(1)}`
}

function headingOf(page: string): string | undefined {
  return /^# (.+)$/m.exec(page)?.[1]?.replaceAll('`', '')
}
