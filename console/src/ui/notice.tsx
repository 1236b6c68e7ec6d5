import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

interface FaultProps {
  readonly title: string
  readonly detail: string
  readonly requestId: string | null
  readonly page?: string | null
  readonly children?: ReactNode
}

/** Says what failed and why, with the identifier that finds the request in the log. */
export function FaultNotice({ title, detail, requestId, page, children }: FaultProps): ReactNode {
  return (
    <div className="notice bad" role="alert">
      <Icon name="warning" />
      <div className="stack">
        <div>
          <strong>{title}</strong>
          <p>{detail}</p>
        </div>
        {children}
        {requestId === null ? null : (
          <p className="request">
            Request <code>{requestId}</code>{' '}
            {page === null || page === undefined ? null : (
              <a href={new URL(page).pathname}>About this problem</a>
            )}
          </p>
        )}
      </div>
    </div>
  )
}

interface EmptyProps {
  readonly icon: IconName
  readonly title: string
  readonly children: ReactNode
  readonly action?: ReactNode
}

/** Says why a place is empty, and names the first step. */
export function Empty({ icon, title, children, action }: EmptyProps): ReactNode {
  return (
    <div className="empty">
      <Icon name={icon} size={28} />
      <h2>{title}</h2>
      <p>{children}</p>
      {action}
    </div>
  )
}

/** Holds the place of content that is loading. */
export function Skeleton({ lines = 4 }: { lines?: number }): ReactNode {
  return (
    <div className="stack" aria-busy="true" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} className={`skeleton width-${(line * 37) % 4}`} />
      ))}
    </div>
  )
}
