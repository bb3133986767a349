import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startProgress } from './start-progress'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function progressOn({ isTTY }: { isTTY?: boolean }) {
  let text = ''
  const progress = startProgress({ isTTY, write: (more) => (text += more) }, () => Date.now())
  return { progress, text: () => text }
}
const after = (ms: number) => () => new Promise<string>((resolve) => setTimeout(() => resolve('result'), ms))

describe('start progress', () => {
  it('writes plain lines with the time of each step where there is no terminal', async () => {
    const { progress, text } = progressOn({})
    const running = progress.step('Starting the cluster', after(1_200))
    await vi.advanceTimersByTimeAsync(1_200)
    expect(await running).toBe('result')
    expect(text()).toBe('Starting the cluster …\nStarting the cluster: done in 1.2 s\n')
  })

  it('adds a plain line every ten seconds of a long step', async () => {
    const { progress, text } = progressOn({ isTTY: false })
    const running = progress.step('Creating large', after(25_000))
    await vi.advanceTimersByTimeAsync(25_000)
    await running
    expect(text().split('\n')).toEqual([
      'Creating large …',
      'Creating large … 10.0 s',
      'Creating large … 20.0 s',
      'Creating large: done in 25.0 s',
      '',
    ])
  })

  it('rewrites one line per step at a terminal', async () => {
    const { progress, text } = progressOn({ isTTY: true })
    const running = progress.step('Starting the cluster', after(2_500))
    await vi.advanceTimersByTimeAsync(2_500)
    await running
    const rewrites = text().split('\r\u001b[K').slice(1)
    expect(rewrites).toEqual([
      'Starting the cluster …',
      'Starting the cluster … 1.0 s',
      'Starting the cluster … 2.0 s',
      'Starting the cluster: done in 2.5 s\n',
    ])
  })

  it.each([true, false])('ends a failed step on a line of its own, without a time (terminal: %s)', async (isTTY) => {
    const { progress, text } = progressOn({ isTTY })
    const fail = () => Promise.reject(new Error('Port 8080 is in use.'))
    await expect(progress.step('Starting the console', fail)).rejects.toThrow('Port 8080')
    expect(text()).toMatch(/Starting the console …\n$/)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(text()).not.toContain('done')
  })
})
