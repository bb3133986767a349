import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { freePort, runCommand, type Command } from './command'
import { expect, expectSignedIn, signIn, test as base } from './fixtures'

interface CommandFixtures {
  dataFolder: string
  /** Environment variables of the command. */
  environment: Record<string, string>
  /** Runs the command on the data folder and free ports, and kills it after the test if it is still running. */
  run: (...args: string[]) => Command
}

const test = base.extend<CommandFixtures>({
  dataFolder: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'slipway-command-'))
    await use(folder)
    await rm(folder, { recursive: true })
  },
  environment: [{}, { option: true }],
  run: async ({ dataFolder, environment }, use) => {
    const commands: Command[] = []
    await use((...args) => {
      const ports = ['--port=0', '--api-port=0', '--sign-in-port=0', '--git-port=0']
      const quiet = ['--scenario=empty', '--simulator=off']
      const command = runCommand([`--data=${dataFolder}`, ...ports, ...quiet, ...args], environment)
      commands.push(command)
      return command
    })
    const children = (await Promise.all(commands.map(({ pid }) => childrenOf(pid)))).flat()
    for (const command of commands) command.signal('SIGKILL')
    await Promise.all(commands.map(({ exited }) => exited))
    await expect.poll(() => children.filter(isRunning)).toEqual([])
  },
})

test('prints its progress, and the URL and the users when it is ready', async ({ run, dataFolder, request }) => {
  const command = run()
  const url = await command.ready
  expect(new URL(url).hostname).toBe('127.0.0.1')
  expect((await request.get(url)).status()).toBe(200)
  expect(command.output().match(/^.+(?=: done in \d+\.\d s$)/gm)).toEqual([
    'Starting the cluster',
    'Starting sign-in and the console',
    'Preparing the scenario empty',
  ])
  for (const text of ['admin', 'maintainer', 'contributor', 'outsider', dataFolder, join(dataFolder, 'kubeconfig')]) {
    expect(command.output()).toContain(text)
  }
  expect((await stat(join(dataFolder, 'kubeconfig'))).mode & 0o777).toBe(0o600)
})

test('prints its version and its commands without starting anything', async ({ run }) => {
  const version = run('--version')
  expect(await version.exited).toBe(0)
  expect(version.output()).toMatch(/^\d+\.\d+\.\d+\n$/)
  const help = run('--help')
  expect(await help.exited).toBe(0)
  for (const name of ['gateway', 'simulate', 'doctor']) expect(help.output()).toContain(`slipway ${name}`)
})

test.describe('with an SDK of OpenTelemetry', () => {
  const sdk = new URL('span-printer.mjs', import.meta.url).href
  test.use({ environment: { NODE_OPTIONS: `--import ${sdk}` } })

  test('the built command records spans of requests', async ({ run, request }) => {
    const command = run()
    const url = await command.ready
    expect((await request.get(`${url}/api/k8s/api/v1/namespaces/a/pods`)).status()).toBe(401)
    await expect.poll(command.output).toContain('span of "list pods"')
  })
})

test('exits with code 0 after Ctrl-C', async ({ run }) => {
  const command = run()
  await command.ready
  command.signal('SIGINT')
  expect(await command.exited).toBe(0)
})

test('keeps running if its output is not read', async ({ run, request }) => {
  const port = await freePort()
  const command = run(`--port=${port}`)
  command.stopReading()
  const health = () => request.get(`http://127.0.0.1:${port}/health`).then((response) => response.status())
  await expect.poll(() => health().catch(() => 'no answer')).toBe(200)
  command.signal('SIGINT')
  expect(await command.exited).toBe(0)
  expect(command.output()).toBe('')
})

test('keeps written data if it is killed', async ({ run, dataFolder, kubectlFor }) => {
  const kubectl = kubectlFor(dataFolder)
  const killed = run()
  await killed.ready
  await kubectl('system', 'create', 'namespace', 'kept')
  killed.signal('SIGKILL')
  expect(await killed.exited).toBeNull()

  await run().ready
  expect(await kubectl('system', 'get', 'namespace', 'kept', '-o', 'name')).toBe('namespace/kept\n')
})

test('keeps users signed in across a restart', async ({ run, page }) => {
  // The names of the cookies contain the port that was asked for.
  const first = run(`--port=${await freePort()}`)
  const url = await first.ready
  await signIn(page, 'admin', url)
  const portOf = (pattern: RegExp) => pattern.exec(first.output())?.[1] ?? ''
  const ports = [`--port=${new URL(url).port}`, `--sign-in-port=${portOf(/Sign-in +http:\S+:(\d+)/)}`]
  first.signal('SIGINT')
  await first.exited

  await run(...ports).ready
  await page.goto(url)
  await expectSignedIn(page, 'admin')
})

/** Returns the badge that shows how up to date they are. */
async function openLiveApplications(page: Page, url: string) {
  await signIn(page, 'admin', url)
  await page.goto(`${url}/ns/team-sandbox/applications`)
  const badge = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).first()
  await expect(badge('Live')).toBeVisible()
  return badge
}

test('restarts a killed cluster: the page shows it and recovers, and no acknowledged write is lost', async ({
  run,
  page,
}) => {
  const command = run()
  const badge = await openLiveApplications(page, await command.ready)

  const acknowledged: string[] = []
  let isWriting = true
  const writing = (async () => {
    for (let count = 0; isWriting; count++) {
      const name = `written-${count}`
      const status = await page.evaluate(createApplication, name)
      if (status === 201) acknowledged.push(name)
    }
  })()
  await expect.poll(() => acknowledged.length).toBeGreaterThan(5)
  const [killed] = await childrenOf(command.pid)
  process.kill(killed ?? 0, 'SIGKILL')
  await expect(badge(/ ago$|^No response$/)).toBeVisible()
  await expect(badge('Live')).toBeVisible()
  const before = acknowledged.length
  await expect.poll(() => acknowledged.length).toBeGreaterThan(before)
  isWriting = false
  await writing
  const stored = await page.evaluate(listApplications)
  expect(acknowledged.filter((name) => !stored.includes(name))).toEqual([])
  await expectSignedIn(page, 'admin')
  expect(await childrenOf(command.pid)).not.toContain(killed)
  expect(command.output()).toContain('The cluster stopped: signal SIGKILL.')
  expect(command.output()).toContain('The cluster is running again.')
})

test('reports a suspended cluster as not responding, and continues with it afterwards', async ({ run, page }) => {
  const command = run()
  const badge = await openLiveApplications(page, await command.ready)
  const [cluster] = await childrenOf(command.pid)
  process.kill(cluster ?? 0, 'SIGSTOP')
  await expect(badge(/ ago$/)).toBeVisible()
  expect(await page.evaluate(createApplication, 'refused')).toBe(503)
  process.kill(cluster ?? 0, 'SIGCONT')
  await expect(badge('Live')).toBeVisible()
  expect(await childrenOf(command.pid)).toContain(cluster)
})

for (const signal of ['SIGKILL', 'SIGTERM', 'SIGINT'] as const) {
  test(`leaves no process behind after ${signal}`, async ({ run }) => {
    const command = run()
    await command.ready
    const children = await childrenOf(command.pid)
    expect(children).toHaveLength(1)
    command.signal(signal)
    expect(await command.exited).toBe(signal === 'SIGKILL' ? null : 0)
    await expect.poll(() => children.filter(isRunning)).toEqual([])
  })
}

test('gives up on a cluster that keeps exiting, and says how to check its data', async ({ run, dataFolder }) => {
  const command = run()
  await command.ready
  let hasExited = false
  void command.exited.then(() => (hasExited = true))
  while (!hasExited) {
    for (const child of await childrenOf(command.pid)) if (isRunning(child)) process.kill(child, 'SIGKILL')
    await Promise.race([command.exited, setTimeout(50)])
  }
  expect(await command.exited).toBe(1)
  expect(command.output()).toContain(`npm start -- doctor ${dataFolder}`)
  expectOneSentence(command)
})

test('rejects a data folder that is in use', async ({ run, dataFolder }) => {
  await run().ready
  const second = run()
  expect(await second.exited).toBe(1)
  expect(second.output()).toContain(dataFolder)
  expectOneSentence(second)
})

test('rejects a port that is in use', async ({ run }) => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A listening TCP server's address is an object; only one on a named pipe is a string.
  const { port } = server.address() as AddressInfo
  const command = run(`--port=${port}`)
  expect(await command.exited).toBe(1)
  expect(command.output()).toContain(String(port))
  expect(command.output()).toContain('--port')
  expectOneSentence(command)
  server.close()
})

test('rejects a data folder that is not a folder', async ({ run, dataFolder }) => {
  const file = join(dataFolder, 'file')
  await writeFile(file, 'not a folder')
  const command = run(`--data=${file}`)
  expect(await command.exited).toBe(1)
  expect(command.output()).toContain('--data')
  expectOneSentence(command)
  expect(await readFile(file, 'utf8')).toBe('not a folder')
})

/** A failure that users can fix is reported without a stack trace. */
const expectOneSentence = (command: Command) => expect(command.output()).not.toMatch(/^\s+at /m)

/** Process ids of a process's children. */
async function childrenOf(pid: number | undefined): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,stat='])
  return stdout.split('\n').flatMap((line) => {
    const [child, parent, state] = line.trim().split(/\s+/)
    return Number(parent) === pid && !state?.startsWith('Z') && !line.includes('ps -A') ? [Number(child)] : []
  })
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Runs in the page. Returns the status code of the response; 0 without a response. */
const createApplication = (name: string): Promise<number> =>
  fetch('/api/k8s/apis/appstudio.redhat.com/v1alpha1/namespaces/team-sandbox/applications', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-requested-with': 'slipway' },
    body: JSON.stringify({
      apiVersion: 'appstudio.redhat.com/v1alpha1',
      kind: 'Application',
      metadata: { name },
      spec: { displayName: name },
    }),
  }).then(
    (response) => response.status,
    () => 0,
  )

/** Runs in the page. Returns the names of all applications. */
const listApplications = (): Promise<string[]> =>
  fetch('/api/k8s/apis/appstudio.redhat.com/v1alpha1/namespaces/team-sandbox/applications')
    .then((response) => response.json())
    .then(({ items }: { items: { metadata: { name: string } }[] }) => items.map(({ metadata }) => metadata.name))
