import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // Most tests wait for timers and sockets a good part of their time: one more than there are cores keeps those busy.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          // Whole clusters run within a test, beside two other files at work.
          testTimeout: 30_000,
          hookTimeout: 30_000,
          include: ['packages/*/{src,test}/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: ['packages/console/**', '**/node_modules/**'],
        },
      },
      'packages/console/vite.config.ts',
    ],
  },
})
