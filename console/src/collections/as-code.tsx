import { useState, type ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { Code } from '../ui/code.tsx'

/** Shows an instance as JSON and as the command that reads it. */
export function AsCode({ path, value }: { path: readonly string[]; value: unknown }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  if (!isOpen) {
    return (
      <div>
        <Button look="plain" icon="code" onPress={() => setOpen(true)}>
          Show JSON and curl
        </Button>
      </div>
    )
  }
  return (
    <>
      <Code label="JSON" text={JSON.stringify(value, null, 2)} />
      <Code label="curl" text={curlOf(path)} />
    </>
  )
}

function curlOf(path: readonly string[]): string {
  const url = `${location.origin}/v1/${path.map(encodeURIComponent).join('/')}`
  return `curl ${url} -H "Authorization: Bearer $NUNCIO_KEY"`
}
