import { defineConfig } from 'vitest/config'
import { sharedTestSettings } from './scripts/lib/patience.mjs'
import { applySeed, testOrder } from './scripts/lib/test-seed.mjs'

applySeed()

/** Tests that need a real control plane: `npm run test:cluster` provides one. */
export default defineConfig({
  test: {
    fileParallelism: false,
    sequence: testOrder(),
    projects: [
      {
        test: {
          ...sharedTestSettings,
          // What is expected of any API server. `scripts/control-plane/test.mjs` runs it beside the others.
          name: 'apiserver',
          environment: 'node',
          include: ['packages/apiserver/test/cluster/**/*.cluster.test.ts'],
        },
      },
      {
        test: {
          ...sharedTestSettings,
          name: 'node',
          environment: 'node',
          include: ['packages/*/test/cluster/**/*.cluster.test.ts'],
          exclude: ['packages/{apiserver,console}/**', '**/node_modules/**'],
        },
      },
      {
        test: {
          ...sharedTestSettings,
          name: 'console',
          environment: 'jsdom',
          setupFiles: [...sharedTestSettings.setupFiles, 'packages/console/test/setup.ts'],
          include: ['packages/console/test/cluster/**/*.cluster.test.ts'],
          server: { deps: { inline: [/@patternfly/, 'nuqs'] } },
        },
      },
    ],
  },
})
