import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { StorageError } from '../src/storage/storage'
import { createDisk, type Operation } from './disk-model'
import { missing, readAcknowledgements, seeded, type Acknowledgements } from './kills'
import { recordProgram } from './recorded-operations'

export interface PowerCutsResult {
  cuts: number
  /** Writes that were acknowledged in all. */
  acknowledged: number
  /** Descriptions of acknowledged writes that were lost. */
  lost: string[]
  openErrors: string[]
  /** CPU time of the slowest start after a cut. */
  slowestStartMs: number
}

/**
 * Records a writer that is killed, restarted, closed and restarted again, and what it does to the disk.
 * @param writes acknowledged writes of each of the three runs
 */
export async function recordWriter(folder: string, writes: number): Promise<{ path: string; operations: Operation[] }> {
  mkdirSync(join(folder, 'recorded'))
  const path = join(folder, 'recorded', 'store.db')
  const script = new URL('./writer-process.ts', import.meta.url).pathname
  const operations: Operation[] = []
  for (const end of ['kill', 'close', 'kill']) {
    const args = ['--import', 'tsx', script, path, String(writes), end]
    operations.push(...(await recordProgram(args, path, join(folder, 'trace'))))
  }
  return { path, operations }
}

/**
 * Cuts the power at each sync in turn and just before it, for as many cuts as wanted, and opens what is then on the disk.
 * Each cut leaves another random part of what was not synced.
 */
export function cutPower(
  { path, operations }: { path: string; operations: readonly Operation[] },
  { cuts, seed }: { cuts: number; seed: number },
): PowerCutsResult {
  const random = seeded(seed)
  const result: PowerCutsResult = { cuts: 0, acknowledged: 0, lost: [], openErrors: [], slowestStartMs: 0 }
  const disk = createDisk()
  const acknowledgements: Acknowledgements = new Map()
  const syncs = operations.filter(({ type }) => type === 'sync').length
  const cutsPerSync = cuts / syncs
  let due = 0
  for (const operation of operations) {
    if (operation.type === 'sync') {
      for (due += cutsPerSync; due >= 1; due--) {
        // Half of them before the sync has done anything.
        if (random() < 0.5) check()
        else {
          disk.apply(operation)
          check()
        }
      }
    }
    disk.apply(operation)
    if (operation.type === 'output') result.acknowledged += readAcknowledgements(operation.text, acknowledgements)
  }
  return result

  function check() {
    const folder = mkdtempSync(join(tmpdir(), 'power-cut-'))
    try {
      for (const [name, content] of disk.afterPowerFailure(random)) writeFileSync(join(folder, basename(name)), content)
      const cut = ++result.cuts
      const started = process.cpuUsage()
      try {
        result.lost.push(
          ...missing(join(folder, basename(path)), acknowledgements).map((text) => `cut ${cut}: ${text}`),
        )
      } catch (error) {
        if (!(error instanceof StorageError)) throw error
        result.openErrors.push(`cut ${cut}: ${error.message}`)
      }
      const { user, system } = process.cpuUsage(started)
      result.slowestStartMs = Math.max(result.slowestStartMs, (user + system) / 1000)
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
}
