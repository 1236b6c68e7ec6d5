import type { Instant } from '../../core/ports/clock.ts'
import type { LogEntry } from '../../core/ports/notification-log.ts'
import type { AttemptResult } from './attempt.ts'
import { explain } from '../egress/post.ts'
import type { WebhookProgress, ReplayProgress } from '../progress/progress.ts'
import type { ReplayState } from '../progress/stored-replay.ts'

/** Progress of a replay and its webhook after an attempt. */
export interface ReplaySettlement {
  readonly progress: WebhookProgress
  readonly replay: ReplayProgress
  readonly state: ReplayState
}

/**
 * Settles an attempt at a replay's open batch. Its failures do not delay new records, and after
 * three days the replay is given up. Only a 410 disables the webhook. Pure.
 */
export function settleReplay(
  webhook: WebhookProgress,
  replay: ReplayProgress,
  entries: readonly LogEntry[],
  { action, outcome, progress: flow }: Pick<AttemptResult, 'action' | 'outcome' | 'progress'>,
  now: Instant,
): ReplaySettlement {
  const next = { ...replay, flow }
  const state = stateOfReplay(flow)
  const reached = entries.at(-1)?.at ?? replay.reached
  switch (action.kind) {
    case 'ADVANCE': {
      const sent = replay.sent + entries.length
      const progress = { ...webhook, lastSuccessAt: now, alarmedAt: null }
      return { progress, replay: { ...next, position: action.to, sent, reached }, state }
    }
    case 'SET_ASIDE': {
      const setAside = replay.setAside + entries.length
      const passed = { ...next, position: action.to, setAside, reached }
      return { progress: webhook, replay: passed, state }
    }
    case 'HALVE':
    case 'RETRY':
      return { progress: webhook, replay: next, state }
    case 'DISABLE': {
      const { reason } = action
      if (outcome.kind !== 'GONE') {
        return { progress: webhook, replay: next, state: { state: 'FAILED', stateReason: reason } }
      }
      const error = explain(outcome)
      const progress = { ...webhook, disabled: reason, alarmedAt: now, error }
      const waiting = { ...next, flow: { ...flow, disabled: null, alarmedAt: null } }
      return { progress, replay: waiting, state }
    }
  }
}

/** Returns the state of a started, unfinished replay. */
export function stateOfReplay({ failingSince, error }: WebhookProgress): ReplayState {
  if (failingSince === null) return { state: 'RUNNING', stateReason: null }
  return { state: 'RETRYING', stateReason: error }
}
