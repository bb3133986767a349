import { once } from 'node:events'
import { createServer } from 'node:http'
import { isBuiltin } from 'node:module'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@playwright/test'
import { build, type Plugin } from 'vite'
import type { Results } from './browser-core/worker'

/** The worker with the whole API server bundled, and the Node modules that it imports. */
async function bundled(): Promise<{ code: string; nodeModules: string[] }> {
  const nodeModules: string[] = []
  // Vite would replace a Node module with an empty one, so this catches it first.
  const watchful: Plugin = {
    name: 'watchful',
    enforce: 'pre',
    resolveId(id, importer) {
      if (isBuiltin(id)) nodeModules.push(`${id} from ${importer ?? ''}`)
    },
  }
  const output = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [watchful],
    build: {
      write: false,
      target: 'es2022',
      lib: {
        entry: fileURLToPath(new URL('./browser-core/worker.ts', import.meta.url)),
        formats: ['es'],
        fileName: 'core',
      },
    },
  })
  const [first] = [output].flat()
  const chunk = first && 'output' in first ? first.output[0] : undefined
  if (!chunk) throw new Error('nothing was built')
  return { code: chunk.code, nodeModules }
}

test('the API server lists, writes and watches in a browser’s worker, without Node', async ({ page }) => {
  const { code, nodeModules } = await bundled()
  expect(nodeModules).toEqual([])
  expect(code).not.toMatch(/\bfrom\s*["']node:|\bimport\s*\(?\s*["']node:/)

  const server = createServer(({ url }, response) => {
    const isScript = url === '/core.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? code : '<!doctype html><title>Worker</title>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const { port } = server.address() as AddressInfo // It listens on a port, not a pipe.
    await page.goto(`http://127.0.0.1:${port}/`)
    const answers = await page.evaluate(
      () =>
        new Promise<Results>((resolve, reject) => {
          const worker = new Worker('/core.js', { type: 'module' })
          worker.onmessage = ({ data }) => resolve(data)
          worker.onerror = ({ message }) => reject(new Error(message))
        }),
    )
    expect(answers).toEqual({
      created: 201,
      names: ['first'],
      events: ['ADDED second'],
      invalid: expect.stringContaining('spec.size: Invalid value: 0'),
      account: 'system:serviceaccount:default:default',
    })
  } finally {
    server.close()
    server.closeAllConnections()
  }
})
