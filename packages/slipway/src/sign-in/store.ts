import { readFile } from 'node:fs/promises'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import { systemClock, type Clock } from '@slipway/kube/clock'
import { writePrivate } from '../credentials'

/** What the sign-in provider remembers: who is signed in where, and which tokens it gave out. */
export interface SignInStore {
  /** The records of one kind, as the provider's library asks for them. */
  records(kind: string): Adapter
  /** Resolves when everything is on the disk. */
  close(): Promise<void>
}

interface StoredRecord {
  payload: AdapterPayload
  /** Milliseconds since 1970. */
  expiresAt: number
}

export interface SignInStoreOptions {
  /** A private file of our own; without it everything is forgotten with the process. */
  path?: string
  clock?: Clock
  /** How many records of each kind are kept at most; used up ones go first, then the oldest. */
  limit?: number
}

/** What a restart must not forget. A sign-in under way is short-lived, and is simply begun again. */
const lastingKinds = ['Grant', 'RefreshToken', 'Session']

/** Opens the store. A file that makes no sense is begun anew: people sign in again. */
export async function openSignInStore(options: SignInStoreOptions = {}): Promise<SignInStore> {
  const { path, clock = systemClock, limit = 1_000 } = options
  const kinds = new Map<string, Map<string, StoredRecord>>()
  const text = path === undefined ? undefined : await textOf(path)
  for (const kind of lastingKinds) kinds.set(kind, recordsOf(text, kind))
  const save = path === undefined ? async () => {} : writer(path, () => textToKeep(kinds, clock.now()))

  function records(kind: string): Adapter {
    const byId = kinds.get(kind) ?? new Map<string, StoredRecord>()
    kinds.set(kind, byId)
    const changed = async () => {
      if (lastingKinds.includes(kind)) await save()
    }
    const valid = (record: StoredRecord | undefined) =>
      record && record.expiresAt > clock.now() ? record.payload : undefined

    return {
      async upsert(id, payload, expiresIn = Infinity) {
        byId.delete(id)
        prune(byId, clock.now(), limit - 1)
        // As it would come back after a restart, and out of reach of whoever goes on changing the object.
        const copy: AdapterPayload = JSON.parse(JSON.stringify(payload))
        byId.set(id, { payload: copy, expiresAt: clock.now() + expiresIn * 1000 })
        await changed()
      },
      find: async (id) => valid(byId.get(id)),
      findByUid: async (uid) => [...byId.values()].map(valid).find((payload) => payload?.uid === uid),
      findByUserCode: async () => undefined, // for devices without a browser, which cannot sign in here
      async consume(id) {
        const payload = byId.get(id)?.payload
        if (payload) payload.consumed = Math.floor(clock.now() / 1000)
        await changed()
      },
      async destroy(id) {
        if (byId.delete(id)) await changed()
      },
      async revokeByGrantId(grantId) {
        for (const [id, { payload }] of byId) if (payload.grantId === grantId) byId.delete(id)
        await changed()
      },
    }
  }
  return { records, close: save }
}

/** Drops what has expired and then, down to so many records, what matters least. */
function prune(byId: Map<string, StoredRecord>, now: number, count: number): void {
  for (const [id, { expiresAt }] of byId) if (expiresAt <= now) byId.delete(id)
  if (byId.size <= count) return
  const used = [...byId].filter(([, { payload }]) => payload.consumed).map(([id]) => id)
  for (const id of [...used, ...byId.keys()]) {
    if (byId.size <= count) return
    byId.delete(id)
  }
}

async function textOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}

function recordsOf(text: string | undefined, kind: string): Map<string, StoredRecord> {
  const records = new Map<string, StoredRecord>()
  let file: unknown
  try {
    file = JSON.parse(text ?? '{}')
  } catch {
    return records
  }
  const entries: unknown = isObject(file) ? file[kind] : undefined
  if (!isObject(entries)) return records
  for (const [id, record] of Object.entries(entries)) {
    if (isObject(record) && isObject(record.payload) && typeof record.expiresAt === 'number') {
      records.set(id, { payload: record.payload, expiresAt: record.expiresAt })
    }
  }
  return records
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function textToKeep(kinds: Map<string, Map<string, StoredRecord>>, now: number): string {
  const lasting = lastingKinds.map((kind) => {
    const entries = [...(kinds.get(kind) ?? [])].filter(([, { expiresAt }]) => expiresAt > now)
    return [kind, Object.fromEntries(entries)]
  })
  return `${JSON.stringify(Object.fromEntries(lasting))}\n`
}

/**
 * Writes the file, one write at a time; changes that come meanwhile share the next one. Resolves when what was there
 * at the call is on the disk.
 */
function writer(path: string, text: () => string): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined
  return () => {
    next ??= running
      .catch(() => {}) // told to those who waited for it; this one tries again
      .then(() => {
        next = undefined
        running = writePrivate(path, text())
        return running
      })
    return next
  }
}
