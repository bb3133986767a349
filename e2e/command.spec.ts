import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, runCommand, type Command } from './command'
import { expect, expectSignedIn, signIn, test as base } from './fixtures'

interface CommandFixtures {
  dataFolder: string
  /** Runs the command on the data folder and free ports; what still runs after the test is killed. */
  run: (...args: string[]) => Command
}

const test = base.extend<CommandFixtures>({
  dataFolder: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'slipway-command-'))
    await use(folder)
    await rm(folder, { recursive: true })
  },
  run: async ({ dataFolder }, use) => {
    const commands: Command[] = []
    await use((...args) => {
      const ports = ['--port=0', '--api-port=0', '--sign-in-port=0', '--git-port=0']
      const quiet = ['--scenario=empty', '--simulator=off']
      const command = runCommand(`--data=${dataFolder}`, ...ports, ...quiet, ...args)
      commands.push(command)
      return command
    })
    for (const command of commands) command.signal('SIGKILL')
    await Promise.all(commands.map(({ exited }) => exited))
  },
})

test('says at which address it is ready, and as whom one signs in', async ({ run, dataFolder, request }) => {
  const command = run()
  const url = await command.ready
  expect(new URL(url).hostname).toBe('127.0.0.1')
  expect((await request.get(url)).status()).toBe(200)
  for (const text of ['admin', 'maintainer', 'contributor', 'outsider', dataFolder, join(dataFolder, 'kubeconfig')]) {
    expect(command.output()).toContain(text)
  }
  expect((await stat(join(dataFolder, 'kubeconfig'))).mode & 0o777).toBe(0o600)
})

test('ends soon after Ctrl-C, with exit code 0', async ({ run }) => {
  const command = run()
  await command.ready
  const startedMs = performance.now()
  command.signal('SIGINT')
  expect(await command.exited).toBe(0)
  expect(performance.now() - startedMs).toBeLessThan(10_000)
})

test('runs on when nobody reads what it prints', async ({ run, request }) => {
  const port = await freePort()
  const command = run(`--port=${port}`)
  command.stopReading()
  const health = () => request.get(`http://127.0.0.1:${port}/health`).then((response) => response.status())
  await expect.poll(() => health().catch(() => 'no answer')).toBe(200)
  command.signal('SIGINT')
  expect(await command.exited).toBe(0)
  expect(command.output()).toBe('')
})

test('keeps what was written when it is killed', async ({ run, dataFolder, kubectlFor }) => {
  const kubectl = kubectlFor(dataFolder)
  const killed = run()
  await killed.ready
  await kubectl('system', 'create', 'namespace', 'kept')
  killed.signal('SIGKILL')
  expect(await killed.exited).toBeNull()

  await run().ready
  expect(await kubectl('system', 'get', 'namespace', 'kept', '-o', 'name')).toBe('namespace/kept\n')
})

test('keeps people signed in over a restart', async ({ run, page }) => {
  const first = run()
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

test('refuses a data folder that is in use', async ({ run, dataFolder }) => {
  await run().ready
  const second = run()
  expect(await second.exited).toBe(1)
  expect(second.output()).toContain(dataFolder)
  expectOneSentence(second)
})

test('refuses a port that is taken', async ({ run }) => {
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

test('refuses a data folder that is none', async ({ run, dataFolder }) => {
  const file = join(dataFolder, 'file')
  await writeFile(file, 'not a folder')
  const command = run(`--data=${file}`)
  expect(await command.exited).toBe(1)
  expect(command.output()).toContain('--data')
  expectOneSentence(command)
  expect(await readFile(file, 'utf8')).toBe('not a folder')
})

/** A failure a user can mend is told without a stack trace. */
const expectOneSentence = (command: Command) => expect(command.output()).not.toMatch(/^\s+at /m)
