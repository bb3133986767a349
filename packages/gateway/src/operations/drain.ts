import type { FastifyInstance } from 'fastify'
import type { Clock } from '@slipway/kube/clock'
import type { PendingResponses } from '../pending-responses'
import type { SessionCalls } from '../session/session-calls'

export interface DrainOptions {
  /** How long the gateway serves normally while load balancers learn from `/ready` that it is draining; 10 s by default. */
  graceMs?: number
  /** Period over which streams are ended, so that clients do not all reconnect at once; 2 s by default. */
  spreadMs?: number
  /** How long pending calls may take after that; 20 s by default. */
  callsMs?: number
}

export interface Drain {
  readonly isDraining: boolean
  /** Shuts down without failing a request, then closes the gateway. A second call joins the first. */
  drain(options?: DrainOptions): Promise<void>
}

interface DrainParts {
  pending: PendingResponses
  sessionCalls: SessionCalls
  /** How many calls are pending that do not last until one side ends them. */
  countCalls: () => number
  clock: Clock
}

const stepMs = 50

/**
 * The order: `/ready` fails, load balancers send new clients elsewhere, keep-alive connections end with their next
 * response, streams end one after the other, pending calls finish.
 */
export function createDrain(app: FastifyInstance, { pending, sessionCalls, countCalls, clock }: DrainParts): Drain {
  let draining: Promise<void> | undefined
  let endsConnections = false
  app.addHook('onRequest', async (_request, { raw }) => {
    if (endsConnections) raw.setHeader('connection', 'close')
  })
  const wait = (ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve))

  async function run({ graceMs = 10_000, spreadMs = 2_000, callsMs = 20_000 }: DrainOptions): Promise<void> {
    await wait(graceMs)
    endsConnections = true
    // Connections with pending calls too: the next call on such a connection could find the server closed.
    for (const response of pending.all()) if (!response.headersSent) response.setHeader('connection', 'close')
    let due = 0
    for (let steps = Math.ceil(spreadMs / stepMs); steps > 0; steps--) {
      due += sessionCalls.endLongLived(0) / steps
      sessionCalls.endLongLived(Math.floor(due))
      due %= 1
      await wait(stepMs)
    }
    sessionCalls.endLongLived(Infinity)
    for (let waitedMs = 0; countCalls() > 0 && waitedMs < callsMs; waitedMs += stepMs) await wait(stepMs)
    await app.close()
  }

  return {
    get isDraining() {
      return draining !== undefined
    },
    drain: (options = {}) => (draining ??= run(options)),
  }
}
