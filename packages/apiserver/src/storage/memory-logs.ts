import { splitEntry, type LogChunk, type LogStorage } from './logs'

/** Logs that last as long as the process. */
export function memoryLogs(): LogStorage {
  const logs = new Map<string, LogChunk[]>()
  const listeners = new Set<(log: string) => void>()

  return {
    async append(log, entry) {
      let chunks = logs.get(log)
      if (!chunks) logs.set(log, (chunks = []))
      // Copied, because the connection may reuse its buffer.
      for (const part of splitEntry({ ...entry, bytes: entry.bytes.slice() })) {
        chunks.push({ ...part, sequence: chunks.length + 1 })
      }
      for (const listener of [...listeners]) listener(log)
    },
    // The sequence of a chunk is its index plus one.
    after: (log, sequence, limit) => (logs.get(log) ?? []).slice(sequence, sequence + limit),
    before(log, sequence, limit) {
      const chunks = logs.get(log) ?? []
      const end = sequence === undefined ? chunks.length : sequence - 1
      return chunks.slice(Math.max(0, end - limit), end).reverse()
    },
    names: (prefix) => [...logs.keys()].filter((name) => name.startsWith(prefix)).sort(),
    remove: (log) => void logs.delete(log),
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
