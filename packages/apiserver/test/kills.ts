import { spawn } from 'node:child_process'
import { sqliteStorage } from '../src/storage/sqlite'
import { StorageError } from '../src/storage/storage'

export interface KillsOptions {
  kills: number
  /** The same seed leads to the same delays. */
  seed: number
}

export interface KillsResult {
  /** Writes that were acknowledged before their process was killed. */
  acknowledged: number
  /** Descriptions of acknowledged writes that were lost. */
  lost: string[]
  /** Why the file could not be opened, if so; the run stops there. */
  openErrors: string[]
}

/** The last acknowledged write of each writer: its number and its revision. */
export type Acknowledgements = Map<string, { count: number; revision: number }>

/** Longer than most commits, so that a kill may occur anywhere in one or between two. */
const longestDelayMs = 60

/** Repeatedly starts a writer, kills it at a random moment, opens the file and compares. */
export async function killRepeatedly(path: string, options: KillsOptions): Promise<KillsResult> {
  const random = seeded(options.seed)
  const result: KillsResult = { acknowledged: 0, lost: [], openErrors: [] }
  const before: Acknowledgements = new Map()
  for (let kill = 1; kill <= options.kills; kill++) {
    const { acknowledgements, lines } = await runAndKill(path, random() * longestDelayMs)
    result.acknowledged += lines
    for (const [writer, write] of acknowledgements) before.set(writer, write)
    try {
      result.lost.push(...missing(path, before).map((text) => `kill ${kill}: ${text}`))
    } catch (error) {
      if (!(error instanceof StorageError)) throw error
      result.openErrors.push(`kill ${kill}: ${error.message}`)
      break
    }
  }
  return result
}

/** Returns differences from the acknowledged writes. @throws StorageError if the file cannot be opened */
export function missing(path: string, acknowledgements: Acknowledgements): string[] {
  const storage = sqliteStorage(path, { historyLength: 200 })
  const lost: string[] = []
  for (const [writer, { count, revision }] of acknowledgements) {
    const stored = storage.get('/counters', `b/${writer}`)
    const found = Number(stored?.value.split(' ')[0] ?? 0)
    // A write may be on disk without having been acknowledged, but never the reverse.
    if (found < count || (stored?.revision ?? 0) < revision) lost.push(`writer ${writer} had ${count}, has ${found}`)
  }
  const revisions = storage.since(storage.compacted()).changes.map((change) => change.revision)
  const gap = revisions.findIndex((revision, index) => revision !== storage.compacted() + 1 + index)
  if (gap >= 0) lost.push(`the history has a gap before revision ${revisions[gap]}`)
  if (storage.compacted() + revisions.length !== storage.revision()) lost.push('the history ends too early')
  storage.close()
  return lost
}

/** Runs a writer for some time after its first acknowledgement. */
async function runAndKill(
  path: string,
  delayMs: number,
): Promise<{ acknowledgements: Acknowledgements; lines: number }> {
  const script = new URL('./writer-process.ts', import.meta.url).pathname
  const child = spawn(process.execPath, ['--import', 'tsx', script, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  const acknowledgements: Acknowledgements = new Map()
  let lines = 0
  let rest = ''
  for await (const chunk of child.stdout) {
    if (lines === 0) setTimeout(() => child.kill('SIGKILL'), delayMs)
    const parts = (rest + String(chunk)).split('\n')
    rest = parts.pop() ?? ''
    lines += readAcknowledgements(parts.join('\n'), acknowledgements)
  }
  return { acknowledgements, lines }
}

/** Adds what a writer has reported in whole lines, and returns their number. */
export function readAcknowledgements(text: string, acknowledgements: Acknowledgements): number {
  const lines = text.split('\n').filter((line) => line !== '')
  for (const line of lines) {
    const [writer = '', count, revision] = line.split(' ')
    acknowledgements.set(writer, { count: Number(count), revision: Number(revision) })
  }
  return lines.length
}

/** A seeded generator of numbers in [0, 1). Source: mulberry32, public domain. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
