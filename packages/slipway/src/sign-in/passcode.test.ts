import { manualClock } from '@slipway/kube/testing'
import { expect, it } from 'vitest'
import { passcodeCheck } from './passcode'

it('accepts only the right passcode', () => {
  const check = passcodeCheck('open sesame', manualClock())
  expect(check('open sesame')).toBe('right')
  expect(['', 'open', 'open sesame ', 'OPEN SESAME'].map(check)).toEqual(['wrong', 'wrong', 'wrong', 'wrong'])
  expect(check('open sesame')).toBe('right')
})

it('rejects all attempts for a minute after five wrong ones in a row', () => {
  const clock = manualClock()
  const check = passcodeCheck('right', clock)
  expect(['a', 'b', 'c', 'd', 'e', 'right'].map(check)).toEqual(['wrong', 'wrong', 'wrong', 'wrong', 'wait', 'wait'])
  clock.jump(59_999)
  expect(check('right')).toBe('wait')
  clock.jump(1)
  expect(check('right')).toBe('right')
})

it('accepts attempts again after that minute even if the clock was set back', () => {
  const clock = manualClock()
  const check = passcodeCheck('right', clock)
  for (const wrong of ['a', 'b', 'c', 'd', 'e']) check(wrong)
  clock.jump(-3_600_000)
  expect(check('right')).toBe('wait')
  clock.jump(60_000)
  expect(check('right')).toBe('right')
})
