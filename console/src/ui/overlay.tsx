import type { ReactNode } from 'react'
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { Button } from './button.tsx'

interface OverlayProps {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A panel at the side, for forms: the page behind it stays in view. */
export function Drawer({ title, isOpen, onClose, children }: OverlayProps): ReactNode {
  return (
    <ModalOverlay
      className="overlay"
      isDismissable
      isOpen={isOpen}
      onOpenChange={(open) => (open ? undefined : onClose())}
    >
      <Modal className="drawer">
        <Dialog className="dialog-inner">
          <div className="row spread">
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            <Button small icon="close" iconOnly look="plain" onPress={onClose}>
              Close
            </Button>
          </div>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

/** A dialog in the middle. It closes by its buttons, Escape, or a press outside. */
export function Popup({ title, isOpen, onClose, children }: OverlayProps): ReactNode {
  return (
    <ModalOverlay
      className="overlay"
      isDismissable
      isOpen={isOpen}
      onOpenChange={(open) => (open ? undefined : onClose())}
    >
      <Modal className="dialog">
        <Dialog className="dialog-inner">
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
