import { projectPages } from '../../../site/project-pages.ts'
import { root } from './reader.ts'

/** Every file in Markdown that is part of the project. */
export const markdownFiles: readonly string[] = projectPages(root)

/** The pages whose examples are run: for those who use Nuncio, and those of examples. Packages run their own. */
export const pages: readonly string[] = markdownFiles.filter((file) =>
  /^(README|CONTRIBUTING)\.md$|^docs\/(?!decisions\/).*\.md$|^examples\/.*\.md$/.test(file),
)
