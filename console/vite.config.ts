import optimizeLocales from '@react-aria/optimize-locales-plugin'
import react from '@vitejs/plugin-react'
import { env } from 'node:process'
import { defineConfig } from 'vite'

/** A running service, for development only. */
const service = env['CONSOLE_SERVICE'] ?? 'http://127.0.0.1:8080'

/** The key that the development server adds to each request. */
const key = env['CONSOLE_KEY']

const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` }

/** Builds the console, and serves it during development. */
export default defineConfig({
  base: '/console/',
  plugins: [react(), { ...optimizeLocales.vite({ locales: ['en-US'] }), enforce: 'pre' }],
  build: {
    target: 'es2024',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // A test limits the compressed sizes.
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Many small files take longer than few large ones: each waits for a connection.
            { name: 'first', tags: ['$initial'], priority: 1 },
            // What most screens need, such as the list, comes with the first of them.
            { name: 'shared', test: /console[\\/]src/, minShareCount: 4 },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      '/v1': { target: service, headers },
      '/docs': { target: service },
    },
  },
})
