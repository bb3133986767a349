import { compareRuns } from '../src/comparison/run-comparison'
import { logDifference } from '../src/comparison/log-difference'
import { fingerprintOf } from '../src/failures/failure-fingerprint'
import { aFailureCorpus } from '../src/testing/failure-corpus'
import { aRunPair } from '../src/testing/run-pairs'
import { measure, printHead, printMachine } from './measure'

/** The comparison of two runs of 60 tasks, of two logs of 50,000 lines, and the fingerprints of 5,000 failures. */

const pair = aRunPair(1, { taskCount: 60, hasOtherCommit: true })
const corpus = aFailureCorpus(1, 5_000).map(({ evidence }) => evidence)
const aLog = (hour: number) =>
  Array.from(
    { length: 50_000 },
    (_, line) => `2026-11-29T${hour}:00:00.${line}Z worker-${line % 8} processed record ${line + 1} in ${line % 90} ms`,
  ).join('\n')
const logs = [aLog(10), aLog(11)] as const

printHead()
measure('Compare two runs of 60 tasks', () => compareRuns(pair.green, pair.red), '1 s')
measure('Compare two logs of 50,000 lines', () => logDifference(...logs))
measure('Fingerprints of 5,000 failures', () => corpus.map(fingerprintOf), '500 ms')
printMachine()
