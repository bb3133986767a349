import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Operation } from './disk-model'

/** Records what a program does to its files, with `strace`, which exists only on Linux. */

const options = ['-qq', '-y', '-xx', '-s', '100000000', '-e', 'signal=none', '-e']
/** Everything that changes a file, a name in a folder, or what of them is on the disk. */
const calls =
  'open,openat,creat,write,writev,pwrite64,pwritev,pwritev2,truncate,ftruncate,fallocate,rename,renameat,renameat2,' +
  'unlink,unlinkat,link,linkat,fsync,fdatasync,sync_file_range'

/** False where the program is missing or may not trace others, as in some containers. */
export const canRecord = (): boolean =>
  process.platform === 'linux' && spawnSync('strace', ['-qq', '-o', '/dev/null', process.execPath, '-v']).status === 0

/**
 * Runs a Node program until its end. Only the calls of its main thread are recorded, in which SQLite runs.
 * @param path the store: calls for its folder and its files count
 * @param tracePath where the calls are written
 */
export async function recordProgram(args: readonly string[], path: string, tracePath: string): Promise<Operation[]> {
  const child = spawn('strace', [...options, `trace=${calls}`, '-o', tracePath, process.execPath, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child.stdout.resume()
  await new Promise((resolve) => child.once('close', resolve))
  return parseTrace(readFileSync(tracePath, 'latin1'), path)
}

/** @throws Error for a call that changes files in a way that the model does not know */
export function parseTrace(trace: string, path: string): Operation[] {
  const folder = dirname(path)
  const operations: Operation[] = []
  const known = new Set<string>()
  /** Where a write without a position goes. */
  const positions = new Map<string, number>()
  for (const line of trace.split('\n')) {
    const match = /^(\w+)\((.*)\) += (-?\d+)/.exec(line)
    if (!match || Number(match[3]) < 0) continue
    const [, call = '', args = ''] = match
    const strings = [...args.matchAll(/"((?:\\x..)*)"/g)].map(([, text = '']) => fromHex(text))
    const target = fromHex(/^\d+<((?:\\x..)*)>/.exec(args)?.[1] ?? '').toString()
    const [first = '', second = ''] = strings.map(String)
    const number = (index: number) =>
      Number(
        args
          .replace(/"[^"]*"/g, '')
          .split(', ')
          .at(index),
      )
    const isOurs = (name: string) => name === folder || name.startsWith(`${folder}/`)
    if (call === 'write' && /^1</.test(args)) operations.push({ type: 'output', text: first })
    else if (call === 'openat' && isOurs(first)) {
      if (args.includes('O_CREAT') && !known.has(first)) operations.push({ type: 'create', path: first })
      if (args.includes('O_TRUNC')) operations.push({ type: 'truncate', path: first, length: 0 })
      known.add(first)
      positions.set(first, 0)
    } else if (call === 'rename' && isOurs(first)) {
      operations.push({ type: 'rename', from: first, to: second })
      known.delete(first)
      known.add(second)
    } else if (call === 'unlink' && isOurs(first)) {
      operations.push({ type: 'remove', path: first })
      known.delete(first)
    } else if (isOurs(target)) {
      const [bytes = Buffer.alloc(0)] = strings
      if (call === 'pwrite64') operations.push({ type: 'write', path: target, position: number(-1), bytes })
      else if (call === 'write') {
        const position = positions.get(target) ?? 0
        operations.push({ type: 'write', path: target, position, bytes })
        positions.set(target, position + bytes.length)
      } else if (call === 'ftruncate') operations.push({ type: 'truncate', path: target, length: number(-1) })
      else if (call === 'fsync' || call === 'fdatasync') operations.push({ type: 'sync', path: target })
      else if (call !== 'openat') throw new Error(`The model of the disk does not know ${call}: ${line.slice(0, 200)}`)
    } else if (isOurs(first)) throw new Error(`The model of the disk does not know ${call}: ${line.slice(0, 200)}`)
  }
  return operations
}

const fromHex = (text: string): Buffer => Buffer.from(text.replaceAll('\\x', ''), 'hex')
