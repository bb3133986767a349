import { EventEmitter } from 'node:events'
import type { ChildProcess } from 'node:child_process'
import { expect, test, vi } from 'vitest'
import { openBrowser } from './open-browser'

const url = 'http://127.0.0.1:8080'

function openOn(platform: NodeJS.Platform) {
  const child = new EventEmitter()
  const start = vi.fn((_command: string, _args: string[]) => child as ChildProcess)
  const report = vi.fn()
  openBrowser(url, { report, platform, start })
  return { child, start, report }
}

test.each<[NodeJS.Platform, string, string[]]>([
  ['linux', 'xdg-open', [url]],
  ['freebsd', 'xdg-open', [url]],
  ['darwin', 'open', [url]],
  ['win32', 'cmd', ['/c', 'start', '""', url]],
])('--open on %s runs %s', (platform, command, args) => {
  const { child, start, report } = openOn(platform)
  expect(start).toHaveBeenCalledExactlyOnceWith(command, args)
  child.emit('exit', 0)
  expect(report).not.toHaveBeenCalled()
})

test('--open gives the URL if the opener fails', () => {
  const { child, report } = openOn('linux')
  child.emit('exit', 3)
  expect(report).toHaveBeenCalledExactlyOnceWith(
    `No browser could be opened (xdg-open exited with code 3). Open ${url} yourself.`,
  )
})

test('--open gives the URL if the machine has no opener, and does not throw', async () => {
  const report = vi.fn()
  vi.stubEnv('PATH', '/nonexistent')
  openBrowser(url, { report, platform: 'linux' })
  vi.unstubAllEnvs()
  await vi.waitFor(() => expect(report).toHaveBeenCalledOnce())
  expect(report.mock.lastCall?.[0]).toMatch(/^No browser could be opened \(.*ENOENT\)\. Open http:\S+ yourself\.$/)
})
