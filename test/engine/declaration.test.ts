import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { builtIn } from '../../src/collections/built-in.ts'
import { collection, type Collection } from '../../src/core/declaration/collection.ts'
import { DeclarationError } from '../../src/core/declaration/declaration-error.ts'
import {
  array,
  choice,
  object,
  reference,
  text,
  timestampField,
} from '../../src/core/declaration/field.ts'
import { limits, traits } from '../../src/engine/declaration/field-words.ts'
import { collectionWords } from '../../src/engine/declaration/read-collection.ts'
import { readDeclarations } from '../../src/engine/declaration/read-declarations.ts'

type Plain = Readonly<Record<string, unknown>>

const surroundings = { builtIn, reservedNames: ['notifications'] }

/** A declaration as a JSON file has it; what is given takes the place of what is right. */
function aDeclaration(given: Plain = {}): Plain {
  const fields = { name: { kind: 'text', required: true } }
  return { name: 'shops', noun: 'shop', description: 'A shop.', fields, ...given }
}

/** A declaration with one field besides its name. */
function withField(field: unknown, name = 'extra'): Plain {
  return aDeclaration({ fields: { name: { kind: 'text', required: true }, [name]: field } })
}

function read(...declared: readonly unknown[]): readonly Collection[] {
  return readDeclarations(declared, surroundings, 'nuncio.config.json')
}

/** The faults of declarations, as `path: detail`, paths without the part that all have. */
function faultsOf(...declared: readonly unknown[]): readonly string[] {
  try {
    read(...declared)
  } catch (error) {
    assert.ok(error instanceof DeclarationError)
    return error.faults.map(
      ({ path, detail }) => `${path.replace('collections[0].', '')}: ${detail}`,
    )
  }
  return []
}

/** States that there is one fault, at this path, and that its text matches. */
function refuses(declared: Plain, path: string, detail: RegExp): void {
  const faults = faultsOf(declared)

  const [fault = ''] = faults
  assert.equal(faults.length, 1, faults.join('\n'))
  assert.ok(fault.startsWith(`${path}: `), fault)
  assert.match(fault, detail)
}

describe('declarations', () => {
  it('are the same in JSON as in TypeScript', () => {
    const typed = collection({
      name: 'shops',
      noun: 'shop',
      description: 'A shop.',
      searchedBy: ['name'],
      fields: {
        name: text({ required: true, maxLength: 10 }),
        state: choice(['OPEN', 'CLOSED'], { default: 'OPEN' }),
        owner: reference('contacts', { nullable: true, onDelete: 'setNull' }),
        tags: array(text(), { default: [] }),
        place: object({ town: text({ nullable: true }) }, { nullable: true }),
      },
    })

    const [fromType] = read(typed)
    const [fromJson] = read(structuredClone<unknown>(typed))

    assert.deepEqual(fromType, fromJson)
  })

  it('are completed: every method, no parent, oldest first, nothing searched', () => {
    const [shops] = read(aDeclaration())

    assert.deepEqual(shops, collection({ ...aShop }))
  })

  it('keep a default in the form in which it is served', () => {
    const openedAt = timestampField({ default: '2026-01-31T12:00:00+01:00' })

    const [shops] = read(withField(openedAt, 'openedAt'))

    assert.equal(shops?.fields['openedAt']?.default, '2026-01-31T11:00:00.000Z')
  })

  it('index every single reference: whoever refers to an instance is looked for', () => {
    const [shops] = read(withField(reference('contacts', { nullable: true }), 'owner'))

    assert.equal(shops?.fields['owner']?.indexed, true)
  })

  it('may nest in a collection that is built in, and may share a name under another parent', () => {
    const notes = (parent: string) => aDeclaration({ name: 'notes', noun: 'note', parent })

    const read_ = read(notes('contacts'), aDeclaration(), notes('shops'))

    assert.deepEqual(
      read_.map(({ parent }) => parent),
      ['contacts', null, 'shops'],
    )
  })

  it('are refused all at once, each fault with file, place and cure', () => {
    const declared = [
      aDeclaration({ nuon: 'shop' }),
      aDeclaration({
        name: 'stalls',
        fields: { price: { kind: 'number', minimum: 5, maximum: 3 } },
      }),
    ]

    assert.throws(
      () => read(...declared),
      new DeclarationError('nuncio.config.json', [
        {
          path: 'collections[0].nuon',
          detail:
            'is no word of a collection. Did you mean noun? It takes name, noun, description, parent, ' +
            'order, searchedBy, searchIndex, methods, administratorsOnly, conditional, audited, ' +
            'changedByAdministrators, removedFields, fields.',
        },
        {
          path: 'collections[1].fields.price.minimum',
          detail: 'is 5, above maximum, which is 3. Lower it, or raise maximum.',
        },
        {
          path: 'collections[1].fields.price',
          detail:
            'has no value where a client gives none. Add required: true, nullable: true or a default.',
        },
      ]),
    )
  })

  it('have every word on the page that is about them', () => {
    const page = readFileSync('docs/how-to/declare-collections.md', 'utf8')
    const ofFields = [traits, ...Object.values(limits)].flatMap((words) => Object.keys(words))

    for (const word of [...collectionWords, ...ofFields, ...Object.keys(limits)]) {
      assert.ok(page.includes(`\`${word}\``), `the page does not have ${word}`)
    }
  })

  it('name the file in every line of the message', () => {
    assert.throws(() => read(7, 8), {
      message:
        'nuncio.config.json: collections[0]: must be a collection, such as collection({ … }), is 7.\n' +
        'nuncio.config.json: collections[1]: must be a collection, such as collection({ … }), is 8.',
    })
  })
})

const aShop = {
  name: 'shops',
  noun: 'shop',
  description: 'A shop.',
  fields: { name: text({ required: true }) },
} as const

describe('a collection is refused', () => {
  const cases: readonly (readonly [string, Plain, string, RegExp])[] = [
    ['without a name', { name: undefined }, 'name', /is missing/],
    ['with a name that is no camelCase', { name: 'my-shops' }, 'name', /camelCase.*"my-shops"/],
    ['with a name that is too long', { name: 's'.repeat(41) }, 'name', /41 characters; 40/],
    ['with the name of one built in', { name: 'messages' }, 'name', /another collection/],
    ['with such a name in another case', { name: 'conTacts' }, 'name', /another collection/],
    ['with a reserved name', { name: 'notifications' }, 'name', /is reserved/],
    ['with the noun of another', { noun: 'message' }, 'noun', /the noun of messages/],
    ['with the plural as its noun', { noun: 'shops' }, 'noun', /singular/],
    ['with a noun that is too long', { noun: 's'.repeat(38) }, 'noun', /38 characters; 37/],
    ['without a description', { description: ' ' }, 'description', /something in it/],
    ['without fields', { fields: undefined }, 'fields', /is missing/],
    ['with fields that are none', { fields: ['name'] }, 'fields', /is a list/],
    ['with an empty object of fields', { fields: {} }, 'fields', /at least one/],
    ['with an unknown word', { feilds: {} }, 'feilds', /Did you mean fields\?/],
    ['with an unknown order', { order: 'random' }, 'order', /newestFirst, oldestFirst/],
    [
      'with a parent that is not there',
      { parent: 'contcats' },
      'parent',
      /Did you mean contacts\?/,
    ],
    ['nested twice', { parent: 'webhooks/deliveries' }, 'parent', /Nest in webhooks/],
    [
      'with a method there is not',
      { methods: { instance: ['POST'] } },
      'methods.instance',
      /"POST"/,
    ],
    ['with methods of nothing', { methods: { list: ['GET'] } }, 'methods.list', /neither/],
    [
      'with an index for a search that it has not',
      { searchedBy: [], searchIndex: true },
      'searchIndex',
      /needs searchedBy/,
    ],
    [
      'that is searched by no field',
      { searchedBy: ['nmae'] },
      'searchedBy[0]',
      /Did you mean name/,
    ],
    ['that needs code', { owned: true }, 'owned', /custom code/],
    [
      'with a field removed that is there',
      { removedFields: ['name'] },
      'removedFields[0]',
      /declared/,
    ],
    [
      'searched by what is no text',
      { searchedBy: ['size'], fields: { size: { kind: 'integer', required: true } } },
      'searchedBy[0]',
      /no text that is shown/,
    ],
  ]
  for (const [what, given, path, detail] of cases) {
    it(what, () => refuses(aDeclaration(given), path, detail))
  }

  it('with a name that another has, whatever the case', () => {
    const faults = faultsOf(aDeclaration(), aDeclaration({ name: 'sHops' }))

    assert.deepEqual(faults, [
      'collections[1].name: "sHops" is the name of another collection. Choose another.',
      'collections[1].noun: "shop" is the noun of shops: identifiers would be ambiguous. ' +
        'Choose another.',
    ])
  })

  it('where there are more than 50', () => {
    const many = Array.from({ length: 51 }, (_, index) =>
      aDeclaration({ name: `shops${index}`, noun: `shop${index}` }),
    )

    assert.deepEqual(faultsOf(...many), ['collections: are 51; 50 are the most.'])
  })

  it('without faults that only follow from those of another', () => {
    const broken = aDeclaration({ nuon: 'x' })
    const nested = aDeclaration({ name: 'notes', noun: 'note', parent: 'shops' })

    assert.equal(faultsOf(broken, nested).length, 1)
  })
})

describe('a field is refused', () => {
  const cases: readonly (readonly [string, unknown, string, RegExp])[] = [
    ['that is no object', 'text', '', /must be a field/],
    ['of no kind', { required: true }, '.kind', /is undefined/],
    ['of an unknown kind', { kind: 'txt' }, '.kind', /Did you mean text\?/],
    [
      'with an unknown word',
      { kind: 'text', requird: true },
      '.requird',
      /Did you mean required\?/,
    ],
    [
      'with a word of another kind',
      { kind: 'integer', maxLength: 3 },
      '.maxLength',
      /of text fields/,
    ],
    ['with a word of built-in ones', { kind: 'text', internal: true }, '.internal', /custom code/],
    ['with a flag that is none', { kind: 'text', required: 'yes' }, '.required', /true or false/],
    ['with a limit that is none', { kind: 'text', maxLength: -1 }, '.maxLength', /whole number/],
    ['without any value', { kind: 'text' }, '', /Add required: true, nullable: true or a default/],
    ['with a range of nothing', ok({ minLength: 3, maxLength: 2 }), '.minLength', /is 3, above/],
    [
      'with an empty range',
      ok({ kind: 'array', items: { kind: 'text' }, minItems: 2, maxItems: 1 }),
      '.minItems',
      /above/,
    ],
    [
      'without a whole number',
      ok({ kind: 'integer', minimum: 0.1, maximum: 0.9 }),
      '.minimum',
      /no whole/,
    ],
    [
      'with a default of another kind',
      { kind: 'integer', default: 'x' },
      '.default',
      /whole number/,
    ],
    [
      'with a default out of range',
      { kind: 'integer', maximum: 3, default: 4 },
      '.default',
      /at most 3/,
    ],
    ['with null as default', { kind: 'text', default: null }, '.default', /not be null/],
    ['with a choice of nothing', ok({ kind: 'choice', enum: [] }), '.enum', /at least one/],
    ['with a choice twice', ok({ kind: 'choice', enum: ['A', 'A'] }), '.enum', /"A" twice/],
    [
      'with a choice that reads as null',
      ok({ kind: 'choice', enum: ['null'] }),
      '.enum',
      /"null" is none/,
    ],
    ['with no list of choices', ok({ kind: 'choice' }), '.enum', /is missing/],
    ['with an unknown format', ok({ format: 'email' }), '.format', /one of recipient/],
    [
      'with a broken pattern',
      ok({ pattern: '(', maxLength: 9 }),
      '.pattern',
      /no regular expression/,
    ],
    ['with a form without a pattern', ok({ form: 'a word' }), '.form', /Add the pattern/],
    ['with a pattern without a limit', ok({ pattern: '^a$' }), '.pattern', /needs maxLength/],
    [
      'with a pattern that looks around',
      ok({ pattern: '^(?!0)\\d+$', maxLength: 50 }),
      '.pattern',
      /must not look around with \(\?!\. Write the pattern without it/,
    ],
    [
      'with a pattern of too many steps',
      ok({ pattern: '^[ab]*a[ab]{900}$', maxLength: 40_000 }),
      '.pattern',
      /can take 907 steps for each character\. Lower maxLength to 5512/,
    ],
    [
      'with items compared without a limit',
      ok({ kind: 'array', items: { kind: 'text' }, uniqueItems: true }),
      '.uniqueItems',
      /maxItems/,
    ],
    [
      'with an index on a list',
      ok({ kind: 'array', items: { kind: 'text' }, indexed: true }),
      '.indexed',
      /single value/,
    ],
    [
      'unique and with a default',
      { kind: 'text', unique: true, default: 'x' },
      '.default',
      /two instances/,
    ],
    ['that nothing sets', { kind: 'text', readOnly: true }, '.readOnly', /always be null/],
    [
      'required and read-only',
      { kind: 'text', readOnly: true, required: true },
      '.required',
      /no client/,
    ],
    ['hidden and unique', { kind: 'text', writeOnly: true, unique: true }, '.unique', /ever shown/],
    [
      'that refers to nothing',
      ok({ kind: 'reference', collection: 'contact' }),
      '.collection',
      /Did you mean contacts/,
    ],
    [
      'that refers to what is nested',
      ok({ kind: 'reference', collection: 'webhooks/deliveries' }),
      '.collection',
      /at the root/,
    ],
    [
      'that refers to what nobody sees',
      ok({ kind: 'reference', collection: 'accounts' }),
      '.collection',
      /no account but/,
    ],
    [
      'that sets to null what may not be',
      { kind: 'reference', collection: 'contacts', required: true, onDelete: 'setNull' },
      '.onDelete',
      /nullable: true/,
    ],
    [
      'with words that say nothing of items',
      ok({ kind: 'array', items: { kind: 'text', required: true } }),
      '.items.required',
      /Leave it out/,
    ],
    [
      'with a reference where none is found',
      ok({ kind: 'map', values: { kind: 'reference', collection: 'contacts' } }),
      '.values',
      /deletions do not check/,
    ],
    [
      'with an object of nothing',
      ok({ kind: 'object', properties: {} }),
      '.properties',
      /no field/,
    ],
    [
      'hidden within an object',
      ok({ kind: 'object', properties: { pin: { kind: 'text', writeOnly: true } } }),
      '.properties.pin.writeOnly',
      /whole field/,
    ],
    [
      'with an index within a list',
      ok({
        kind: 'array',
        items: {
          kind: 'object',
          properties: { a: { kind: 'text', nullable: true, indexed: true } },
        },
      }),
      '.items.properties.a.indexed',
      /reach into/,
    ],
  ]
  for (const [what, field, path, detail] of cases) {
    it(what, () => refuses(withField(field), `fields.extra${path}`, detail))
  }

  const names: readonly (readonly [string, RegExp])[] = [
    ['id', /every instance/],
    ['createdAt', /every instance/],
    ['pageSize', /parameter of every list/],
    ['price_gte', /camelCase/],
    ['Price', /camelCase/],
    ['1st', /camelCase/],
    ['constructor', /every object/],
    ['x'.repeat(41), /40 are the most/],
  ]
  for (const [name, detail] of names) {
    it(`with the name ${name}`, () => refuses(withField(ok({}), name), `fields.${name}`, detail))
  }

  it('where there are more than 200, those inside objects included', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [`p${index}`, ok({})]),
    )

    refuses(withField(ok({ kind: 'object', properties })), 'fields', /has 202 fields; 200/)
  })

  it('where objects nest more than 8 levels deep', () => {
    let field: Plain = ok({})
    for (let depth = 0; depth < 9; depth += 1) {
      field = ok({ kind: 'object', properties: { inner: field } })
    }

    const [fault] = faultsOf(withField(field))

    assert.match(fault ?? '', /nests more than 8 levels/)
  })
})

/** A field that may be null, and so is right as far as that goes. */
function ok(field: Plain): Plain {
  return { kind: 'text', nullable: true, ...field }
}
