import type { CollectionDescription } from '../api/collection.ts'
import { permits } from '../api/session.ts'
import { createAction } from '../collections/nouns.ts'
import { hiddenPaths } from '../collections/product.ts'
import { openedParameter } from '../collections/use-opened.ts'
import type { IconName } from '../ui/icon.tsx'

/** Something that can be done from anywhere. */
export interface Action {
  /** The verb and its object: `Create webhook`. */
  readonly title: string
  readonly icon: IconName
  /** The address below the console. */
  readonly address: string
  /** The dialog of the screen that the action opens. */
  readonly opened?: 'create' | 'import'
}

/** Collections whose instances have a screen of their own for their creation. */
const screens: Readonly<Record<string, Action>> = {
  messages: { title: 'Send message', icon: 'send', address: 'send' },
  broadcasts: { title: 'Create broadcast', icon: 'broadcasts', address: 'broadcast' },
}

/** Returns what a key with these scopes can create. */
export function actionsFor(
  collections: readonly CollectionDescription[],
  scopes: readonly string[],
): readonly Action[] {
  return collections
    .filter(({ parent, path }) => parent === null && !hiddenPaths.has(path))
    .filter(({ scopes: required }) => permits(scopes, required.create))
    .flatMap((collection): readonly Action[] => {
      const { path } = collection
      const create: Action = screens[path] ?? {
        title: createAction(collection),
        icon: 'plus',
        address: path,
        opened: 'create',
      }
      if (path !== 'contacts') return [create]
      return [create, { title: 'Import contacts', icon: 'upload', address: path, opened: 'import' }]
    })
}

/** Returns the parameters of the address that an action leads to. */
export function searchOf({ opened }: Action): Readonly<Record<string, string>> {
  return opened === undefined ? {} : { [openedParameter]: opened }
}
