import { noHits, type LogHits, type LogQuery } from '@slipway/model/logs/log-search'
import { scanHere, type Scan } from './log-search'
import type { ScanResponse, ScanRequest } from './scan-worker'
import workerUrl from './scan-worker?worker&url'
import { trustedWorker } from '../../lib/trusted-worker'

/** Some patterns take for ever on some lines, which nothing can interrupt but the end of the thread that runs them. */
const patienceMs = 2_000

/** How to look for something: whatever may take long is done where it can be ended. */
export const scanFor = ({ isRegex }: LogQuery): Scan =>
  isRegex && typeof Worker !== 'undefined' ? scanInWorker(openWorker, patienceMs) : scanHere

const openWorker = (): Worker => new Worker(trustedWorker(workerUrl), { type: 'module' })

/** Made for the first lines, and ended when it has had nothing to do for as long as it may take. */
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
        reject(new Error('The search did not work in this browser'))
      }
      // One text is copied to the other thread much sooner than its lines.
      running.postMessage({ text: lines.join('\n'), source, flags } satisfies ScanRequest)
    })
}
