import { clientSettings } from '../../config/client-settings.ts'
import type { Config } from '../../config/config.ts'
import { loadClientConfig, loadConfig, type Loaded } from '../../config/load-config.ts'
import { settings } from '../../config/settings.ts'
import { settingFlags } from '../arguments.ts'
import { failed, refuse, type Command, type GivenArguments } from '../command.ts'
import { paint } from '../printable.ts'
import type { ProcessContext } from '../process-context.ts'
import { checkInstances, withoutKey } from './check-instances.ts'
import { checkReadiness, urlOf } from './check-readiness.ts'
import { checkStore } from './check-store.ts'
import { ok, problem, skipped, warning, type Finding } from './finding.ts'

const { config, store } = settings

/** `nuncio doctor`: checks the configuration and the running service. */
export const doctor: Command = {
  name: 'doctor',
  summary: 'Checks settings, store, service, clocks, key, carriers and webhooks.',
  usage: 'doctor [flags]',
  notes: [
    'Shows a line for each finding: OK, WARNING, PROBLEM with the remedy, or SKIPPED. The exit code is 1 if ' +
      'there is a problem. It changes nothing. Run it in the folder and with the environment of the service.',
    'Without --service it asks the service at the host and port of the configuration.',
  ],
  flags: [
    { flag: 'json', placeholder: null, description: 'Prints the findings as JSON.' },
    ...settingFlags({ config, store }),
    ...settingFlags(clientSettings),
  ],
  run: async (given, context) => {
    if (given.faults.length > 0) return refuse(context, 'doctor', given.faults)
    const findings = await examine(given, context)
    const { out } = context
    if (given.switches.has('json')) out.write(`${JSON.stringify(findings, null, 2)}\n`)
    else for (const finding of findings) out.write(lineOf(finding, context))
    return findings.some(({ result }) => result === 'PROBLEM') ? failed : 0
  },
}

async function examine(
  { values }: GivenArguments,
  context: ProcessContext,
): Promise<readonly Finding[]> {
  const { environment, cwd } = context
  const loaded = await loadConfig({ flags: values, environment, cwd })
  const client = loadClientConfig({ flags: values, environment })
  const stored = loaded.ok
    ? await checkStore(loaded.config, context)
    : [skipped('store', 'The settings have to be right first.')]
  const before = [...settingFindings(loaded, client), ...stored]
  if (!client.ok) return before

  const isNamed = (values['service'] ?? environment['NUNCIO_SERVICE'] ?? '') !== ''
  const url = isNamed || !loaded.ok ? client.config.service : urlOf(loaded.config)
  const [service, ...clocks] = await checkReadiness(url, context)
  const found = [...before, service, ...clocks]
  if (service.result !== 'OK') {
    const skippedKey = skipped('key', 'The service has to be ready first.')
    return [...found, skippedKey, ...withoutKey]
  }

  const { key } = client.config
  if (key !== null) return [...found, ...(await checkInstances({ url, key }, context))]
  return [
    ...found,
    problem('key', 'None is given.', 'Give one with --key or NUNCIO_KEY.'),
    ...withoutKey,
  ]
}

function settingFindings(
  loaded: Loaded<Config>,
  client: Loaded<unknown>,
): readonly [Finding, ...Finding[]] {
  const faults = [...(loaded.ok ? [] : loaded.faults), ...(client.ok ? [] : client.faults)]
  const remedy = '"nuncio serve --help" lists the settings.'
  const [first, ...others] = [...new Set(faults)].map((fault) => problem('settings', fault, remedy))
  if (first !== undefined) return [first, ...others]
  if (!loaded.ok) return [problem('settings', 'They cannot be read.', remedy)]

  const { config: file, secretKey } = loaded.config
  const source =
    file === null ? 'There is no configuration file' : `The configuration file is ${file}`
  const clear = 'Secrets are stored in clear.'
  return [
    ok('settings', `${source}; every setting is right.`),
    ...(secretKey === null ? [warning('settings', clear, 'Set NUNCIO_SECRET_KEY.')] : []),
  ]
}

/** Columns of the longest result, and of the longest check. */
const resultColumns = 'WARNING'.length
const checkColumns = 'settings'.length

function lineOf({ check, result, detail, remedy }: Finding, context: ProcessContext): string {
  const { good, bad, faint } = paint(context)
  const dyes = { OK: good, WARNING: (text: string) => text, PROBLEM: bad, SKIPPED: faint }
  const text = remedy === null ? detail : `${detail} ${remedy}`
  const head = dyes[result](result.padEnd(resultColumns))
  return `${head}  ${check.padEnd(checkColumns)}  ${text.replaceAll(/\s*\n\s*/g, ' ')}\n`
}
