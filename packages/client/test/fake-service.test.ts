import { accounts } from '../../../src/collections/accounts.ts'
import { contacts } from '../../../src/collections/contacts.ts'
import { deliveries } from '../../../src/collections/deliveries.ts'
import { messages } from '../../../src/collections/messages.ts'
import { webhooks } from '../../../src/collections/webhooks.ts'
import { clientSuite } from './suite/client-suite.ts'
import { declaredSuite } from './suite/declared-suite.ts'
import { fakeService } from './support/fake-service.ts'
import { shop } from './support/shop.ts'

const collections = [accounts, contacts, deliveries, messages, webhooks]

clientSuite('a service in memory', (t) => fakeService(t, collections))
declaredSuite('a service in memory', (t) => fakeService(t, shop.collections))
