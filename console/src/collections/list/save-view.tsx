import { useState, type ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Popup } from '../../ui/overlay.tsx'
import { removeView, saveView, useSavedViews } from './saved-views.ts'

interface Props {
  /** The path of the list. */
  readonly path: string
  /** The parameters of the address that is shown. */
  readonly query: string
}

/** Saves what a list shows under a name, or removes the view that is shown. */
export function SaveView({ path, query }: Props): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const shown = useSavedViews(path).find((view) => view.query === query)
  if (shown !== undefined) {
    return (
      <Button small look="plain" onPress={() => removeView(path, shown)}>
        Remove view
      </Button>
    )
  }
  return (
    <>
      <Button small look="plain" onPress={() => setOpen(true)}>
        Save view
      </Button>
      <Popup title="Save view" isOpen={isOpen} onClose={() => setOpen(false)}>
        <NameForm
          onClose={() => setOpen(false)}
          onSave={(title) => saveView(path, { title, query })}
        />
      </Popup>
    </>
  )
}

interface FormProps {
  readonly onSave: (title: string) => void
  readonly onClose: () => void
}

function NameForm({ onSave, onClose }: FormProps): ReactNode {
  const [title, setTitle] = useState('')
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        onSave(title.trim())
        onClose()
      }}
    >
      <div className="field">
        <label htmlFor="view-name">Name</label>
        <input
          id="view-name"
          className="input"
          autoFocus
          autoComplete="off"
          value={title}
          onChange={({ target }) => setTitle(target.value)}
        />
        <p className="hint">
          It appears above the list in this browser. To share it, send the address of the page.
        </p>
      </div>
      <div className="dialog-foot">
        <Button onPress={onClose}>Cancel</Button>
        <Button type="submit" look="primary" isDisabled={title.trim() === ''}>
          Save view
        </Button>
      </div>
    </form>
  )
}
