import { defineConfig } from 'tsdown'

export default defineConfig({
  // The last one runs in a worker thread and must be next to the file that starts it.
  entry: {
    cli: 'src/cli.ts',
    'cluster-process': 'src/cluster-process.ts',
    'yaml-thread': '../apiserver/src/yaml-thread.js',
  },
  format: 'esm',
  platform: 'node',
  target: 'node20',
  dts: false,
  clean: true,
  outputOptions: { comments: { legal: true, annotation: false, jsdoc: false } },
  // `cli.js`: the package is of type module.
  fixedExtension: false,
  // Our packages export TypeScript, which Node cannot run, so everything is bundled, with two exceptions: SQLite looks for
  // its binary next to its own files, and bundling a CommonJS dependency of the metrics library duplicates one of its names.
  deps: { alwaysBundle: [/^@slipway\//], neverBundle: ['@photostructure/sqlite', 'prom-client'] },
})
