/** The members of a CycloneDX document that the release reads or adds. */
export interface BillOfMaterials {
  readonly metadata: { readonly component: Component }
  readonly components: readonly Component[]
}

/** One package of a CycloneDX document. */
export interface Component {
  readonly type: string
  readonly name: string
  readonly version: string
  readonly 'bom-ref': string
  readonly purl: string
  readonly licenses?: readonly {
    readonly license?: { readonly id?: string; readonly name?: string }
    readonly expression?: string
  }[]
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[]
  readonly properties?: readonly { readonly name: string; readonly value: string }[]
}

/** The package that a folder of `vendor/` was made from. */
export interface Origin {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly integrity: string
}

/** Adds the vendored packages, which npm does not know, and names the root by its package, not its folder. */
export function withVendored<Bill extends BillOfMaterials>(
  bill: Bill,
  name: string,
  vendored: readonly Origin[],
): Bill {
  const component = { ...bill.metadata.component, name }
  const components = [...bill.components, ...vendored.map(componentOf)]
  return { ...bill, metadata: { ...bill.metadata, component }, components }
}

function componentOf({ name, version, license, integrity }: Origin): Component {
  const [, digest = ''] = integrity.split('-', 2)
  return {
    type: 'library',
    name,
    version,
    'bom-ref': `${name}@${version}`,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    licenses: [{ license: { id: license } }],
    hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }],
  }
}

/** Lists the packages of a bill with their licences: what the service runs, then what builds it. */
export function licenceList({ metadata, components }: BillOfMaterials): string {
  const { name, version } = metadata.component
  return [
    `# Licences of the packages in ${name} ${version}`,
    '## Packages that the service runs or serves',
    tableOf(components.filter((each) => !isOfDevelopment(each))),
    '## Packages that build and test it\n\nThe console contains code of some of them.',
    tableOf(components.filter(isOfDevelopment)),
  ].join('\n\n')
}

function isOfDevelopment({ properties = [] }: Component): boolean {
  return properties.some(({ name }) => name === 'cdx:npm:package:development')
}

function tableOf(components: readonly Component[]): string {
  const rows = components
    .map((each) => `| ${nameOf(each)} | ${each.version} | ${licenceOf(each)} |`)
    .sort()
  return ['| package | version | licence |', '|---|---|---|', ...rows, ''].join('\n')
}

/** The reference has the whole name; npm names workspaces by their folders. */
function nameOf(component: Component): string {
  return component['bom-ref'].slice(0, component['bom-ref'].lastIndexOf('@'))
}

function licenceOf({ licenses = [] }: Component): string {
  const stated = licenses.map(
    ({ license, expression }) => license?.id ?? license?.name ?? expression ?? '',
  )
  return stated.join(', ') || 'not stated'
}
