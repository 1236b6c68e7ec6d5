import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { Popup } from '../ui/overlay.tsx'

/** Shows a secret once. The service stores only what verifies it. */
export function SecretDialog({
  secret,
  onClose,
}: {
  secret: string | null
  onClose: () => void
}): ReactNode {
  return (
    <Popup title="Copy the secret now" isOpen={secret !== null} onClose={onClose}>
      <p>This is the only time that it is shown. Store it where your program reads it.</p>
      <div className="row secret">
        <code className="grow">{secret}</code>
        <CopyButton text={secret ?? ''} label="Copy the secret" />
      </div>
      <div className="dialog-foot">
        <Button look="primary" onPress={onClose}>
          I have stored it
        </Button>
      </div>
    </Popup>
  )
}
