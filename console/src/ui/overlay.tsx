import { useEffect, useRef, type ReactNode } from 'react'
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { Button } from './button.tsx'

interface OverlayProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

interface Props extends OverlayProps {
  /** The classes of its place on the page. */
  readonly className: string
}

/** Covers the page. It closes by its buttons, Escape, or a press outside. */
export function Overlay({ className, isOpen, onClose, children }: Props): ReactNode {
  return (
    <ModalOverlay
      className="overlay"
      isDismissable
      isOpen={isOpen}
      onOpenChange={(open) => (open ? undefined : onClose())}
    >
      <Modal className={className}>{children}</Modal>
    </ModalOverlay>
  )
}

interface TitledProps extends OverlayProps {
  readonly title: string
}

/** A panel at the side, for forms: the page behind it stays in view. */
export function Drawer({ title, children, ...rest }: TitledProps): ReactNode {
  return (
    <Overlay className="drawer" {...rest}>
      <Dialog className="dialog-inner">
        <div className="row spread">
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          <Button small icon="close" iconOnly look="plain" onPress={rest.onClose}>
            Close
          </Button>
        </div>
        <FocusedContent>{children}</FocusedContent>
      </Dialog>
    </Overlay>
  )
}

/** A dialog in the middle. */
export function Popup({ title, children, ...rest }: TitledProps): ReactNode {
  return (
    <Overlay className="dialog" {...rest}>
      <Dialog className="dialog-inner">
        <Heading slot="title" level={2}>
          {title}
        </Heading>
        <FocusedContent>{children}</FocusedContent>
      </Dialog>
    </Overlay>
  )
}

/** Its first input has the focus, so that one types at once. Without an input, the dialog has it. */
function FocusedContent({ children }: { children: ReactNode }): ReactNode {
  const content = useRef<HTMLDivElement>(null)
  useEffect(() => {
    content.current?.querySelector<HTMLElement>('input, select, textarea')?.focus()
  }, [])
  return (
    <div className="dialog-content" ref={content}>
      {children}
    </div>
  )
}
