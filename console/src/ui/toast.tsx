import type { ReactNode } from 'react'
import {
  Text,
  UNSTABLE_Toast as AriaToast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components'
import { Button } from './button.tsx'

interface ToastText {
  readonly text: string
  readonly bad?: boolean
  /** An action, such as undo. */
  readonly action?: { readonly label: string; readonly run: () => void }
}

/** Long enough to read and to press Undo. */
const shownMs = 8000

const queue = new ToastQueue<ToastText>({ maxVisibleToasts: 3 })

/** Says that something happened, for a few seconds. */
export function showToast(toast: ToastText): void {
  queue.add(toast, { timeout: shownMs })
}

/** The place of the toasts. */
export function Toasts(): ReactNode {
  return (
    <ToastRegion queue={queue} className="toasts">
      {({ toast }) => (
        <AriaToast toast={toast} className={toast.content.bad === true ? 'toast bad' : 'toast'}>
          <ToastContent className="grow">
            <Text slot="title">{toast.content.text}</Text>
          </ToastContent>
          {toast.content.action === undefined ? null : (
            <Button
              small
              onPress={() => {
                toast.content.action?.run()
                queue.close(toast.key)
              }}
            >
              {toast.content.action.label}
            </Button>
          )}
          <Button slot="close" small look="plain" icon="close" iconOnly>
            Dismiss
          </Button>
        </AriaToast>
      )}
    </ToastRegion>
  )
}
