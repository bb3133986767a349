import { createHash, timingSafeEqual } from 'node:crypto'
import { steady, type Clock } from '@slipway/kube/clock'

export type PasscodeAnswer = 'right' | 'wrong' | 'wait'

const tries = 5
const waitMs = 60_000

/**
 * Compares what people type with the passcode. After five wrong ones in a row nobody is heard for a minute, so that a
 * program on this machine cannot try them all.
 */
export function passcodeCheck(passcode: string, clock: Clock): (typed: string) => PasscodeAnswer {
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
    if (wrong < tries) return 'wrong'
    wrong = 0
    waitUntil = now() + waitMs
    return 'wait'
  }
}

/** In a time that tells nothing of how much was right. */
const isSame = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b))
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
