import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          include: ['packages/*/{src,test}/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: ['packages/console/**', '**/node_modules/**'],
        },
      },
      'packages/console/vite.config.ts',
    ],
  },
})
