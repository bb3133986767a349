import { createHash, timingSafeEqual } from 'node:crypto'
import { steady, type Clock } from '@slipway/kube/clock'

export type PasscodeResult = 'right' | 'wrong' | 'wait'

const maxAttempts = 5
const waitMs = 60_000

/**
 * Checks passcodes. After five wrong ones in a row it rejects all attempts for a minute, so that a program on this
 * machine cannot try all of them.
 */
export function passcodeCheck(passcode: string, clock: Clock): (typed: string) => PasscodeResult {
  const { now } = steady(clock)
  let wrong = 0
  let waitUntil = 0
  return (typed) => {
    if (now() < waitUntil) return 'wait'
    if (isSame(typed, passcode)) {
      wrong = 0
      return 'right'
    }
    wrong += 1
    if (wrong < maxAttempts) return 'wrong'
    wrong = 0
    waitUntil = now() + waitMs
    return 'wait'
  }
}

/** Takes constant time, so that timing does not reveal how much was right. */
const isSame = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b))
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
