import { describe, it } from 'node:test'
import { defineConfig } from '../../../src/config/define-config.ts'
import { boolean, choice, integer, text } from '../../../src/core/declaration/field.ts'
import type { createClient, Client, InputOf, InstanceOf } from '../src/index.ts'
import type { DeclaredCollections } from '../src/declarations/declared.ts'
import type { CollectionsIn, Newest, VersionName } from '../src/declarations/version.ts'
import { prove, type Accepts, type Equal, type Has } from './support/prove.ts'
import type { shop } from './support/shop.ts'

const config = defineConfig({
  collections: [
    {
      name: 'people',
      noun: 'person',
      description: 'A buyer.',
      fields: {
        fullName: text({ required: true }),
        rank: choice(['GOLD', 'NONE'], { default: 'NONE' }),
        note: text({ nullable: true }),
        age: integer({ nullable: true }),
      },
    },
    {
      name: 'orders',
      noun: 'order',
      description: 'What a person wants.',
      parent: 'people',
      fields: { title: text({ required: true }), paid: boolean({ default: false }) },
    },
    {
      name: 'visits',
      noun: 'visit',
      description: 'When a person came.',
      parent: 'people',
      fields: { place: text() },
    },
  ],
  versions: [
    {
      name: 'v1.1.0',
      changes: [
        { kind: 'fieldRenamed', collection: 'clients', from: 'name', to: 'fullName' },
        { kind: 'fieldRemoved', collection: 'clients', field: 'vip', value: false },
        {
          kind: 'fieldRemoved',
          collection: 'clients/orders',
          field: 'state',
          value: 'OPEN',
          was: choice(['OPEN', 'CLOSED'], { required: true }),
        },
        { kind: 'collectionAdded', collection: 'clients/visits' },
      ],
    },
    {
      name: 'v2',
      changes: [
        { kind: 'collectionRenamed', from: 'clients', to: 'people' },
        { kind: 'fieldAdded', collection: 'people', field: 'note' },
        { kind: 'fieldChanged', collection: 'people', field: 'rank', values: { TOP: 'GOLD' } },
        {
          kind: 'fieldChanged',
          collection: 'people',
          field: 'age',
          up: (value) => value,
          down: (value) => value,
          was: text({ nullable: true }),
        },
      ],
    },
  ],
})

type Config = typeof config
type V1 = Client<Config, 'v1'>
type V11 = Client<Config, 'v1.1.0'>
type V2 = Client<Config>
type Result<T> = Awaited<ReturnType<Extract<T, (...given: never[]) => unknown>>>
type Person<C extends { readonly clients: { readonly get: unknown } }> = Result<C['clients']['get']>

type Asked<D extends DeclaredCollections> = Parameters<typeof createClient<D>>[0]

describe('the types of a client of one version', () => {
  it('have the collections as the version calls them', () => {
    prove<Has<V1, 'clients' | 'messages'>>(true)
    prove<Has<V1, 'people'>>(false)
    prove<Has<V11, 'clients'>>(true)
    prove<Has<V2, 'people'>>(true)
    prove<Has<V2, 'clients'>>(false)
    prove<Equal<keyof ReturnType<V1['clients']['at']>, 'orders'>>(true)
    prove<Equal<keyof ReturnType<V11['clients']['at']>, 'orders' | 'visits'>>(true)
    prove<Equal<keyof ReturnType<V2['people']['at']>, 'orders' | 'visits'>>(true)
  })

  it('have the fields as the version calls them', () => {
    type Times = 'id' | 'createdAt' | 'updatedAt'

    prove<Equal<keyof Person<V1>, Times | 'name' | 'rank' | 'age' | 'vip'>>(true)
    prove<Equal<keyof Person<V11>, Times | 'fullName' | 'rank' | 'age'>>(true)
    prove<Has<Result<V2['people']['get']>, 'note'>>(true)
  })

  it('have the values that the fields had', () => {
    type Order = Result<ReturnType<V1['clients']['at']>['orders']['get']>

    prove<Equal<Person<V1>['rank'], 'TOP' | 'NONE'>>(true)
    prove<Equal<Person<V1>['age'], string | null>>(true)
    prove<Equal<Person<V1>['vip'], boolean>>(true)
    prove<Equal<Order['state'], 'OPEN' | 'CLOSED'>>(true)
    prove<Equal<Result<V2['people']['get']>['rank'], 'GOLD' | 'NONE'>>(true)
  })

  it('take no values that were removed', () => {
    type Clients = Extract<CollectionsIn<Config, 'v1'>, { readonly name: 'clients' }>

    prove<Equal<keyof InputOf<Clients>, 'name' | 'rank' | 'age'>>(true)
    prove<Accepts<InputOf<Clients>, { name: string; rank: 'TOP' }>>(true)
    prove<Accepts<InputOf<Clients>, { name: string; rank: 'GOLD' }>>(false)
    prove<Has<InstanceOf<Clients>, 'vip'>>(true)
  })

  it('know which versions there are', () => {
    prove<Equal<VersionName<Config>, 'v1' | 'v1.1.0' | 'v2'>>(true)
    prove<Equal<Newest<Config>, 'v2'>>(true)
    prove<Equal<Newest<typeof shop>, 'v1'>>(true)
  })

  it('ask for the version if there are several', () => {
    prove<Accepts<Asked<Config>, { baseUrl: string; key: string; version: 'v2' }>>(true)
    prove<Accepts<Asked<Config>, { baseUrl: string; key: string }>>(false)
    prove<Accepts<Asked<Config>, { baseUrl: string; key: string; version: 'v1' }>>(false)
    prove<Accepts<Asked<typeof shop>, { baseUrl: string; key: string }>>(true)
  })
})
