import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { sharedTestSettings } from './scripts/lib/patience.mjs'
import { applySeed, testOrder } from './scripts/lib/test-seed.mjs'

applySeed()

export default defineConfig({
  test: {
    // Most tests wait for timers and sockets a good part of their time: one more than there are cores keeps those busy.
    maxWorkers: availableParallelism() + 1,
    // Of files; that of tests is a setting of each project.
    sequence: testOrder(),
    projects: [
      {
        test: {
          ...sharedTestSettings,
          name: 'node',
          environment: 'node',
          include: ['packages/*/{src,test}/**/*.test.ts', 'scripts/**/*.test.ts'],
          // Those in cluster folders need a real control plane: vitest.cluster.config.ts. Those of the platform need its
          // programs: vitest.platform.config.ts.
          exclude: ['packages/console/**', '**/cluster/**', '**/*.platform.test.ts', '**/node_modules/**'],
        },
      },
      'packages/console/vite.config.ts',
    ],
  },
})
