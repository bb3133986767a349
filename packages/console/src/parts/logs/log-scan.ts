import { noHits, type LogHits, type LogQuery } from '@slipway/model/logs/log-search'
import { scanHere, type Scan } from './log-search'
import type { ScanResponse, ScanRequest } from './scan-worker'
import workerUrl from './scan-worker?worker&url'
import { trustedWorker } from '../../lib/trusted-worker'

/** Some patterns take forever on some lines, and only terminating their thread can interrupt them. */
const patienceMs = 2_000

/** How to search: a query that may take long runs in a worker, which can be terminated. */
export const scanFor = ({ isRegex }: LogQuery): Scan =>
  isRegex && typeof Worker !== 'undefined' ? scanInWorker(openWorker, patienceMs) : scanHere

const openWorker = (): Worker => new Worker(trustedWorker(workerUrl), { type: 'module' })

/** Starts its worker with the first lines, and terminates it once it has been idle for the time limit. */
export function scanInWorker(open: () => Worker, limitMs: number): Scan {
  let worker: Worker | undefined
  let idle: ReturnType<typeof setTimeout> | undefined
  const end = () => {
    worker?.terminate()
    worker = undefined
  }
  return (lines, { source, flags }) =>
    new Promise<LogHits>((resolve, reject) => {
      clearTimeout(idle)
      const running = (worker ??= open())
      const tooLong = setTimeout(() => {
        end()
        reject(new Error('This regular expression takes too long'))
      }, limitMs)
      const done = () => {
        clearTimeout(tooLong)
        idle = setTimeout(end, limitMs)
      }
      running.onmessage = ({ data }: MessageEvent<ScanResponse>) => {
        done()
        resolve({ ...noHits(), ...data })
      }
      running.onerror = () => {
        done()
        end()
        reject(new Error('The search failed in this browser'))
      }
      // Copying one text to the other thread is much faster than copying its lines.
      running.postMessage({ text: lines.join('\n'), source, flags } satisfies ScanRequest)
    })
}
