/** What a work is to reach: a ratio to another, or a limit of the figure itself. */
export type Goal =
  | {
      readonly work: string
      readonly kind: 'ratio'
      /** The other's name, or how it begins. */
      readonly to: string
      readonly atLeast: number
    }
  | {
      readonly work: string
      readonly kind: 'limit'
      readonly atMost?: number
      readonly atLeast?: number
      /** It is for so many messages a second that are offered. */
      readonly offered?: number
    }

/** What the service is to show, on two cores. */
export const goals: readonly Goal[] = [
  { work: 'get', kind: 'ratio', to: 'bare node:http', atLeast: 0.6 },
  { work: 'get', kind: 'ratio', to: 'Feathers', atLeast: 7 },
  { work: 'get', kind: 'ratio', to: 'Directus', atLeast: 100 },
  { work: 'list', kind: 'ratio', to: 'bare node:http', atLeast: 0.25 },
  { work: 'list', kind: 'ratio', to: 'Feathers', atLeast: 8 },
  { work: 'post-64', kind: 'ratio', to: 'bare node:http', atLeast: 0.4 },
  { work: 'post-64', kind: 'ratio', to: 'Fastify', atLeast: 3 },
  { work: 'post-record-64', kind: 'ratio', to: 'bare node:http', atLeast: 0.4 },
  { work: 'post-record-64', kind: 'ratio', to: 'Fastify', atLeast: 3 },
  { work: 'post-later-64', kind: 'ratio', to: 'bare node:http', atLeast: 0.4 },
  { work: 'post-later-64', kind: 'ratio', to: 'Fastify', atLeast: 3 },
  { work: 'journey-rate', kind: 'limit', atLeast: 4900, offered: 5000 },
  { work: 'journey-p99', kind: 'limit', atMost: 250, offered: 5000 },
  { work: 'journey-backlog', kind: 'limit', atMost: 25, offered: 5000 },
  { work: 'smpp', kind: 'ratio', to: 'a bare loop', atLeast: 0.5 },
  { work: 'smpp', kind: 'ratio', to: 'Kannel', atLeast: 1.2 },
  { work: 'deep', kind: 'ratio', to: 'the first page', atLeast: 0.8 },
  { work: 'start-empty', kind: 'limit', atMost: 1000 },
  { work: 'start-full', kind: 'limit', atMost: 1000 },
  { work: 'rest-empty', kind: 'limit', atMost: 90 },
  { work: 'rest-full', kind: 'limit', atMost: 90 },
  { work: 'memory-load', kind: 'limit', atMost: 250 },
]
