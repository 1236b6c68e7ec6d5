import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'

interface Props {
  readonly isPaused: boolean
  readonly onChange: (isPaused: boolean) => void
}

/** Stops changes of the rows while one reads them. */
export function PauseButton({ isPaused, onChange }: Props): ReactNode {
  return (
    <Button
      icon={isPaused ? 'play' : 'pause'}
      iconOnly
      look={isPaused ? 'primary' : undefined}
      onPress={() => onChange(!isPaused)}
    >
      {isPaused ? 'Resume live updates' : 'Pause live updates'}
    </Button>
  )
}
