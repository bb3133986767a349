import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createContainerRuntime, type ContainerRuntime } from '../../../simulator/test/platform/containers'
import { freePort } from '../../../simulator/test/platform/program'
import { provided } from '../../../simulator/test/platform/real-tekton'
import { startServices, type Services } from '../../src/services'

/** The image that scripts/platform/image.mjs built of the Containerfile, run as a pod with restricted security runs it. */

interface ImageConfig {
  User: string
  Env: string[]
  Entrypoint: string[]
  Cmd: string[]
  WorkingDir: string
  Labels: Record<string, string>
  Healthcheck: { Test: string[] }
}

const image = JSON.parse(readFileSync(provided('IMAGE_CONFIG'), 'utf8')) as ImageConfig
const user = Number(image.User.split(':')[0])

let folder: string
let runtime: ContainerRuntime
let services: Services

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'image-'))
  runtime = createContainerRuntime({ runc: provided('RUNC'), folder: join(folder, 'containers') })
  services = await startServices({ apiPort: 0, gitPort: 0, data: join(folder, 'data'), scenario: 'empty' })
  const settings = join(folder, 'settings')
  mkdirSync(settings, { mode: 0o755 })
  // Which the user of the image may read, unlike that in the data folder.
  writeFileSync(join(settings, 'kubeconfig'), readFileSync(join(folder, 'data/kubeconfig')))
  writeFileSync(join(settings, 'session-key'), randomBytes(32))
  writeFileSync(join(settings, 'proxy-secret'), randomBytes(32).toString('hex'))
})
afterAll(async () => {
  await runtime.close()
  await services.close()
  rmSync(folder, { recursive: true })
})

/** Runs the image; its own command by default. */
function runImage({
  args = [],
  entrypoint = image.Entrypoint,
  env = [],
}: Partial<Record<'args' | 'entrypoint' | 'env', string[]>>) {
  let output = ''
  const container = runtime.run({
    root: provided('IMAGE_ROOT'),
    args: [...entrypoint, ...args],
    env: [...image.Env, ...env],
    workingDirectory: image.WorkingDir,
    user,
    isRestricted: true,
    mounts: [{ source: join(folder, 'settings'), destination: '/tmp/settings', isReadOnly: true }],
    onOutput: (_, bytes) => (output += bytes.toString()),
  })
  onTestFinished(() => container.kill())
  return { ...container, output: () => output }
}

/** Runs the image's health check, as a runtime does in the same container: containers of these tests share one network. */
async function healthCheck(port: number): Promise<number> {
  const [, ...entrypoint] = image.Healthcheck.Test
  const { exitCode } = await runImage({ entrypoint, env: [`SLIPWAY_PORT=${port}`] }).exited
  return exitCode
}

describe('the gateway of the image', () => {
  const settings = [
    '--kubeconfig=/tmp/settings/kubeconfig',
    '--context=system',
    '--session-key-file=/tmp/settings/session-key',
    '--front-proxy-secret-file=/tmp/settings/proxy-secret',
    '--public-origin=https://console.example.com',
    '--drain-seconds=1',
  ]

  it('is healthy and ready, serves the console, and exits with code 0 after SIGTERM', async () => {
    const port = await freePort()
    const env = [`SLIPWAY_PORT=${port}`]
    const gateway = runImage({ args: [...image.Cmd, ...settings, '--plain-http'], env })
    const get = async (path: string, headers?: OutgoingHttpHeaders) => {
      const [response] = await once(request({ host: '127.0.0.1', port, path, headers }).end(), 'response')
      const { statusCode, headers: received } = (response as IncomingMessage).resume()
      return { status: statusCode, type: received['content-type'] }
    }
    await vi.waitFor(async () => expect((await get('/ready')).status, gateway.output()).toBe(200))
    expect(await healthCheck(port)).toBe(0)
    const page = await get('/', { host: 'console.example.com' })
    expect(page).toMatchObject({ status: 200, type: expect.stringContaining('text/html') })
    await gateway.signal('SIGTERM')
    expect((await gateway.exited).exitCode).toBe(0)
    expect(await healthCheck(port)).toBe(1)
  })

  it('refuses to serve the network without TLS', async () => {
    const gateway = runImage({ args: [...image.Cmd, ...settings] })
    expect((await gateway.exited).exitCode).toBe(1)
    expect(gateway.output()).toContain('--plain-http')
  })
})

it('the image starts everything, with its data in /tmp, and exits with code 0 after SIGTERM', async () => {
  const ports = ['--port=0', '--api-port=0', '--sign-in-port=0', '--git-port=0']
  const slipway = runImage({ args: ['start', ...ports, '--scenario=empty', '--simulator=off'] })
  await vi.waitFor(() => expect(slipway.output()).toContain('Slipway is ready'))
  expect(slipway.output()).toMatch(/Data folder +\/tmp\/slipway\n/)
  await slipway.signal('SIGTERM')
  expect((await slipway.exited).exitCode).toBe(0)
})

it('the image is of another user than root, who can write to /tmp only', async () => {
  expect(user).toBeGreaterThan(0)
  const script =
    'id -u; for folder in / /slipway /slipway/slipway/dist /usr /etc /tmp; do touch $folder/x && echo $folder; done'
  const shell = runImage({ entrypoint: ['/bin/sh', '-c', script] })
  await shell.exited
  expect(
    shell
      .output()
      .split('\n')
      .filter((line) => line && !line.startsWith('touch')),
  ).toEqual([String(user), '/tmp'])
})

it('the labels of the image say what it is, and of which version and commit', () => {
  expect(image.Labels).toMatchObject({
    'org.opencontainers.image.title': 'Slipway',
    'org.opencontainers.image.licenses': 'Apache-2.0',
    'org.opencontainers.image.version': '1.2.3',
    'org.opencontainers.image.revision': 'abc',
  })
})
