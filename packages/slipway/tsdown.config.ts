import { defineConfig, type Rolldown } from 'tsdown'

/**
 * Node holds the text of what it runs as long as it runs it, and one character beyond Latin-1 doubles that of its whole
 * file: three megabytes of libraries, for a few arrows in them.
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
  // The last one runs in a worker thread, beside the file that starts it.
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
  // Our packages export TypeScript, which Node does not read, so all is bundled; but SQLite looks for its binary beside
  // its own files, and below the metrics a CommonJS module has a name of its own in it twice once it is bundled.
  deps: { alwaysBundle: [/^@slipway\//], neverBundle: ['@photostructure/sqlite', 'prom-client'] },
})
