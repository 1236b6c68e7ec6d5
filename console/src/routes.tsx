import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { formatParameters, parseParameters } from './collections/list-state.ts'
import { Shell } from './shell/shell.tsx'
import { ScreenFault, ScreenSkeleton } from './shell/screen-states.tsx'

/** What the application passes to its screens. */
interface RouterContext {
  readonly endSession: () => void
}

const root = createRootRouteWithContext<RouterContext>()({ component: Shell })

/** Every address of the console. A screen is loaded when it is opened. */
const routeTree = root.addChildren([
  createRoute({
    getParentRoute: () => root,
    path: '/',
    beforeLoad: () => redirect({ to: '/messages', throw: true }),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/messages',
    component: lazyRouteComponent(
      () => import('./screens/messages/messages-screen.tsx'),
      'MessagesScreen',
    ),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/messages/$id',
    component: lazyRouteComponent(
      () => import('./screens/messages/message-screen.tsx'),
      'MessageScreen',
    ),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/send',
    component: lazyRouteComponent(() => import('./screens/messages/send-screen.tsx'), 'SendScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/_components',
    component: lazyRouteComponent(() => import('./screens/components.tsx'), 'ComponentsScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
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
