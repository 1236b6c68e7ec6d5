import { useState, type ReactNode } from 'react'
import { Button } from './button.tsx'

/** How long the button confirms the copy. */
const confirmedMs = 1500

/** Copies a text, and says so. */
export function CopyButton({ text, label }: { text: string; label: string }): ReactNode {
  const [copied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), confirmedMs)
  }
  return (
    <Button
      small
      look="plain"
      icon={copied ? 'check' : 'copy'}
      iconOnly
      onPress={() => void copy()}
    >
      {copied ? 'Copied' : label}
    </Button>
  )
}

/** Shows an identifier with a button that copies it. */
export function Identifier({ value }: { value: string }): ReactNode {
  return (
    <span className="identifier">
      <code title={value}>{shortId(value)}</code>
      <CopyButton text={value} label={`Copy ${value}`} />
    </span>
  )
}

/** Shortens a generated identifier: the beginning is a time and the same for neighbours. */
export function shortId(id: string): string {
  const match = /^([a-zA-Z]+)_[0-9a-z]{20}([0-9a-z]{6})$/.exec(id)
  return match === null ? id : `${match[1]}_…${match[2]}`
}
