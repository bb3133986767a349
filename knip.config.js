/**
 * What is installed, exported or imported for nothing (docs/adr/0038-proof-of-requirements.md). Tests are no users: it runs with
 * `--production`. Code that no entry point reaches is found by scripts/dead-code.mjs.
 * @type {import('knip').KnipConfig}
 */
export default {
  workspaces: {
    '.': { entry: ['scripts/*.mjs!'], project: [] },
    'packages/console': {
      entry: [
        'src/main.tsx!',
        'src/preload/{entry,first-load,frame}.ts!',
        'src/lib/markdown-worker.ts!',
        'src/parts/logs/scan-worker.ts!',
        'src/api/views/views-worker.ts!',
      ],
      project: ['src/**/*.{ts,tsx}!', '!src/**/*.{test,type-test}.{ts,tsx}!'],
    },
    'packages/apiserver': {
      entry: ['src/yaml-thread.js!'],
      project: ['src/**/*.{ts,js}!', '!src/**/*.test.ts!', '!src/**/testing.ts!'],
    },
    'packages/slipway': {
      entry: ['src/cli.ts!', 'src/cluster-process.ts!'],
      project: ['src/**/*.ts!', '!src/**/*.test.ts!', '!src/**/testing.ts!'],
      // The command serves what was built of it.
      ignoreDependencies: ['@slipway/console'],
    },
    'packages/*': { project: ['src/**/*.ts!', '!src/**/*.test.ts!', '!src/**/testing.ts!', '!src/testing/**!'] },
  },
  // Journeys are tests.
  ignoreWorkspaces: ['e2e'],
  include: ['files', 'dependencies', 'unlisted', 'unresolved', 'exports', 'types', 'duplicates'],
  // A test may look into a module.
  ignoreExportsUsedInFile: true,
  ignoreIssues: {
    // Ahead of its screen: scripts/entry-points.json.
    'packages/console/src/ui/text/Markdown.tsx': ['exports'],
    'packages/console/src/ui/table/ViewTable.tsx': ['files'],
  },
}
