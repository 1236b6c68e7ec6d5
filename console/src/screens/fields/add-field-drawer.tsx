import { useState, type ReactNode } from 'react'
import type { CollectionDescription } from '../../api/collection.ts'
import { collectionTitle } from '../../collections/nouns.ts'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Drawer } from '../../ui/overlay.tsx'
import {
  codeLine,
  importLine,
  jsonLine,
  kinds,
  nameFault,
  type Kind,
  type NewField,
} from './field-code.ts'

interface Props {
  readonly collection: CollectionDescription
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Explains how a collection gets a field: the operator declares it in the configuration file. */
export function AddFieldDrawer({ collection, isOpen, onClose }: Props): ReactNode {
  const [field, setField] = useState<NewField>({ name: 'notes', kind: 'text' })
  const fault = nameFault(
    field.name,
    [...collection.fields, ...collection.inputs].map(({ name }) => name),
  )
  return (
    <Drawer
      title={`Add a field to ${collectionTitle(collection).toLowerCase()}`}
      isOpen={isOpen}
      onClose={onClose}
    >
      <div className="stack">
        <p>
          The configuration file declares the fields of <code>{collection.name}</code>. You change
          them there, on the machine of the service.
        </p>
        <FieldInputs field={field} fault={fault} onChange={setField} />
        {fault === null ? <Steps collection={collection} field={field} /> : null}
        <div className="dialog-foot form-foot">
          <Button look="primary" onPress={onClose}>
            Done
          </Button>
        </div>
      </div>
    </Drawer>
  )
}

interface InputProps {
  readonly field: NewField
  readonly fault: string | null
  readonly onChange: (field: NewField) => void
}

function FieldInputs({ field, fault, onChange }: InputProps): ReactNode {
  return (
    <>
      <div className="field">
        <label htmlFor="new-field-name">Name of the field</label>
        <input
          id="new-field-name"
          className="input mono"
          aria-invalid={fault !== null}
          value={field.name}
          onChange={({ target }) => onChange({ ...field, name: target.value })}
        />
        {fault === null ? null : <p className="fault">The name {fault}</p>}
      </div>
      <div className="field">
        <label htmlFor="new-field-kind">Kind of value</label>
        <select
          id="new-field-kind"
          className="input"
          value={field.kind}
          onChange={({ target }) =>
            onChange({ ...field, kind: kinds.find((kind) => kind === target.value) ?? 'text' })
          }
        >
          {kinds.map((kind: Kind) => (
            <option key={kind}>{kind}</option>
          ))}
        </select>
      </div>
    </>
  )
}

function Steps({
  collection,
  field,
}: {
  collection: CollectionDescription
  field: NewField
}): ReactNode {
  return (
    <ol className="steps">
      <li>
        <p>
          Open <code>nuncio.config.ts</code> or <code>nuncio.config.json</code>, in the folder in
          which the service starts (or the file that <code>--config</code> names). Add one line to{' '}
          <code>fields</code> of <code>{collection.name}</code>:
        </p>
        <Code label="nuncio.config.ts" text={codeLine(field)} />
        <p>
          The first line of the file must import <code>{field.kind}</code>. Add it to the import, if
          it is not there yet:
        </p>
        <Code label="Import of nuncio.config.ts" text={importLine(field)} />
        <p>Or, in JSON, which needs no import:</p>
        <Code label="nuncio.config.json" text={jsonLine(field)} />
      </li>
      <li>
        <p>
          Stop the service with Ctrl C, and start it as before: with <code>npm start</code>, or with
          the command below and its options. If the file has an error, the service says which, and
          does not start.
        </p>
        <Code label="Terminal" text="npx nuncio serve" />
      </li>
      <li>
        <p>
          Reload this page: the field is in the list, the filters and the form. It is empty in
          existing {collection.name}; nothing is lost.
        </p>
      </li>
    </ol>
  )
}
