import { once } from 'node:events'
import { get } from 'node:https'
import type { IncomingMessage } from 'node:http'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { configMapType, namespaceType } from '@slipway/kube/core-types'
import { applicationType } from '@slipway/model/builds/application'
import { anApplication } from '@slipway/model/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { parse } from 'yaml'
import { StartError } from './start-error'
import { signedIn } from './sign-in/testing'
import { startSlipway, type RunningSlipway, type StartOptions } from './start'
import { emailOf } from './users'

const namespace = 'team-sandbox'
let folder = ''
let running: RunningSlipway[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-'))
})
afterEach(async () => {
  for (const slipway of running) await slipway.close()
  running = []
  await rm(folder, { recursive: true })
})

/** Starts on any free port without the simulator. */
const quiet = { port: 0, apiPort: 0, signInPort: 0, gitPort: 0, scenario: 'empty', simulator: false } as const

async function start(options: Partial<StartOptions> = {}): Promise<RunningSlipway> {
  const slipway = await startSlipway({ ...quiet, data: folder, ...options })
  running.push(slipway)
  return slipway
}

/** Status of a call over TLS; the certificate is not checked. */
async function statusOf(url: string, headers: Record<string, string> = {}): Promise<number | undefined> {
  // `once` resolves to the arguments of the event.
  const [response] = (await once(get(url, { headers, rejectUnauthorized: false }), 'response')) as [IncomingMessage]
  response.resume()
  return response.statusCode
}

const modeOf = async (name: string) => (await stat(join(folder, name))).mode & 0o777

it('serves the gateway and the Kubernetes API with everything in memory', async () => {
  const { url, apiUrl, signInUrl, kubeconfigPath } = await start({ data: undefined })
  expect((await fetch(`${url}/oauth2/userinfo`)).status).toBe(401)
  expect(await statusOf(`${apiUrl}/version`)).toBe(200)
  expect((await fetch(`${signInUrl}/.well-known/openid-configuration`)).status).toBe(200)
  expect(kubeconfigPath).toBeUndefined()
  expect(await readdir(folder)).toEqual([])
})

it('accepts a bearer token over plain HTTP at the Kubernetes API only with the flag', async () => {
  const path = '/api/v1/namespaces'
  const tokenOf = async ({ kubeconfigPath }: RunningSlipway) => {
    const { users } = parse(await readFile(kubeconfigPath ?? '', 'utf8')) as {
      users: { name: string; user: { token: string } }[]
    }
    return { authorization: `Bearer ${users.find(({ name }) => name === 'system')?.user.token}` }
  }
  const safe = await start()
  const headers = await tokenOf(safe)
  expect(await statusOf(`${safe.apiUrl}${path}`, headers)).toBe(200)
  const refused = await fetch(`${safe.apiUrl.replace('https:', 'http:')}${path}`, { headers })
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('to an HTTPS server')])
  await safe.close()
  const plain = await start({ plainHttp: true })
  expect((await fetch(`${plain.apiUrl.replace('https:', 'http:')}${path}`, { headers })).status).toBe(200)
})

describe('data folder', () => {
  it('keeps everything across a restart, readable only by its owner', async () => {
    await chmod(folder, 0o755)
    const first = await start()
    await first.system.create(applicationType, anApplication({ metadata: { name: 'kept', namespace } }))
    for (const name of ['kubeconfig', 'credentials.json', 'store.sqlite', 'store.sqlite-wal', 'archive.sqlite']) {
      expect([name, await modeOf(name)]).toEqual([name, 0o600])
    }
    const { users } = parse(await readFile(first.kubeconfigPath ?? '', 'utf8'))
    await first.close()

    const second = await start()
    expect((await second.system.get(applicationType, 'kept', { namespace })).metadata.name).toBe('kept')
    expect(parse(await readFile(second.kubeconfigPath ?? '', 'utf8')).users).toEqual(users)
  })

  it('is replaced by a fresh start, which keeps unrelated files', async () => {
    await writeFile(join(folder, 'notes.txt'), 'mine')
    const first = await start()
    await first.system.create(applicationType, anApplication({ metadata: { name: 'gone', namespace } }))
    await first.close()

    const second = await start({ fresh: true })
    await expect(second.system.get(applicationType, 'gone', { namespace })).rejects.toMatchObject({ code: 404 })
    expect(await readFile(join(folder, 'notes.txt'), 'utf8')).toBe('mine')
  })
})

describe('the scenario of a data folder', () => {
  const marker = { name: 'slipway-scenario', namespace: 'konflux-info' }
  const begunWith = async (system: RunningSlipway['system']) =>
    (await system.get(configMapType, marker.name, marker)).data?.['scenario']
  const addressed = `Start with --fresh to create demo, or choose another folder with --data.`

  it('is created once, and another one requires its own folder', async () => {
    const first = await start({ scenario: 'empty' })
    await first.system.delete(namespaceType, 'team-platform')
    await first.close()
    for (const scenario of ['empty', undefined] as const) {
      const again = await start({ scenario })
      expect(await begunWith(again.system)).toBe('empty')
      await expect(again.system.get(namespaceType, 'team-platform')).rejects.toMatchObject({ code: 404 })
      await again.close()
    }
    await expect(start({ scenario: 'demo' })).rejects.toThrow(
      `The data folder already has the scenario empty. ${addressed}`,
    )
    expect(await begunWith((await start({ scenario: 'faults', fresh: true })).system)).toBe('faults')
  })

  it('is not added to the content of an earlier version', async () => {
    const first = await start({ scenario: 'empty' })
    await first.system.delete(configMapType, marker.name, marker)
    await first.close()
    const again = await start({ scenario: undefined })
    await expect(begunWith(again.system)).rejects.toMatchObject({ code: 404 })
    expect((await again.system.list(applicationType)).items).toEqual([])
    await again.close()
    await expect(start({ scenario: 'demo' })).rejects.toThrow(
      `The data folder was filled by an earlier version of Slipway. ${addressed}`,
    )
  })

  it('may be known only to another version', async () => {
    const first = await start({ scenario: 'empty' })
    const known = await first.system.get(configMapType, marker.name, marker)
    await first.system.replace(configMapType, { ...known, data: { ...known.data, scenario: 'tomorrow' } })
    await first.close()
    const again = await start({ scenario: undefined })
    expect((await again.system.list(applicationType)).items).toEqual([])
    await again.close()
    await expect(start({ scenario: 'demo' })).rejects.toThrow('The data folder already has the scenario tomorrow.')
  })
})

describe('problems that the user can fix have a clear message', () => {
  const failureOf = (options: Partial<StartOptions>) =>
    start(options).then(
      () => undefined,
      (error: unknown) => (error instanceof StartError ? error.message : error),
    )

  it.each([false, true])('a data folder that is in use, fresh %s', async (fresh) => {
    const first = await start()
    expect(await failureOf({ fresh })).toBe(
      `The data folder ${folder} is already in use by another process. Stop that process, or choose another folder with --data.`,
    )
    expect(await statusOf(`${first.apiUrl}/version`)).toBe(200)
  })

  it('a data folder that is a file', async () => {
    const data = join(folder, 'file')
    await writeFile(data, 'text')
    expect(await failureOf({ data })).toBe(`The data folder ${data} is not a folder. Choose another one with --data.`)
    expect(await failureOf({ data: join(data, 'below') })).toBe(
      `The data folder ${join(data, 'below')} is not a folder. Choose another one with --data.`,
    )
  })

  it.each(['store.sqlite', 'credentials.json'])('a data folder with a folder in the place of %s', async (name) => {
    await mkdir(join(folder, name))
    expect(await failureOf({})).toBe(
      `${join(folder, name)} is a folder but must be a file. Move it away, or choose another data folder with --data.`,
    )
  })

  // Only Linux has a file system on which even the administrator cannot create anything.
  it.runIf(process.platform === 'linux')('a data folder that cannot be created', async () => {
    expect(await failureOf({ data: '/proc/slipway/data' })).toBe(
      'The data folder /proc/slipway/data cannot be created. Choose another one with --data.',
    )
  })

  it('a damaged store, which a fresh start replaces', async () => {
    await writeFile(join(folder, 'store.sqlite'), 'no database at all, although it is long enough to be one'.repeat(99))
    expect(await failureOf({})).toContain('--fresh')
    expect(await failureOf({ fresh: true })).toBeUndefined()
  })

  it.each([
    ['--port', 'port'],
    ['--api-port', 'apiPort'],
    ['--sign-in-port', 'signInPort'],
    ['--git-port', 'gitPort'],
  ] as const)('a port that is taken (%s), leaving the data folder free', async (flag, option) => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    // A listening TCP server's address is an object; only one on a named pipe is a string.
    const { port } = server.address() as AddressInfo
    expect(await failureOf({ [option]: port })).toBe(
      `Port ${port} is already in use. Stop the program that listens there, or choose another port with ${flag}.`,
    )
    server.close()
    expect(await failureOf({})).toBeUndefined()
  })

  it('a console that is not built', async () =>
    expect(await failureOf({ assets: folder })).toBe(
      `The console is not built: there is no index.html in ${folder}. Run npm start, which builds it.`,
    ))
})

describe('a clock that is set back by an hour', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))

  it('ends no session and lets users sign in with new and existing browsers', async () => {
    const { url } = await start()
    const email = emailOf('admin')
    const old = await signedIn(url, email)
    const userinfo = `${url}/oauth2/userinfo`
    vi.setSystemTime(Date.now() - 3_600_000)
    expect((await old(userinfo)).status).toBe(200)
    const fresh = await signedIn(url, email)
    expect((await fresh(userinfo)).status).toBe(200)
    await signedIn(url, emailOf('maintainer'), old)
    expect(JSON.parse((await old(userinfo)).text)).toMatchObject({ email: emailOf('maintainer') })
  })
})
