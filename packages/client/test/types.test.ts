import { describe, it } from 'node:test'
import type { Collection } from '../../../src/core/declaration/collection.ts'
import type { BuiltIn } from '../src/declarations/built-in.ts'
import type {
  Client,
  InputOf,
  InstanceOf,
  Message,
  AlertRecord,
  NotificationRecord,
  NotificationType,
  RecordOf,
  Page,
  PatchOf,
  ProblemType,
  Sort,
  Where,
} from '../src/index.ts'
import { prove, type Accepts, type Equal, type Has } from './support/prove.ts'
import type { shop } from './support/shop.ts'

type Shop = Client<typeof shop>
type Customers = (typeof shop.collections)[0]
type Orders = (typeof shop.collections)[1]
type Messages = BuiltIn['messages']

// What uses it is never called: only its type is looked at.
declare const messages: Client['messages']

type Given<T> = Parameters<Extract<T, (...given: never[]) => unknown>>
type Result<T> = Awaited<ReturnType<Extract<T, (...given: never[]) => unknown>>>

describe('the types of a client', () => {
  it('have a member for each collection at the root, and for no other name', () => {
    prove<Has<Client, 'messages'>>(true)
    prove<Has<Client, 'notifications'>>(true)
    prove<Has<Client, 'deliveries'>>(false)
    prove<Has<Client, 'customers'>>(false)
  })

  it('know the collections that a configuration declares, besides those built in', () => {
    prove<Has<Shop, 'customers'>>(true)
    prove<Has<Shop, 'articles'>>(true)
    prove<Has<Shop, 'messages'>>(true)
    prove<Has<Shop, 'orders'>>(false)
  })

  it('reach nested collections through their parents only', () => {
    type Within = ReturnType<Shop['customers']['at']>

    prove<Equal<keyof Within, 'orders'>>(true)
    prove<Has<Client['webhooks'], 'at'>>(true)
    prove<Has<Client['contacts'], 'at'>>(false)
  })

  it('offer the operations that a declaration has methods for', () => {
    type OfOrders = keyof ReturnType<Shop['customers']['at']>['orders']
    type OfDeliveries = keyof ReturnType<Client['webhooks']['at']>['deliveries']

    prove<Equal<OfOrders, 'list' | 'all' | 'create' | 'get' | 'put' | 'update'>>(true)
    prove<Equal<OfDeliveries, 'list' | 'all' | 'create' | 'get'>>(true)
    prove<Has<Client['messages'], 'patch' | 'delete'>>(true)
  })

  it('know nothing of a collection whose declaration has lost its name', () => {
    type Vague = Client<{ collections: Collection[] }>

    prove<Equal<keyof Vague, keyof Client>>(true)
  })
})

describe('the type of an instance', () => {
  it('has declared and common fields, without hidden ones', () => {
    type Customer = InstanceOf<Customers>

    prove<Equal<Customer['name'], string>>(true)
    prove<Equal<Customer['friend'], string | null>>(true)
    prove<Equal<Customer['balance'], number>>(true)
    prove<Equal<Customer['createdAt'], string>>(true)
    prove<Has<Customer, 'password'>>(false)
    prove<Has<Customer, 'digest'>>(false)
  })

  it('of a message is the one that the service infers', () => {
    prove<Equal<Result<Client['messages']['get']>, Message>>(true)
  })

  it('may have a secret in the answer to a write alone', () => {
    prove<Equal<Result<Client['keys']['create']>['secret'], string | undefined>>(true)
    prove<Has<Result<Client['keys']['get']>, 'secret'>>(false)
    prove<Has<Result<Client['messages']['create']>, 'secret'>>(false)
  })
})

describe('the type of an input', () => {
  type Input = InputOf<Customers>

  it('has what a client may set', () => {
    prove<
      Equal<keyof Input, 'name' | 'address' | 'friend' | 'regular' | 'tags' | 'notes' | 'password'>
    >(true)
    prove<Has<InputOf<Messages>, 'status'>>(false)
    prove<Has<InputOf<Messages>, 'maxParts'>>(true)
    prove<Has<InputOf<Messages>, 'id'>>(false)
  })

  it('requires required fields, and no others', () => {
    prove<Accepts<Input, { name: 'Ann'; password: 'secret' }>>(true)
    prove<Accepts<Input, { name: 'Ann' }>>(false)
    prove<Accepts<InputOf<Messages>, { to: '+1'; body: 'hello' }>>(true)
    prove<Accepts<InputOf<Messages>, { to: '+1' }>>(false)
  })

  it('takes null where null is a value, and undefined for what may be absent', () => {
    type Enough = { name: string; password: string }

    prove<Accepts<Input, Enough & { friend: null }>>(true)
    prove<Accepts<Input, Enough & { regular: null }>>(false)
    prove<Accepts<Input, Enough & { regular: undefined }>>(true)
    prove<Accepts<Input, { name: undefined; password: string }>>(false)
  })

  it('holds the values of a field to its kind, however deep', () => {
    type Enough = { name: string; password: string }

    prove<Accepts<Input, Enough & { address: { street: string } }>>(true)
    prove<Accepts<Input, Enough & { address: { town: string } }>>(false)
    prove<Has<NonNullable<Input['address']>, 'checkedAt'>>(false)
    prove<Accepts<Input, Enough & { tags: number[] }>>(false)
    prove<Accepts<Input, Enough & { notes: { colour: string } }>>(true)
    prove<Accepts<InputOf<Orders>, { total: 1; state: 'LOST' }>>(false)
  })

  it('takes points in time as texts and as dates', () => {
    prove<Accepts<InputOf<Orders>, { total: 1; dueAt: Date | string | null }>>(true)
    prove<Accepts<InputOf<Orders>, { total: 1; dueAt: number }>>(false)
  })

  it('takes an instance as it was read', () => {
    prove<Accepts<InputOf<Messages>, Message>>(true)
    prove<Accepts<InputOf<Orders>, InstanceOf<Orders>>>(true)
  })
})

describe('the type of a patch', () => {
  it('requires nothing, and takes null for what has a default', () => {
    prove<Accepts<PatchOf<Customers>, { regular: null; notes: { colour: null } }>>(true)
    prove<Accepts<PatchOf<Customers>, { name: null }>>(false)
    prove<Accepts<PatchOf<Customers>, { address: { town: string } }>>(true)
    prove<Has<PatchOf<Customers>, 'balance'>>(false)
  })

  it('of a message may cancel it, and sets no other status', () => {
    prove<Accepts<PatchOf<Messages>, { status: { type: 'CANCELLED' } }>>(true)
    prove<Accepts<PatchOf<Messages>, { status: { type: 'DELIVERED' } }>>(false)
  })
})

describe('the type of a filter', () => {
  type On = Where<Customers>

  it('names stored and shown fields, down to single values', () => {
    prove<Has<On, 'id' | 'name' | 'address.town' | 'tags' | 'notes.colour' | 'updatedAt'>>(true)
    prove<Has<On, 'address'>>(false)
    prove<Has<On, 'address.planet'>>(false)
    prove<Has<On, 'notes'>>(false)
    prove<Has<On, 'password'>>(false)
    prove<Has<On, 'digest'>>(false)
    prove<Has<On, 'balance'>>(false)
    prove<Has<Where<Orders>, 'lines'>>(false)
    prove<Has<Where<Messages>, 'status.type'>>(true)
  })

  it('compares a field with values of its kind', () => {
    prove<Accepts<On['name'], 'Ann' | readonly ['Ann', 'Ben']>>(true)
    prove<Accepts<On['name'], 1>>(false)
    prove<Accepts<On['friend'], null>>(true)
    prove<Accepts<On['name'], null>>(false)
    prove<Accepts<On['tags'], 'new'>>(true)
    prove<Accepts<Where<Orders>['state'], 'OPEN'>>(true)
    prove<Accepts<Where<Orders>['state'], 'LOST'>>(false)
    prove<Accepts<Where<Orders>['dueAt'], { gte: Date; lt: string }>>(true)
  })

  it('offers the comparisons that apply to the kind', () => {
    type Comparisons<T> = Exclude<
      T,
      undefined | null | string | number | boolean | Date | readonly unknown[]
    >
    type Name = 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'like'

    prove<Equal<keyof Comparisons<On['name']>, Name>>(true)
    prove<Equal<keyof Comparisons<On['createdAt']>, Name>>(true)
    prove<Equal<keyof Comparisons<Where<Orders>['total']>, Exclude<Name, 'like'>>>(true)
    prove<Equal<keyof Comparisons<On['regular']>, 'ne'>>(true)
    prove<Equal<keyof Comparisons<On['tags']>, 'ne'>>(true)
  })
})

describe('the type of a sort', () => {
  it('is a field that has an order, with a direction', () => {
    prove<Accepts<Sort<Customers>, 'name_asc' | 'address.town_desc' | 'notes.x_asc'>>(true)
    prove<Accepts<Sort<Customers>, 'name'>>(false)
    prove<Accepts<Sort<Customers>, 'name_up'>>(false)
    prove<Accepts<Sort<Customers>, 'tags_asc'>>(false)
    prove<Accepts<Sort<Customers>, 'balance_asc'>>(false)
    prove<Accepts<Sort<Messages>, 'createdAt_desc'>>(true)
  })
})

describe('the type of a page', () => {
  const counted = () => messages.list({ count: true })
  const slim = () => messages.list({ fields: ['to', 'status'] })
  const whole = () => messages.list()

  it('has whole instances if no fields are named', () => {
    prove<Equal<Result<typeof whole>, Page<Message>>>(true)
  })

  it('has the fields that are named, and the identifier', () => {
    prove<Equal<keyof Result<typeof slim>['items'][number], 'id' | 'to' | 'status'>>(true)
  })

  it('always has a requested total', () => {
    prove<Equal<Result<typeof counted>['total'], number>>(true)
    prove<Equal<Result<typeof whole>['total'], number | undefined>>(true)
  })

  it('refuses fields that there are not', () => {
    type Named = NonNullable<NonNullable<Given<typeof messages.list>[0]>['fields']>[number]

    prove<Accepts<Named, 'body'>>(true)
    prove<Accepts<Named, 'maxParts'>>(false)
  })
})

describe('the type of a notification', () => {
  it('has the fourteen fields of a record, and nothing else', () => {
    prove<Accepts<NotificationRecord, Message>>(true)
    prove<Has<NotificationRecord, 'history'>>(false)
    prove<Has<NotificationRecord, 'createdAt'>>(false)
  })

  it('is that of an alert where one is asked for by type', () => {
    prove<Equal<RecordOf<'WEBHOOK_DISABLED'>, AlertRecord>>(true)
    prove<Equal<RecordOf<'SENT' | 'RECEIVED'>, NotificationRecord>>(true)
    prove<Equal<RecordOf<NotificationType>, NotificationRecord | AlertRecord>>(true)
  })
})

describe('the type of a problem', () => {
  it('is one of the names that the service knows, or unknown', () => {
    prove<Accepts<ProblemType, 'not-found' | 'unknown'>>(true)
    prove<Accepts<ProblemType, 'nonsense'>>(false)
  })
})
