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
  readonly isDisabled?: boolean
  /** What is confirmed destroys nothing. */
  readonly isSafe?: boolean
}

/** A button that asks before it acts. Its dialog stays, disabled, until the act has ended. */
export function ConfirmButton({
  action,
  icon,
  children,
  onConfirm,
  small,
  isDisabled,
  isSafe,
}: Props): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const confirm = async (): Promise<void> => {
    setBusy(true)
    try {
      await onConfirm()
    } finally {
      setBusy(false)
      setOpen(false)
    }
  }
  const close = (): void => setOpen(isBusy)
  return (
    <>
      <Button
        look={isSafe === true ? 'primary' : 'danger'}
        icon={icon}
        small={small === true}
        isDisabled={isDisabled === true}
        onPress={() => setOpen(true)}
      >
        {action}
      </Button>
      <Popup title={`${action}?`} isOpen={isOpen} onClose={close}>
        <div>{children}</div>
        <div className="dialog-foot">
          <Button isDisabled={isBusy} onPress={close}>
            {isSafe === true ? 'Not yet' : 'Keep'}
          </Button>
          <Button
            look={isSafe === true ? 'primary' : 'danger-fill'}
            isDisabled={isBusy}
            onPress={() => void confirm()}
          >
            {action}
          </Button>
        </div>
      </Popup>
    </>
  )
}
