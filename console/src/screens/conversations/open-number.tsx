import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { withoutPlusText } from '../../collections/form/without-plus.ts'

/** Opens the conversation with a number, which may be the first one. */
export function OpenNumber(): ReactNode {
  const [given, setGiven] = useState('')
  const navigate = useNavigate()
  const counterpart = given.replaceAll(/[\s()-]/g, '')
  const warning = withoutPlusText(given)
  return (
    <form
      className="row wrap panel-body"
      onSubmit={(event) => {
        event.preventDefault()
        setGiven('')
        void navigate({ to: '/conversations/$counterpart', params: { counterpart } })
      }}
    >
      <input
        className="input grow"
        aria-label="Number of the counterpart"
        inputMode="tel"
        autoComplete="off"
        placeholder="+4915112345678"
        value={given}
        onChange={({ target }) => setGiven(target.value)}
      />
      <Button type="submit" isDisabled={counterpart === ''}>
        Open
      </Button>
      <p className="caution" role="status">
        {warning}
      </p>
    </form>
  )
}
