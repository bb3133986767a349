import { expect, test } from 'vitest'
import { run } from './run.mjs'

test('a command in the background runs at low priority', async () => {
  const script = `console.log(require('node:os').getPriority())`
  const { output } = await run([process.execPath, '-e', script], { quiet: true, isInBackground: true })
  expect(output.trim()).toBe('19')
})

test('a command that hangs is killed, even if a process that it started keeps its output open', async () => {
  const child = `require('node:child_process').spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'inherit', 'inherit'] })`
  const script = `console.log('started'); ${child}; setInterval(() => {}, 1000)`
  const { exitCode, output } = await run([process.execPath, '-e', script], { quiet: true, timeoutMs: 1_000 })
  expect({ exitCode, output }).toEqual({ exitCode: 124, output: expect.stringContaining('did not end within 1 s') })
})
