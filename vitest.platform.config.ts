import { defineConfig } from 'vitest/config'
import { sharedTestSettings } from './scripts/lib/patience.mjs'
import { applySeed, testOrder } from './scripts/lib/test-seed.mjs'

applySeed()

/** Tests that need programs of the platform: `npm run test:platform` builds them. */
export default defineConfig({
  test: {
    fileParallelism: false,
    sequence: testOrder(),
    projects: [
      {
        test: {
          ...sharedTestSettings,
          name: 'platform',
          environment: 'node',
          include: ['packages/*/test/platform/**/*.platform.test.ts'],
          exclude: ['packages/console/**', '**/node_modules/**'],
        },
      },
      {
        test: {
          ...sharedTestSettings,
          name: 'console',
          environment: 'jsdom',
          setupFiles: [...sharedTestSettings.setupFiles, 'packages/console/test/setup.ts'],
          include: ['packages/console/test/platform/**/*.platform.test.ts'],
          server: { deps: { inline: [/@patternfly/, 'nuqs'] } },
        },
      },
    ],
  },
})
