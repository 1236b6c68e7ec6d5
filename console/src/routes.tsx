import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router'
import { formatParameters, parseParameters } from './collections/list/list-state.ts'
import { viewedAccount } from './api/viewed-account.ts'
import { ScreenFault, ScreenSkeleton } from './shell/screen-states.tsx'
import { Shell } from './shell/shell.tsx'

/** What the application passes to its screens. */
interface RouterContext {
  readonly endSession: () => void
}

const root = createRootRouteWithContext<RouterContext>()({
  component: Shell,
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
  context: { endSession: () => {} },
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
