import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageName, packSlipway } from '../scripts/lib/package.mjs'
import { npmCommand } from '../scripts/lib/repository.mjs'
import { run } from '../scripts/lib/run.mjs'
import { runProgram, type Command } from './command'
import { expect, expectSignedIn, signIn, test as base } from './fixtures'

interface Installation {
  /** Path of the command, as npm links it. */
  slipway: string
  /** Folder in which the package was installed. */
  folder: string
}

const test = base.extend<{ slipway: (...args: string[]) => Command }, { installation: Installation }>({
  installation: [
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'slipway-package-'))
      const tarball = await packSlipway(folder)
      await writeFile(join(folder, 'package.json'), '{}')
      const flags = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund']
      const command = [...npmCommand(), 'install', ...flags, tarball]
      const { exitCode, output } = await run(command, { cwd: folder, quiet: true })
      expect(exitCode, output).toBe(0)
      await use({ slipway: join(folder, 'node_modules/.bin/slipway'), folder })
      await rm(folder, { recursive: true })
    },
    { scope: 'worker' },
  ],
  /** Runs the installed command, and kills it after the test if it is still running. */
  slipway: async ({ installation }, use) => {
    const commands: Command[] = []
    await use((...args) => {
      const command = runProgram(installation.slipway, args)
      commands.push(command)
      return command
    })
    for (const command of commands) command.signalAll('SIGKILL')
    await Promise.all(commands.map(({ exited }) => exited))
  },
})

// One installation for all.
test.describe.configure({ mode: 'default' })

test('the package starts everything, the gateway, the simulator and the doctor from an empty folder', async ({
  slipway,
  installation,
  page,
}) => {
  const data = join(installation.folder, 'data')
  const ports = ['--port=0', '--api-port=0', '--sign-in-port=0', '--git-port=0']
  const started = slipway('start', `--data=${data}`, ...ports, '--scenario=empty', '--simulator=off', '--archive=both')
  const url = await started.ready
  await signIn(page, 'admin', url)
  await page.goto(url)
  await expectSignedIn(page, 'admin')

  const kubeconfig = `--kubeconfig=${join(data, 'kubeconfig')}`
  const gateway = slipway('gateway', kubeconfig, '--context=maintainer', '--port=0', '--sign-in-port=0')
  expect((await page.request.get(await gateway.ready)).status()).toBe(200)
  expect(gateway.output()).toMatch(/Passcode +\S+/)
  gateway.signal('SIGINT')
  expect(await gateway.exited).toBe(0)

  const simulator = slipway('simulate', kubeconfig, '--context=system', '--git-port=0', '--scenario=none')
  await expect.poll(() => simulator.output()).toContain('The simulator is running.')
  simulator.signal('SIGTERM')
  expect(await simulator.exited).toBe(0)

  started.signal('SIGINT')
  expect(await started.exited).toBe(0)
  const doctor = slipway('doctor', data)
  expect(await doctor.exited).toBe(0)
  expect(doctor.output()).toMatch(/store.sqlite +intact/)

  await writeFile(join(data, 'store.sqlite'), 'not a database')
  const damaged = slipway('doctor', data)
  expect(await damaged.exited).toBe(1)
  expect(damaged.output()).toContain(`\n  slipway doctor ${data} --salvage-to NEW_FOLDER\n`)
})

test('the installed command prints its version, its help and completion scripts', async ({ slipway }) => {
  const outputOf = async (...args: string[]) => {
    const command = slipway(...args)
    expect(await command.exited).toBe(0)
    return command.output()
  }
  const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))
  expect(await outputOf('--version')).toBe(`${version}\n`)
  expect(await outputOf('--help')).toMatch(/^Usage: slipway /)
  expect(await outputOf('gateway', '--help')).toMatch(/^Usage: slipway gateway /)
  for (const shell of ['bash', 'zsh', 'fish']) {
    expect(await outputOf('completion', shell)).toContain(`Completion of slipway for ${shell}.`)
  }
})

test('the package installs only what it declares, at fixed versions', async ({ installation }) => {
  const inPackage = async (file: string) =>
    JSON.parse(await readFile(join(installation.folder, 'node_modules', packageName, file), 'utf8'))
  const { dependencies, scripts, bin } = await inPackage('package.json')
  expect(Object.values<string>(dependencies).filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([])
  expect(scripts).toBeUndefined()
  expect(Object.keys(bin)).toEqual(['slipway'])
  const { packages } = await inPackage('npm-shrinkwrap.json')
  expect(Object.keys(packages)).toEqual(
    expect.arrayContaining(Object.keys(dependencies).map((name) => `node_modules/${name}`)),
  )
})

test('packing the same build twice produces the same bytes', async () => {
  const folders = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), 'slipway-packed-'))))
  const [first, second] = await Promise.all(folders.map(async (folder) => readFile(await packSlipway(folder))))
  expect(first && second && Buffer.compare(first, second)).toBe(0)
  for (const folder of folders) await rm(folder, { recursive: true })
})
