import { defineConfig } from 'vitest/config'

/** Tests that need a real control plane: `npm run test:cluster` provides one. */
export default defineConfig({
  test: {
    environment: 'jsdom',
    setupFiles: ['packages/console/test/setup.ts'],
    include: ['packages/*/test/cluster/**/*.cluster.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    fileParallelism: false,
    server: { deps: { inline: [/@patternfly/, 'nuqs'] } },
  },
})
