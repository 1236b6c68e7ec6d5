import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import type { ErrorComponentProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { explain } from '../api/problem.ts'
import { Button } from '../ui/button.tsx'
import { FaultNotice, Skeleton } from '../ui/notice.tsx'

/** Holds the place of a screen that is loading. */
export function ScreenSkeleton(): ReactNode {
  return (
    <div className="page">
      <Skeleton lines={10} />
    </div>
  )
}

/** Says why a screen is not shown. */
export function ScreenFault({ error, reset }: ErrorComponentProps): ReactNode {
  const queries = useQueryErrorResetBoundary()
  const retry = (): void => {
    queries.reset()
    reset()
  }
  return (
    <div className="page">
      <FaultNotice {...explain(error)}>
        <div>
          <Button icon="refresh" onPress={retry}>
            Retry
          </Button>
        </div>
      </FaultNotice>
    </div>
  )
}
