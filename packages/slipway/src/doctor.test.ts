import {
  appendFile,
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { applicationType } from '@slipway/model/builds/application'
import { anApplication } from '@slipway/model/testing'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { doctorCommand } from './doctor'
import { parseFlags } from './flags'
import { StartError } from './start-error'
import { startSlipway, type RunningSlipway } from './start'

const namespace = 'team-sandbox'
let folder = ''
let data = ''
let running: RunningSlipway[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-doctor-test-'))
  data = join(folder, 'data')
})
afterEach(async () => {
  for (const slipway of running) await slipway.close()
  running = []
  await rm(folder, { recursive: true })
})

async function start(path: string): Promise<RunningSlipway> {
  const quiet = { port: 0, apiPort: 0, signInPort: 0, gitPort: 0, scenario: 'empty', simulator: false } as const
  const slipway = await startSlipway({ ...quiet, data: path })
  running.push(slipway)
  return slipway
}

async function doctor(...args: string[]): Promise<{ code: number; text: string }> {
  let text = ''
  const code = await doctorCommand(
    parseFlags('doctor', args, {}),
    {},
    { write: (part: string) => ((text += part), true) },
  )
  return { code, text }
}

async function filledFolder(): Promise<void> {
  const slipway = await start(data)
  for (const name of ['lost', 'kept']) {
    await slipway.system.create(applicationType, anApplication({ metadata: { name, namespace } }))
  }
  await slipway.close()
}

const contents = async () =>
  Promise.all(
    (await readdir(data)).sort().map(async (name) => [name, (await readFile(join(data, name))).toString('base64')]),
  )

/** Changes a letter in the stored text of the application `lost`. */
async function damageStore(): Promise<void> {
  const path = join(data, 'store.sqlite')
  const bytes = await readFile(path)
  const name = '"name":"lost"'
  for (let at = bytes.indexOf(name); at >= 0; at = bytes.indexOf(name, at + 1)) bytes.write('#', at + 9)
  await writeFile(path, bytes)
}

describe('archives', () => {
  /** A server that responds to any request. @returns its URL */
  async function archive(status: number, body: object): Promise<string> {
    const server = createServer((_, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    // A server that listens on a TCP port has an address of this type.
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  it('that answer are named with their versions if they report one, KubeArchive first', async () => {
    const kubeArchive = await archive(200, { message: 'healthy', version: 'v1.23.0' })
    const results = await archive(401, { message: 'no token' })
    const { code, text } = await doctor('--tekton-results', results, '--kubearchive', `${kubeArchive}/`)
    expect(text).toMatch(/^ +kubearchive +answers, version v1\.23\.0\n +tekton-results +answers, without a version\n$/)
    expect(code).toBe(0)
  })

  it('that do not answer are a problem, with the reason', async () => {
    const missing = await archive(404, {})
    const { code, text } = await doctor('--kubearchive', missing, '--tekton-results', 'http://127.0.0.1:1')
    expect(text).toContain(`does not answer\n    - ${missing}/livez returned 404\n`)
    expect(text).toMatch(/tekton-results +does not answer\n +- http:.*ECONNREFUSED/)
    expect(code).toBe(1)
    await filledFolder()
    const both = await doctor(data, '--kubearchive', missing)
    expect(both.text).toContain('store.sqlite      intact')
    expect(both.code).toBe(1)
  })

  it('need a URL', async () => {
    await expect(doctor('--kubearchive', 'archive.test')).rejects.toThrow(
      '--kubearchive must be an http or https URL, not "archive.test".',
    )
  })
})

it('an intact data folder is reported as intact and not changed', async () => {
  await filledFolder()
  const before = await contents()
  const { code, text } = await doctor(data)
  expect(text).toMatch(
    /store\.sqlite +intact, revision \d+, \d+\.\d MB\n +archive\.sqlite +intact, \d+\.\d MB\n +credentials\.json +intact\n/,
  )
  expect(code).toBe(0)
  expect(await contents()).toEqual(before)
})

it('a damaged data folder is reported but not changed, prevents a start, and can be salvaged into one that starts', async () => {
  await filledFolder()
  await damageStore()
  await truncate(join(data, 'sign-in.json'), 3).catch(() => writeFile(join(data, 'sign-in.json'), '{"a'))
  const before = await contents()
  const { code, text } = await doctor(data)
  expect(code).toBe(1)
  expect(text).toMatch(/store\.sqlite +damaged\n +- revision \d+ \(.*team-sandbox\/lost\) is damaged\n/)
  expect(text).toMatch(/sign-in\.json +damaged\n +- users must sign in again after the next start\n/)
  expect(text).toContain(`npm start -- doctor ${data} --salvage-to NEW_FOLDER`)

  const error = await start(data).catch((error: unknown) => error)
  expect(error).toBeInstanceOf(StartError)
  expect((error as Error).message).toMatch(
    /^The data in .*store\.sqlite is damaged: revision \d+ \(.*lost\) is damaged/,
  )
  expect((error as Error).message).toContain(`npm start -- doctor ${data}`)

  const rescued = join(folder, 'rescued')
  const salvaged = await doctor(data, '--salvage-to', rescued)
  expect(salvaged.code).toBe(1)
  expect(salvaged.text).toMatch(/- .*team-sandbox\/lost: revision \d+ cannot be read, not copied\n/)
  expect(await contents()).toEqual(before)
  expect((await doctor(rescued)).code).toBe(0)

  const slipway = await start(rescued)
  const { items } = await slipway.system.list(applicationType, { namespace })
  expect(items.map(({ metadata }) => metadata.name)).toEqual(['kept'])
  expect(JSON.parse(await readFile(join(rescued, 'credentials.json'), 'utf8'))).toEqual(
    JSON.parse(await readFile(join(data, 'credentials.json'), 'utf8')),
  )
})

it('an unreadable store is replaced by an empty one, and the rest is copied', async () => {
  await filledFolder()
  await writeFile(join(data, 'store.sqlite'), 'no database, '.repeat(1_000))
  const rescued = join(folder, 'rescued')
  const { code, text } = await doctor(data, '--salvage-to', rescued)
  expect(code).toBe(1)
  expect(text).toMatch(/store\.sqlite +nothing: .*file is not a database/)
  expect((await readdir(rescued)).filter((name) => name.startsWith('store'))).toEqual([])
  await start(rescued)
})

it('a missing store next to its remains, and a folder in place of a file, are reported as damage', async () => {
  await filledFolder()
  await rm(join(data, 'store.sqlite'))
  await rm(join(data, 'kubeconfig'))
  await mkdir(join(data, 'kubeconfig'))
  const { code, text } = await doctor(data)
  expect(code).toBe(1)
  expect(text).toMatch(/store\.sqlite +damaged\n +- the file is missing\n/)
  expect(text).toMatch(/kubeconfig +a folder\n +- it must be a file\n/)
})

it('salvaged files are readable only by their owner, and no temporary files are left', async () => {
  await filledFolder()
  await chmod(join(data, 'credentials.json'), 0o644)
  vi.stubEnv('TMPDIR', folder)
  onTestFinished(() => void vi.unstubAllEnvs())
  const rescued = join(folder, 'rescued')
  await doctor(data, '--salvage-to', rescued)
  expect((await readdir(folder)).sort()).toEqual(['data', 'rescued'])
  for (const name of await readdir(rescued))
    expect([name, (await stat(join(rescued, name))).mode & 0o777]).toEqual([name, 0o600])
})

describe('doctor rejects', () => {
  it('a folder that is in use', async () => {
    await start(data)
    await expect(doctor(data)).rejects.toThrow(
      `The data folder ${data} is already in use by another process. Stop that process, or choose another folder with --data.`,
    )
  })

  it('a missing folder, and a salvage folder that is not empty', async () => {
    await expect(doctor(data)).rejects.toThrow(`There is no folder ${data}.`)
    await mkdir(data)
    await expect(doctor(data, '--salvage-to', folder)).rejects.toThrow(
      `${folder} is not empty. Choose a new folder with --salvage-to.`,
    )
  })
})

describe('a start fails with a clear message', () => {
  const failure = async () => {
    const error: unknown = await start(data).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(StartError)
    return (error as StartError).message
  }

  it.each(['kubeconfig', 'sign-in.json', 'archive.sqlite'])('when %s is a folder', async (name) => {
    await mkdir(join(data, name), { recursive: true })
    expect(await failure()).toBe(
      `${join(data, name)} is a folder but must be a file. Move it away, or choose another data folder with --data.`,
    )
  })

  it('when the archive store is damaged', async () => {
    await filledFolder()
    await appendFile(join(data, 'archive.sqlite-acknowledged'), 'x')
    await writeFile(join(data, 'archive.sqlite'), 'no database, '.repeat(1_000))
    expect(await failure()).toMatch(/^The data in .*archive\.sqlite is damaged: file is not a database\..*\n.*doctor/)
  })

  // Writes to this device fail as on a full disk; other systems have no such device.
  it.runIf(process.platform === 'linux').each([
    ['credentials.json.new', /^There is no space left on the disk to write .*credentials\.json\./],
    ['kubeconfig.new', /^There is no space left on the disk to write .*kubeconfig\./],
    ['store.sqlite-acknowledged.new', /^There is no space left on the disk to write .*store\.sqlite\./],
    ['archive.sqlite-acknowledged.new', /^There is no space left on the disk to write .*archive\.sqlite\./],
  ])('when the disk is full while it writes %s', async (name, sentence) => {
    await mkdir(data)
    await symlink('/dev/full', join(data, name))
    expect(await failure()).toMatch(sentence)
  })
})
