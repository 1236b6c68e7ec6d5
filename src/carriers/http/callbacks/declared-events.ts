import type { JsonValue } from '../../../core/json.ts'
import { asItIs, fill, readTemplate } from '../../template.ts'
import { locatedAt, type LocatedValue } from '../reading/values-at.ts'
import { after } from '../requests/message-values.ts'
import type { HttpSettings } from '../settings.ts'
import type { DeclaredCallback } from './callback-settings.ts'
import type { GivenEvent, ReadEvent } from './given-event.ts'
import { readEvent } from './read-event.ts'

/** An event as it was read, with its place in the callback. */
export interface PlacedEvent {
  readonly pointer: string
  readonly event: GivenEvent
  readonly read: ReadEvent
}

/** A value that a declaration names as an event. */
export interface DeclaredEvent {
  readonly located: LocatedValue
  readonly path: string
  /** The position among the values of its path. */
  readonly index: number
}

/** Returns the events of all declared paths; null if there is none at any of them. */
export function givenEvents(
  content: JsonValue,
  declared: readonly DeclaredCallback[],
): readonly DeclaredEvent[] | null {
  const found = [...new Set(declared.map(({ events }) => events))].map((path) =>
    eventsIn(content, path)?.map((located, index): DeclaredEvent => ({ located, path, index })),
  )
  return found.every((each) => each === undefined) ? null : found.flatMap((each) => each ?? [])
}

/** Reads an event: one result for each message that it reports. */
export function placedEvents(
  { located, path, index }: DeclaredEvent,
  declared: readonly DeclaredCallback[],
  settings: HttpSettings,
): readonly PlacedEvent[] {
  const event = { ...located, constant: (text: string) => constantText(text, settings) }
  const pointer = isOneList(path) ? path.replace('*', String(index)) : path
  const ofPath = declared.filter(({ events }) => events === path)
  return readEvent(event, ofPath).map((read) => ({ pointer, event, read }))
}

function isOneList(path: string): boolean {
  return path.split('*').length === 2
}

/** Returns undefined if nothing is at the pointer; an empty array means no events. */
function eventsIn(content: JsonValue, pointer: string) {
  const root = { value: content, parents: [] }
  const located = locatedAt(root, pointer)
  if (located.length > 0) return located
  const array = pointer.endsWith('/*') ? locatedAt(root, pointer.slice(0, -2)) : []
  return array.some(({ value }) => Array.isArray(value)) ? [] : undefined
}

function constantText(text: string, { parameters }: HttpSettings): string {
  return (
    fill(readTemplate(text), (name) => parameters[after('parameter.', name) ?? ''], asItIs) ?? ''
  )
}
