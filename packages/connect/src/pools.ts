import { createSecureContext } from 'node:tls'
import { Pool } from 'undici'
import type { Tls } from './connection'
import type { Log } from './log'

/** Connections to one origin: new ones use the current certificates, old ones finish their requests. */
export interface Pools {
  with(tls: Tls): Pool
  /** Closes all connections at once. */
  close(): Promise<void>
}

interface PoolsParts {
  name: string
  origin: string
  connectMs: number
  log: Log
}

export function createPools({ name, origin, connectMs, log }: PoolsParts): Pools {
  let current: { tls: Tls; pool: Pool } | undefined
  let rejected: Tls | undefined
  const open = new Set<Pool>()

  /** The halves of a pair are replaced one after the other, so for a moment they may not match. */
  function isUsable(tls: Tls): boolean {
    try {
      createSecureContext(tls)
      return true
    } catch (error) {
      if (!rejected || !isSame(rejected, tls))
        log.error({ upstream: name, cause: (error as Error).message }, 'ignoring invalid certificates')
      rejected = tls
      return false
    }
  }

  function create(tls: Tls): Pool {
    // A stream may be silent forever, and the caller limits the wait for a head. The number of connections is not
    // limited: calls that hang must not block others.
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
        log.info({ upstream: name }, 'using changed certificates')
        // Waits for open watches to end, however long that takes.
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

/** Texts from the same read of a file are the same string, so comparing them is cheap. */
const isSame = (one: Tls, other: Tls): boolean => tlsFields.every((field) => one[field] === other[field])
