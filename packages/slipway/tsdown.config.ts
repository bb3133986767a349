import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: ['src/cli.ts'],
  format: 'esm',
  platform: 'node',
  target: 'node20',
  dts: false,
  clean: true,
  // `cli.js`: the package is of type module.
  fixedExtension: false,
  // Our packages export TypeScript, which Node does not read, so all is bundled; but SQLite looks for its binary beside
  // its own files, and below the metrics a CommonJS module has a name of its own in it twice once it is bundled.
  deps: { alwaysBundle: [/^@slipway\//], neverBundle: ['@photostructure/sqlite', 'prom-client'] },
})
