import { defineConfig, type Rolldown } from 'tsdown'

/**
 * Node keeps the source text of running code in memory, and one character beyond Latin-1 doubles the size of the whole
 * file: three megabytes of libraries for a few arrows in them.
 */
const oneByteText: Rolldown.Plugin = {
  name: 'one-byte-text',
  generateBundle(_, files) {
    for (const file of Object.values(files)) {
      if (file.type === 'chunk') file.code = file.code.replace(/[\u0100-\uffff]/g, escaped)
    }
  },
}

const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

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
  plugins: [oneByteText],
  outputOptions: { comments: { legal: true, annotation: false, jsdoc: false } },
  // `cli.js`: the package is of type module.
  fixedExtension: false,
  // Our packages export TypeScript, which Node cannot run, so everything is bundled, with two exceptions: SQLite looks for
  // its binary next to its own files, and bundling a CommonJS dependency of the metrics library duplicates one of its names.
  deps: { alwaysBundle: [/^@slipway\//], neverBundle: ['@photostructure/sqlite', 'prom-client'] },
})
