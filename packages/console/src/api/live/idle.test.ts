import type { Clock } from '@slipway/kube/clock'
import { expect, it, onTestFinished, vi } from 'vitest'
import { idleTurnMs, isIdle, startIdle, waitForTurnMs } from './idle'

function start() {
  let nowMs = 1_000_000
  const clock: Clock = { now: () => nowMs, after: () => () => undefined }
  const onReturn = vi.fn()
  onTestFinished(startIdle(onReturn, clock))
  return { pass: (ms: number) => void (nowMs += ms), onReturn }
}

it('a tab becomes idle after five minutes without input, and active again with the next input', () => {
  const { pass, onReturn } = start()
  pass(299_999)
  expect(isIdle()).toBe(false)
  dispatchEvent(new Event('pointermove'))
  pass(299_999)
  expect(isIdle()).toBe(false)
  expect(onReturn).not.toHaveBeenCalled()
  pass(1)
  expect(isIdle()).toBe(true)
  dispatchEvent(new Event('keydown'))
  expect(isIdle()).toBe(false)
  expect(onReturn).toHaveBeenCalledOnce()
})

it('a hidden tab is idle', () => {
  start()
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  expect(isIdle()).toBe(true)
})

it('turns are granted at once in an active tab, and one after another in an idle one', () => {
  const { pass } = start()
  expect([waitForTurnMs(), waitForTurnMs()]).toEqual([0, 0])
  pass(600_000)
  expect([waitForTurnMs(), waitForTurnMs()]).toEqual([0, idleTurnMs])
  pass(idleTurnMs)
  expect([waitForTurnMs(), waitForTurnMs()]).toEqual([0, idleTurnMs])
})
