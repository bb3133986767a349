import { defineConfig } from 'vitest/config'
import { sharedTestSettings } from './scripts/lib/patience.mjs'

/** Tests that need a real control plane: `npm run test:cluster` provides one. */
export default defineConfig({
  test: {
    ...sharedTestSettings,
    environment: 'jsdom',
    setupFiles: [...sharedTestSettings.setupFiles, 'packages/console/test/setup.ts'],
    include: ['packages/*/test/cluster/**/*.cluster.test.ts'],
    fileParallelism: false,
    server: { deps: { inline: [/@patternfly/, 'nuqs'] } },
  },
})
