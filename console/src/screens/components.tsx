import { useState, type ReactNode } from 'react'
import { PageHead } from '../collections/page-head.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Code } from '../ui/code.tsx'
import { ConfirmButton } from '../ui/confirm.tsx'
import { Identifier } from '../ui/copy.tsx'
import { Empty, FaultNotice, Skeleton } from '../ui/notice.tsx'
import { Drawer } from '../ui/overlay.tsx'
import { Panel } from '../ui/panel.tsx'
import { Suggest } from '../ui/suggest.tsx'
import { Time } from '../ui/time.tsx'
import { showToast } from '../ui/toast.tsx'

const states = ['DELIVERED', 'SENT', 'SCHEDULED', 'FAILED.EXPIRED', 'CANCELLED']
const cities = ['Accra', 'Berlin', 'Bogotá', 'Busan'].map((label) => ({ id: label, label }))

/** Every component of the console, for those who change them. */
export function ComponentsScreen(): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="page">
      <PageHead title="Components" note="Each component in each of its states." />
      <div className="stack scroll">
        <Panel title="Buttons">
          <div className="panel-body row wrap">
            <Button look="primary">Send message</Button>
            <Button icon="edit">Edit</Button>
            <Button look="plain">Cancel</Button>
            <Button isDisabled>Not available</Button>
            <Button small icon="copy">
              Copy
            </Button>
            <ConfirmButton action="Delete webhook" icon="trash" onConfirm={() => {}}>
              This cannot be undone.
            </ConfirmButton>
            <Button onPress={() => setOpen(true)}>Open drawer</Button>
            <Button onPress={() => showToast({ text: 'Saved webhook' })}>Show toast</Button>
          </div>
        </Panel>
        <Texts />
        <Notices />
      </div>
      <Drawer title="Drawer" isOpen={isOpen} onClose={() => setOpen(false)}>
        <p>Forms are here.</p>
      </Drawer>
    </div>
  )
}

function Texts(): ReactNode {
  const [text, setText] = useState('')
  return (
    <Panel title="Texts and states">
      <div className="panel-body stack">
        <div className="row wrap">
          {states.map((state) => (
            <Badge key={state} state={state} />
          ))}
        </div>
        <div className="row wrap">
          <Time value="2026-01-31T12:00:00.000Z" />
          <Identifier value="webhook_01kg9ys7g0ex5vsknk084sn02q" />
        </div>
        <Suggest
          label="City"
          placeholder="Type a city…"
          icon="search"
          text={text}
          suggestions={cities.filter(({ label }) => label.includes(text))}
          onText={setText}
          onChoose={setText}
          onSubmit={setText}
        />
      </div>
    </Panel>
  )
}

function Notices(): ReactNode {
  return (
    <>
      <FaultNotice
        title="Invalid body"
        detail="/url must be an absolute URL."
        requestId="01kg9ys7g0ex5vsknk084sn02q"
      />
      <section className="panel">
        <Empty icon="messages" title="No messages yet">
          Send the first one.
        </Empty>
      </section>
      <section className="panel panel-body">
        <Skeleton />
      </section>
      <Code label="JSON" text={'{ "to": "+447700900123" }'} />
    </>
  )
}
