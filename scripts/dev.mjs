// `npm run dev`: runs the embedded cluster and the gateway, restarting them when their code changes, and the console with
// hot reload in front of them. Ctrl-C stops everything.
import { spawn } from 'node:child_process'
import { ExitError, runMain } from './lib/exit-error.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { commandOf, inRepository, root } from './lib/repository.mjs'

await runMain(async () => {
  await ensureInstalled()
  const { createServer } = await import('vite')
  const port = Number(process.env.SLIPWAY_PORT || 8080)
  const gatewayPort = port + 10
  const gateway = `http://127.0.0.1:${gatewayPort}`

  // The gateway uses this server's origins as its own, so that sign-in returns here.
  const origins = [`http://127.0.0.1:${port}`, `http://localhost:${port}`]
  const proxied = { target: gateway, changeOrigin: false, ws: true }
  const server = await createServer({
    root: inRepository('packages/console'),
    server: { port, strictPort: true, proxy: { '/api': proxied, '/wss': proxied, '/oauth2': proxied } },
  })
  await server.listen().catch((/** @type {Error} */ error) => {
    throw new ExitError(
      `${error.message}. Stop the program that listens there, or choose another port with SLIPWAY_PORT.`,
    )
  })
  console.log(`Console with hot reload: http://127.0.0.1:${port} (gateway: ${gateway})`)

  const backend = spawn(
    process.execPath,
    [
      commandOf('tsx'),
      'watch',
      '--clear-screen=false',
      'packages/slipway/src/main.ts',
      `--port=${gatewayPort}`,
      ...origins.map((origin) => `--public-origin=${origin}`),
    ],
    { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] },
  )
  const stop = async () => {
    backend.kill('SIGINT')
    await server.close()
    process.exit()
  }
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  backend.once('exit', stop)
})
