import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import type { Draft } from './form.tsx'

interface Preset {
  readonly title: string
  readonly draft: Draft
}

/** Drafts that most people want, by the path of the collection. */
const presets: Readonly<Record<string, readonly Preset[]>> = {
  keys: [
    { title: 'Read only', draft: { scopes: ['*:read'] } },
    { title: 'Messages only', draft: { scopes: ['messages:read', 'messages:write'] } },
    { title: 'All of the account', draft: { scopes: ['*'] } },
    { title: 'Administrator', draft: { scopes: ['admin'] } },
  ],
}

interface Props {
  readonly path: string
  readonly draft: Draft
  readonly onChange: (draft: Draft) => void
}

/** Buttons that fill a form in. */
export function Presets({ path, draft, onChange }: Props): ReactNode {
  const usual = presets[path]
  if (usual === undefined) return null
  return (
    <div className="row wrap" role="group" aria-label="Fill in">
      {usual.map((preset) => (
        <Button key={preset.title} small onPress={() => onChange({ ...draft, ...preset.draft })}>
          {preset.title}
        </Button>
      ))}
    </div>
  )
}
