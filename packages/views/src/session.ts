import type { Clock } from '@slipway/kube/clock'
import type { Frame } from './frame'
import type { Rights } from './rights'
import type { Shelves } from './shelves'
import type { ViewKind } from './view-kind'

export interface SessionOptions {
  kinds: readonly ViewKind[]
  shelves: Shelves
  rights: Rights
  send(frame: Frame): void
  /** Whether the client has read what was sent; only then are further windows sent. */
  isDrained(): boolean
  clock: Clock
  /** Changes are sent at most this long after the first of them; 500 ms by default. */
  batchMs?: number
}

/** The views of one client: one for each socket, or for each page that a worker serves. */
export interface Session {
  /** Receives one message of the client, which may be anything (`Message` in `frame.ts`). */
  receive(message: unknown): void
  /** The host calls it when `isDrained` has become true. */
  drained(): void
  close(): void
}

/** Opens a session. It sends frames from within `receive`, `drained`, changes of rights and timers of the clock. */
export declare function openSession(options: SessionOptions): Session
