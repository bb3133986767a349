// Vitest evaluates this file before every test file, and its imports once per worker.
import { afterEach, vi } from 'vitest'
import './patient-waits'
import './property-seed'

// Test files share a process: with the timers that one test faked, the next would wait for ever.
afterEach(() => void vi.useRealTimers())
