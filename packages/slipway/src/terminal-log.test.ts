import { Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { terminalLog } from './terminal-log'

it('writes a sentence for each event, from its level on', () => {
  let text = ''
  const log = terminalLog(new Writable({ write: (chunk, _, done) => ((text += String(chunk)), done()) }), 'warn')
  log.info('not worth reading')
  log.warn({ upstream: 'kubernetes', code: 'ECONNREFUSED', who: null }, 'upstream unreachable')
  log.child({ reqId: 'a' }).error('failed')
  expect(text).toBe('Warning: upstream unreachable (upstream: kubernetes, code: ECONNREFUSED)\nError: failed\n')
})
