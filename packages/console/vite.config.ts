import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { type Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

const gateway = process.env.SLIPWAY_GATEWAY ?? 'http://127.0.0.1:8080'
const proxied = { target: gateway, changeOrigin: false, ws: true }

/**
 * What the frame of every page needs of libraries is one file. By itself each set of lazily loaded parts that share some
 * of it would make a file of its own, and thirty small files are a tenth larger than a few when compressed.
 */
const frame = new RegExp(
  [
    'node_modules/(react|react-dom|scheduler|react-router|@tanstack/(query-core|react-query))/',
    'react-core/dist/esm/helpers/(Popper|util|constants)',
    'react-core/dist/esm/components/(Button|Tooltip|MenuToggle|Dropdown|Menu|Alert|Nav|Masthead|Page|SkipToContent|EmptyState|Icon|Content|Title|List|Card)/',
    'packages/kube/src/(client|list-watch|path|selector|status|object|core-types|resource-type)',
    'packages/model/src/(flag|public-info)|console/src/resources/public-info',
    'console/src/(paths|product|lib/stored|ui/(Page|document-title|now|floating|ButtonLink))',
    'console/src/api/(client|queries|query-client|sharing|session|access|flags|live|live-state)[.]ts',
  ].join('|'),
)

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), precompress()],
  build: {
    target: 'es2022',
    // Strict policies allow no `data:` images or fonts; every asset stays a file.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 600,
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'frame', test: frame }] } } },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': proxied, '/wss': proxied, '/oauth2': proxied },
  },
  preview: {
    host: '127.0.0.1',
    proxy: { '/api': proxied, '/wss': proxied, '/oauth2': proxied },
  },
  test: {
    name: 'console',
    environment: 'jsdom',
    setupFiles: ['test/setup.ts'],
    testTimeout: 30_000,
    include: ['{src,test}/**/*.test.{ts,tsx}'],
    // PatternFly's modules import style sheets, which Node cannot load by itself; nuqs must meet the same copy of the
    // router as the console does.
    server: { deps: { inline: [/@patternfly/, 'nuqs'] } },
  },
})

/** Writes `.br` and `.gz` beside every text file of the build, so that the gateway sends them as they are. */
function precompress(): Plugin {
  const compressible = new Set(['.css', '.html', '.js', '.json', '.svg', '.txt'])
  const brotli = promisify(brotliCompress)
  const gz = promisify(gzip)
  let outDir = ''
  return {
    name: 'slipway:precompress',
    apply: 'build',
    configResolved(config) {
      outDir = join(config.root, config.build.outDir)
    },
    async closeBundle() {
      const files = await readdir(outDir, { recursive: true }).catch(() => [])
      const texts = files.filter((file) => compressible.has(extname(file))).map((file) => join(outDir, file))
      for (const file of texts) {
        const content = await readFile(file)
        const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
        await writeFile(`${file}.br`, await brotli(content, { params }))
        await writeFile(`${file}.gz`, await gz(content, { level: 9 }))
      }
    },
  }
}
