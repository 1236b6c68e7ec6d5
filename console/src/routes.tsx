import { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router'
import { collectionsQuery } from './api/queries.ts'
import { readAhead } from './collections/list/read-ahead.ts'
import {
  formatParameters,
  parseParameters,
  type AddressParameters,
} from './collections/list/list-state.ts'
import { viewedAccount } from './api/viewed-account.ts'
import { ScreenFault, ScreenSkeleton } from './shell/screen-states.tsx'
import { Shell } from './shell/shell.tsx'

/** What the application passes to its screens. */
interface RouterContext {
  readonly endSession: () => void
  readonly queries: QueryClient
}

const root = createRootRouteWithContext<RouterContext>()({
  component: Shell,
  // Without them the first drawing would be a skeleton, which React keeps for at least 300 ms.
  loader: ({ context }) => context.queries.query(collectionsQuery).catch(() => null),
  search: {
    // Every link within the view of an account stays in it.
    middlewares: [
      ({ search, next }) => {
        const account = viewedAccount()
        return account === null ? next(search) : { ...next(search), account }
      },
    ],
  },
})
const below = { getParentRoute: () => root } as const

/** What a route passes to its loader. */
interface Loading {
  readonly context: RouterContext
  readonly location: { readonly search: AddressParameters }
}

/** Reads the rows of a list while the code of its screen is loaded. */
const rowsOf =
  (path: string) =>
  ({ context, location }: Loading): void =>
    void readAhead(context.queries, path, location.search)

/** Every address of the console. A screen is loaded when it is opened. */
const routeTree = root.addChildren([
  createRoute({
    ...below,
    path: '/',
    component: lazyRouteComponent(
      () => import('./screens/overview/overview-screen.tsx'),
      'OverviewScreen',
    ),
  }),
  createRoute({
    ...below,
    path: '/messages',
    loader: rowsOf('messages'),
    component: lazyRouteComponent(
      () => import('./screens/messages/messages-screen.tsx'),
      'MessagesScreen',
    ),
  }),
  createRoute({
    ...below,
    path: '/messages/$id',
    component: lazyRouteComponent(
      () => import('./screens/messages/message-screen.tsx'),
      'MessageScreen',
    ),
  }),
  createRoute({
    ...below,
    path: '/send',
    component: lazyRouteComponent(() => import('./screens/messages/send-screen.tsx'), 'SendScreen'),
  }),
  createRoute({
    ...below,
    path: '/conversations',
    component: lazyRouteComponent(
      () => import('./screens/conversations/conversations-screen.tsx'),
      'ConversationsScreen',
    ),
  }),
  createRoute({
    ...below,
    path: '/conversations/$counterpart',
    component: lazyRouteComponent(
      () => import('./screens/conversations/conversations-screen.tsx'),
      'ConversationsScreen',
    ),
  }),
  createRoute({
    ...below,
    path: '/broadcasts',
    loader: rowsOf('broadcasts'),
    component: lazyRouteComponent(
      () => import('./screens/broadcasts/broadcasts-screen.tsx'),
      'BroadcastsScreen',
    ),
  }),
  createRoute({
    ...below,
    path: '/broadcasts/$id',
    component: lazyRouteComponent(
      () => import('./screens/broadcasts/broadcast-screen.tsx'),
      'BroadcastScreen',
    ),
  }),
  createRoute({
    ...below,
    path: '/broadcast',
    component: lazyRouteComponent(
      () => import('./screens/broadcasts/create-broadcast-screen.tsx'),
      'CreateBroadcastScreen',
    ),
  }),
  createRoute({
    ...below,
    path: '/webhooks',
    loader: rowsOf('webhooks'),
    component: lazyRouteComponent(
      () => import('./screens/webhooks/webhooks-screen.tsx'),
      'WebhooksScreen',
    ),
  }),
  createRoute({
    ...below,
    path: '/webhooks/$id',
    component: lazyRouteComponent(
      () => import('./screens/webhooks/webhook-screen.tsx'),
      'WebhookScreen',
    ),
  }),
  createRoute({
    ...below,
    path: '/carriers',
    component: lazyRouteComponent(
      () => import('./screens/carriers/carriers-screen.tsx'),
      'CarriersScreen',
    ),
  }),
  createRoute({
    ...below,
    path: '/credits',
    loader: rowsOf('credits'),
    component: lazyRouteComponent(
      () => import('./screens/credits/credits-screen.tsx'),
      'CreditsScreen',
    ),
  }),
  createRoute({
    ...below,
    path: '/_components',
    component: lazyRouteComponent(() => import('./screens/components.tsx'), 'ComponentsScreen'),
  }),
  createRoute({
    ...below,
    path: '/$',
    loader: ({ context, location, params: { _splat = '' } }) =>
      void readAhead(context.queries, _splat, location.search),
    component: lazyRouteComponent(
      () => import('./screens/collection-screen.tsx'),
      'CollectionScreen',
    ),
  }),
])

/** The router of the console. */
export const router = createRouter({
  routeTree,
  basepath: '/console',
  // The application gives its own.
  context: { endSession: () => {}, queries: new QueryClient() },
  parseSearch: parseParameters,
  stringifySearch: formatParameters,
  defaultPreload: 'intent',
  defaultPendingComponent: ScreenSkeleton,
  defaultErrorComponent: ScreenFault,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
