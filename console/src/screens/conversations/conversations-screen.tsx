import { useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PageHead } from '../../collections/page-head.tsx'
import { Empty } from '../../ui/notice.tsx'
import { Chat } from './chat.tsx'
import { shownOf } from './conversation.ts'
import { ConversationList } from './conversation-list.tsx'
import './conversations.css'

/** All conversations, and the one that is open: on a phone, one or the other. */
export function ConversationsScreen(): ReactNode {
  const { counterpart }: { readonly counterpart?: string } = useParams({ strict: false })
  const { address = '', shown }: { readonly address?: string; readonly shown?: string } = useSearch(
    { strict: false },
  )
  return (
    <div className="page">
      <PageHead
        title="Conversations"
        note="Messages by counterpart. Your answer comes from the address that they wrote to."
      />
      <div className={counterpart === undefined ? 'conversations' : 'conversations open'}>
        <ConversationList
          shown={shownOf(shown)}
          open={counterpart === undefined ? null : { counterpart, address }}
        />
        {counterpart === undefined ? (
          <div className="panel chat-place">
            <Empty icon="conversations" title="No conversation is open">
              Choose one, or enter a number.
            </Empty>
          </div>
        ) : (
          <Chat key={counterpart} counterpart={counterpart} address={address} />
        )}
      </div>
    </div>
  )
}
