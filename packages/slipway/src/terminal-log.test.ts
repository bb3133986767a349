import { Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { partLog, terminalLog } from './terminal-log'

it('writes a sentence for each event of its level and above', () => {
  let text = ''
  const log = terminalLog(new Writable({ write: (chunk, _, done) => ((text += String(chunk)), done()) }), 'warn')
  log.info('not worth reading')
  log.warn({ upstream: 'kubernetes', code: 'ECONNREFUSED', who: null }, 'upstream unreachable')
  log.child({ reqId: 'a' }).error('failed')
  expect(text).toBe('Warning: upstream unreachable (upstream: kubernetes, code: ECONNREFUSED)\nError: failed\n')
})

it('prefixes each message of a part with the time and the part', () => {
  const lines: string[] = []
  const at = () => new Date(2026, 0, 31, 18, 11, 13)
  partLog('simulator', (line) => lines.push(line), at)('lost connection to taskruns, retrying in 2 s')
  expect(lines).toEqual(['18:11:13 simulator: lost connection to taskruns, retrying in 2 s'])
})
