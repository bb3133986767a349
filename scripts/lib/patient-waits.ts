import { vi } from 'vitest'
import { patienceMs } from './patience.mjs'

type WaitOptions = number | { timeout?: number; interval?: number }

// Vitest's default time-out of one second cannot be configured.
const { waitFor, waitUntil } = vi
const patient = (options: WaitOptions = {}) =>
  typeof options === 'number' ? options : { timeout: patienceMs, ...options }
vi.waitFor = (callback, options) => waitFor(callback, patient(options))
vi.waitUntil = (callback, options) => waitUntil(callback, patient(options))
