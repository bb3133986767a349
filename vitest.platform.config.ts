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
          exclude: ['packages/console/**', 'packages/gateway/**', 'packages/slipway/**', '**/node_modules/**'],
        },
      },
      {
        test: {
          ...sharedTestSettings,
          name: 'image',
          environment: 'node',
          include: ['packages/slipway/test/platform/**/*.platform.test.ts'],
        },
      },
      {
        test: {
          ...sharedTestSettings,
          name: 'front-proxy',
          environment: 'node',
          include: ['packages/gateway/test/platform/**/*.platform.test.ts'],
        },
      },
      // Tekton Results, Tekton's webhook and real containers, as the console sees them.
      ...[
        { name: 'platform-console', file: 'tekton-results' },
        { name: 'webhook', file: 'webhook' },
        { name: 'containers', file: 'containers' },
      ].map(({ name, file }) => ({
        test: {
          ...sharedTestSettings,
          name,
          environment: 'jsdom',
          setupFiles: [...sharedTestSettings.setupFiles, 'packages/console/test/setup.ts'],
          include: [`packages/console/test/platform/${file}.platform.test.ts`],
          server: { deps: { inline: [/@patternfly/, 'nuqs'] } },
        },
      })),
    ],
  },
})
