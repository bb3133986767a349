import { createSecureContext } from 'node:tls'
import type { FastifyBaseLogger } from 'fastify'
import { Pool } from 'undici'
import type { Tls } from './connection'

/** Connections to one origin: new ones are made with the certificates of now, old ones finish what they carry. */
export interface Pools {
  with(tls: Tls): Pool
  /** Ends everything at once. */
  close(): Promise<void>
}

interface PoolsParts {
  name: string
  origin: string
  connectMs: number
  log: FastifyBaseLogger
}

export function createPools({ name, origin, connectMs, log }: PoolsParts): Pools {
  let current: { tls: Tls; pool: Pool } | undefined
  let refused: Tls | undefined
  const open = new Set<Pool>()

  /** The halves of a pair are replaced one after the other: for a moment they may not fit. */
  function isUsable(tls: Tls): boolean {
    try {
      createSecureContext(tls)
      return true
    } catch (error) {
      if (!refused || !isSame(refused, tls))
        log.error({ upstream: name, cause: (error as Error).message }, 'certificates refused')
      refused = tls
      return false
    }
  }

  function create(tls: Tls): Pool {
    // A stream may be silent for ever, and the wait for a head is timed by the caller. No limit of connections: calls
    // that hang must not keep others waiting.
    const pool = new Pool(origin, {
      headersTimeout: 0,
      bodyTimeout: 0,
      connectTimeout: connectMs,
      connections: null,
      connect: { ...tls },
    })
    open.add(pool)
    return pool
  }

  return {
    with(tls) {
      if (current && (isSame(current.tls, tls) || !isUsable(tls))) return current.pool
      const old = current?.pool
      current = { tls, pool: create(tls) }
      if (old) {
        log.info({ upstream: name }, 'certificates changed')
        // Waits for watches to end, however long they take.
        void old.close().finally(() => open.delete(old))
      }
      return current.pool
    },
    async close() {
      await Promise.all([...open].map((pool) => pool.destroy()))
    },
  }
}

const tlsFields = ['ca', 'cert', 'key', 'servername', 'rejectUnauthorized'] as const satisfies (keyof Tls)[]

/** Texts that come from the same read of a file are the same string, so that this looks at none of their letters. */
const isSame = (one: Tls, other: Tls): boolean => tlsFields.every((field) => one[field] === other[field])
