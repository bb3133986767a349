import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { downloadProgram, linuxFamily, methodsFor, remedyFor, type Program, type System } from './install-tools.mjs'
import { inRepository } from './repository.mjs'

const root = { isRoot: true, lacksLibraries: false }
const user = { isRoot: false, lacksLibraries: false }

test.each<[title: string, program: Program, system: System, methods: string[]]>([
  ['root on Debian gets packages', 'Chromium', { family: 'debian', ...root }, ['install package', 'download']],
  ['root on Debian gets packages', 'kubectl', { family: 'debian', ...root }, ['install package', 'download']],
  ['Chromium needs more than its own package', 'Chromium', { family: 'debian', ...user }, ['download']],
  ['kubectl is in one package', 'kubectl', { family: 'debian', ...user }, ['unpack package', 'download']],
  ['packages of Ubuntu refer to snaps', 'Chromium', { family: 'ubuntu', ...root }, ['download']],
  ['packages of Ubuntu refer to snaps', 'kubectl', { family: 'ubuntu', ...user }, ['download']],
  ['macOS', 'kubectl', { family: 'macos', ...user }, ['download']],
  ['packages of PostgreSQL are real ones', 'PostgreSQL', { family: 'ubuntu', ...root }, ['install package']],
  ['PostgreSQL needs libraries of the system', 'PostgreSQL', { family: 'debian', ...user }, []],
  ['PostgreSQL needs libraries of the system', 'PostgreSQL', { family: 'other', ...root }, []],
])('%s: %s', (_, program, system, methods) => expect(methodsFor(program, system)).toEqual(methods))

test.each<[program: Program, system: Parameters<typeof remedyFor>[1], command: string | RegExp]>([
  ['Chromium', { family: 'debian', ...user }, 'sudo apt-get install chromium-headless-shell'],
  ['Chromium', { family: 'debian', ...root }, 'apt-get install chromium-headless-shell'],
  ['kubectl', { family: 'debian', ...user }, 'sudo apt-get install kubernetes-client'],
  ['Chromium', { family: 'ubuntu', ...user }, 'sudo snap install chromium'],
  ['Chromium', { family: 'ubuntu', ...user, lacksLibraries: true }, 'sudo npx playwright install-deps chromium'],
  ['kubectl', { family: 'ubuntu', ...user }, 'sudo snap install kubectl --classic'],
  ['kubectl', { family: 'macos', ...user }, 'brew install kubernetes-cli'],
  ['Chromium', { family: 'other', ...user }, 'npx playwright install chromium'],
  ['PostgreSQL', { family: 'ubuntu', ...user }, 'sudo apt-get install postgresql'],
  ['PostgreSQL', { family: 'macos', ...user }, 'brew install postgresql'],
  ['kubectl', { family: 'other', ...user }, /^curl .* --output \.cache\/tools\/kubectl https:\S+\/v1\.\d+\.\d+\/bin\//],
])('a missing %s on %o is named with the command that installs it', (program, system, command) =>
  expect(remedyFor(program, system)).toEqual(typeof command === 'string' ? command : expect.stringMatching(command)),
)

test.each<[release: string, family: System['family']]>([
  ['PRETTY_NAME="Debian GNU/Linux 12"\nNAME="Debian GNU/Linux"\nVERSION_ID="12"\nID=debian\n', 'debian'],
  ['ID=raspbian\nID_LIKE=debian\n', 'debian'],
  ['NAME="Linux Mint"\nID=linuxmint\nID_LIKE="ubuntu debian"\n', 'ubuntu'],
  ['ID=ubuntu\nID_LIKE=debian\n', 'ubuntu'],
  ['ID=fedora\n', 'other'],
  ['', 'other'],
])('%o is of the family %s', (release, family) => expect(linuxFamily(release)).toBe(family))

describe('downloadProgram', () => {
  const program = '#!/bin/sh\n'
  const checksum = createHash('sha256').update(program).digest('hex')

  /** Downloads from a server, and returns the error and what is in the folder then. */
  async function download(listener: RequestListener, withinMs?: number) {
    mkdirSync(inRepository('.cache'), { recursive: true })
    const folder = mkdtempSync(inRepository('.cache/download-'))
    const server = createServer(listener).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const path = join(folder, 'tools', 'kubectl')
    try {
      const { port } = server.address() as AddressInfo
      const error = await downloadProgram(`http://127.0.0.1:${port}/kubectl`, path, withinMs)
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      const isExecutable = files.includes('tools/kubectl') && (statSync(path).mode & 0o111) !== 0
      return { error, files, content: isExecutable ? readFileSync(path, 'utf8') : undefined }
    } finally {
      server.closeAllConnections()
      server.close()
      rmSync(folder, { recursive: true })
    }
  }

  test('writes an executable with the published checksum', async () => {
    const { error, content } = await download(({ url }, response) =>
      response.end(url === '/kubectl' ? program : url === '/kubectl.sha256' ? `${checksum}\n` : ''),
    )
    expect({ error, content }).toEqual({ error: '', content: program })
  })

  test('writes nothing that has another checksum', async () => {
    const result = await download(({ url }, response) => response.end(url === '/kubectl' ? 'other' : checksum))
    expect(result).toMatchObject({ error: expect.stringContaining('published checksum'), files: [] })
  })

  test('writes nothing that is not found', async () => {
    const result = await download((_, response) => response.writeHead(404).end())
    expect(result).toMatchObject({ error: expect.stringContaining('status 404'), files: [] })
  })

  test('gives up on a server that does not respond', async () => {
    const result = await download(() => {}, 50)
    expect(result).toMatchObject({ error: expect.stringContaining('could not be downloaded'), files: [] })
  })
})
