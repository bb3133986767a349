import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sqliteStorage } from '../src/storage/sqlite'

const kills = 5

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'apiserver-durability-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Kills a writer after so many answered writes; what it had been answered, newest last, by writer. */
async function killedAfter(path: string, answers: number): Promise<Map<string, { count: number; revision: number }>> {
  const script = new URL('./writer-process.ts', import.meta.url).pathname
  const child = spawn(process.execPath, ['--import', 'tsx', script, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  const answered = new Map<string, { count: number; revision: number }>()
  let lines = 0
  let rest = ''
  for await (const chunk of child.stdout) {
    const parts = (rest + String(chunk)).split('\n')
    rest = parts.pop() ?? ''
    for (const line of parts) {
      const [writer = '', count, revision] = line.split(' ')
      answered.set(writer, { count: Number(count), revision: Number(revision) })
      if (++lines === answers) child.kill('SIGKILL')
    }
  }
  return answered
}

it('keeps every answered write when its process is killed', { timeout: 60_000 }, async () => {
  const path = join(folder, 'data.db')
  for (let kill = 1; kill <= kills; kill++) {
    const answered = await killedAfter(path, 20 * kill)
    expect(answered.size).toBeGreaterThan(0)
    const storage = sqliteStorage(path)
    for (const [writer, { count, revision }] of answered) {
      const stored = storage.get('/counters', `a/${writer}`)
      // A write may be on the disk without its answer having got through, never the other way round.
      expect(Number(stored?.value)).toBeGreaterThanOrEqual(count)
      expect(stored?.revision).toBeGreaterThanOrEqual(revision)
      expect(storage.revision()).toBeGreaterThanOrEqual(stored?.revision ?? Infinity)
    }
    const revisions = storage.since(storage.compacted()).map((change) => change.revision)
    expect(revisions).toEqual(revisions.map((_, index) => storage.compacted() + 1 + index))
    storage.close()
  }
})
