import { useState, type ReactNode } from 'react'
import { Button } from './button.tsx'
import type { IconName } from './icon.tsx'
import { Popup } from './overlay.tsx'

interface Props {
  /** The verb and its object: of the button, the dialog and its answer. */
  readonly action: string
  readonly icon: IconName
  /** What happens, and whether it can be undone. */
  readonly children: ReactNode
  readonly onConfirm: () => Promise<void> | void
  readonly small?: boolean
}

/** A button that asks before it acts. */
export function ConfirmButton({ action, icon, children, onConfirm, small }: Props): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const confirm = async (): Promise<void> => {
    await onConfirm()
    setOpen(false)
  }
  return (
    <>
      <Button look="danger" icon={icon} small={small === true} onPress={() => setOpen(true)}>
        {action}
      </Button>
      <Popup title={`${action}?`} isOpen={isOpen} onClose={() => setOpen(false)}>
        <div>{children}</div>
        <div className="dialog-foot">
          <Button onPress={() => setOpen(false)}>Keep</Button>
          <Button look="danger-fill" onPress={() => void confirm()}>
            {action}
          </Button>
        </div>
      </Popup>
    </>
  )
}
