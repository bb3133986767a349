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
  // Our packages export TypeScript, which Node does not read, so all is bundled; only SQLite looks for its binary
  // beside its own files.
  deps: { alwaysBundle: [/^@slipway\//], neverBundle: ['@photostructure/sqlite'] },
})
