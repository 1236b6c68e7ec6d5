import { httpType } from '../carriers/http/http.ts'
import { simulatorType } from '../carriers/simulator/simulator.ts'
import { smppType } from '../carriers/smpp/smpp.ts'
import type { Config } from '../config/config.ts'
import { carriers } from '../collections/carriers.ts'
import type { InstanceOf } from '../core/declaration/collection.ts'
import type { CarrierCounts, CarrierType, ReportEvents } from '../core/ports/carrier.ts'
import type { Metrics } from '../core/ports/metrics.ts'
import type { NodeMembers } from '../core/ports/nodes.ts'
import type { RuleBook } from '../core/declaration/rules.ts'
import { catalogue } from '../engine/catalogue.ts'
import { readSettings } from '../engine/input.ts'
import { carrierCounts, measureCarriers } from '../gateway/carriers/carrier-metrics.ts'
import { carrierCallbacks } from '../gateway/carriers/carrier-callbacks.ts'
import { CarrierRegistry } from '../gateway/carriers/carrier-registry.ts'
import { carrierRules } from '../gateway/carriers/carrier-rules.ts'
import { sampleBacklogs } from '../gateway/submission/backlogs.ts'
import { callbacks, type RespondToCallback } from '../http/routing/callbacks.ts'
import { configurationPrincipal, declareCarriers, idsOf } from './declare-carriers.ts'
import type { Dependencies } from './dependencies.ts'

/** Connected carriers. Disposing closes them. */
export interface WiredCarriers extends AsyncDisposable {
  readonly registry: CarrierRegistry
  readonly counts: CarrierCounts
  readonly rules: RuleBook
  /** Creates the operation of callbacks. It reports their events like those of carriers. */
  callback(report: ReportEvents): RespondToCallback
  /**
   * Makes the carriers that the configuration file declares, or brings them up to date. Throws a
   * `DeclarationError` with all that is wrong with them.
   */
  declare(rules: RuleBook): Promise<void>
}

/** Joins the parts that have to do with carriers. `further` kinds go before those of every installation. */
export function wireCarriers(
  config: Config,
  dependencies: Dependencies & { readonly members: NodeMembers },
  metrics: Metrics,
  opened: (carrier: string) => void,
  further: readonly CarrierType[] = [],
): WiredCarriers {
  const types = [...further, ...carrierTypes(config, dependencies)]
  const { nationalLanguages, roles } = config
  const opens = roles.includes('submit')
  const counts = carrierCounts(metrics, opened)
  const registry = new CarrierRegistry({ ...dependencies, types, nationalLanguages, opens, counts })
  const declared = idsOf(config.carriers)
  const { store, clock } = dependencies
  const backlogs = roles.includes('api') ? sampleBacklogs(store, clock) : null
  measureCarriers(metrics, registry, store)
  return {
    registry,
    counts,
    callback: (report) => {
      const onFault = (id: string, detail: string): void => registry.find(id)?.failed?.(detail)
      return callbacks(carrierCallbacks({ ...dependencies, types, report, onFault }), metrics)
    },
    rules: {
      carriers: carrierRules({
        types,
        readSettings,
        conditionOf: (id) => registry.conditionOf(id),
        backlogOf: (id) => backlogs?.of(id) ?? null,
        isDeclared: (id) => declared.has(id),
        isConfiguration: (principal) => principal === configurationPrincipal,
      }),
    },
    declare: (rules) => {
      const engine = { ...dependencies, catalogue: catalogue([carriers]), rules }
      return declareCarriers(config.carriers, engine, config.config ?? 'nuncio.config')
    },
    [Symbol.asyncDispose]: async () => {
      await backlogs?.[Symbol.asyncDispose]()
      await registry[Symbol.asyncDispose]()
    },
  }
}

/** A name in the field `type` of carriers. */
type CarrierTypeName = InstanceOf<typeof carriers>['type']

/** Returns the types of carriers, one for each name that the collection declares. */
export function carrierTypes(
  config: Pick<Config, 'simulatorDelayMs'>,
  { send, clock, carrierGuard }: Pick<Dependencies, 'send' | 'clock' | 'carrierGuard'>,
): readonly CarrierType[] {
  const types: Readonly<Record<CarrierTypeName, CarrierType>> = {
    SIMULATOR: simulatorType(config.simulatorDelayMs),
    SMPP: smppType(),
    HTTP: httpType({ send, clock, refusal: carrierGuard.refusal }),
  }
  return Object.values(types)
}
