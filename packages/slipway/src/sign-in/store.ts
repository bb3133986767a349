import { readFile } from 'node:fs/promises'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import { systemClock, type Clock } from '@slipway/kube/clock'
import { isRecord } from '@slipway/kube/object'
import { asRecord, parseJson } from '@slipway/kube/parse'
import { writePrivate } from '../credentials'

/** State of the sign-in provider: sessions and issued tokens. */
export interface SignInStore {
  /** The records of one kind, in the form that the provider's library requires. */
  records(kind: string): Adapter
  /** Resolves once everything is on the disk. */
  close(): Promise<void>
}

interface StoredRecord {
  payload: AdapterPayload
  /** Milliseconds since 1970. */
  expiresAt: number
}

export interface SignInStoreOptions {
  /** A private file; without it, all records are lost when the process ends. */
  path?: string
  clock?: Clock
  /** Maximum number of records per kind. Consumed ones are removed first, then the oldest. */
  limit?: number
}

/** Kinds that must survive a restart. A sign-in in progress is short-lived and can be started again. */
const persistentKinds = ['Grant', 'RefreshToken', 'Session']

/** Opens the store. An invalid file is replaced, so users must sign in again. */
export async function openSignInStore(options: SignInStoreOptions = {}): Promise<SignInStore> {
  const { path, clock = systemClock, limit = 1_000 } = options
  const kinds = new Map<string, Map<string, StoredRecord>>()
  const text = path === undefined ? undefined : await textOf(path)
  for (const kind of persistentKinds) kinds.set(kind, recordsOf(text, kind))
  const save = path === undefined ? async () => {} : writer(path, () => serialize(kinds, clock.now()))

  function records(kind: string): Adapter {
    const byId = kinds.get(kind) ?? new Map<string, StoredRecord>()
    kinds.set(kind, byId)
    const changed = async () => {
      if (persistentKinds.includes(kind)) await save()
    }
    const valid = (record: StoredRecord | undefined) =>
      record && record.expiresAt > clock.now() ? record.payload : undefined

    return {
      async upsert(id, payload, expiresIn = Infinity) {
        byId.delete(id)
        prune(byId, clock.now(), limit - 1)
        // The same as after a restart, and unaffected by later changes to the object.
        const copy: AdapterPayload = JSON.parse(JSON.stringify(payload))
        byId.set(id, { payload: copy, expiresAt: clock.now() + expiresIn * 1000 })
        await changed()
      },
      find: async (id) => valid(byId.get(id)),
      findByUid: async (uid) => [...byId.values()].map(valid).find((payload) => payload?.uid === uid),
      findByUserCode: async () => undefined, // for devices without a browser, which are not supported
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

/** Removes expired records and then, until `count` are left, the least important ones. */
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
  const entries = asRecord(asRecord(parseJson(text ?? ''))[kind])
  for (const [id, record] of Object.entries(entries)) {
    if (isRecord(record) && isRecord(record.payload) && typeof record.expiresAt === 'number') {
      records.set(id, { payload: record.payload, expiresAt: record.expiresAt })
    }
  }
  return records
}

function serialize(kinds: Map<string, Map<string, StoredRecord>>, now: number): string {
  const lasting = persistentKinds.map((kind) => {
    const entries = [...(kinds.get(kind) ?? [])].filter(([, { expiresAt }]) => expiresAt > now)
    return [kind, Object.fromEntries(entries)]
  })
  return `${JSON.stringify(Object.fromEntries(lasting))}\n`
}

/**
 * Writes the file, one write at a time. Changes during a write share the next one. Resolves once the state at the time
 * of the call is on the disk.
 */
function writer(path: string, text: () => string): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined
  return () => {
    next ??= running
      .catch(() => {}) // reported to its own callers; this write tries again
      .then(() => {
        next = undefined
        running = writePrivate(path, text())
        return running
      })
    return next
  }
}
