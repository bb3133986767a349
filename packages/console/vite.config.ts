import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { type Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

const gateway = process.env.SLIPWAY_GATEWAY ?? 'http://127.0.0.1:8080'
const proxied = { target: gateway, changeOrigin: false, ws: true }

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
    // What is needed at once stays one file, even what lazily loaded parts need too: thirty small files are a tenth
    // larger than a few when compressed.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'frame', tags: ['$initial'] }] } } },
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
