import type { KubeObject } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import { aPipelineRun, aTaskRun, condition } from '@slipway/model/testing'
import { namespace as usualNamespace, type Faults } from './cluster'

/** Builds, and the reports of their scans. */

export const application = 'checkout'
export const sha = (digit: string) => digit.repeat(40)
export const digest = (digit: string) => `sha256:${digit.repeat(64)}`

interface BuildFacts {
  namespace?: string
  component?: string
  day: number
  digit?: string
  counts?: object
}

/** A build and its scan, which has the pod `{run}-pod`. */
export function aScannedBuild(
  run: string,
  { namespace = usualNamespace, component = 'api', day, digit = String(day), counts = {} }: BuildFacts,
): KubeObject[] {
  const time = `2026-01-0${day}T09:00:00Z`
  const ownLabels = {
    [labels.application]: application,
    [labels.component]: component,
    [labels.commitSha]: sha(digit),
    [labels.pipelineType]: 'build',
    [labels.eventType]: 'push',
  }
  const done = { startTime: time, completionTime: time, conditions: [condition('Succeeded', 'True')] }
  return [
    aPipelineRun({
      metadata: { name: run, namespace, labels: ownLabels },
      status: {
        ...done,
        results: [{ name: 'IMAGE_DIGEST', value: digest(digit) }],
        childReferences: [{ kind: 'TaskRun', name: `${run}-scan`, pipelineTaskName: 'clair-scan' }],
      },
    }),
    aTaskRun({
      metadata: {
        name: `${run}-scan`,
        namespace,
        labels: { ...ownLabels, [labels.pipelineRun]: run, [labels.pipelineTask]: 'clair-scan' },
      },
      spec: { params: [{ name: 'image-url', value: `quay.io/team/${component}:1` }] },
      status: {
        ...done,
        podName: `${run}-pod`,
        steps: [{ name: 'get-vulnerabilities', terminated: { exitCode: 0, reason: 'Completed' } }],
        results: [{ name: 'SCAN_OUTPUT', value: JSON.stringify({ vulnerabilities: counts }) }],
      },
    }),
  ]
}

export const entry = (cve: string, severity = 'IMPORTANT', fix = '2.0') => ({
  cveId: cve,
  cveSeverity: severity,
  cveInfo: `https://access.redhat.com/security/cve/${cve}`,
  componentName: 'zlib',
  componentVersion: '1.0',
  componentFixedVersion: fix,
})

/** What the scans of builds write, by the name of the build: a report of `roxctl`, or another text. */
export type ScanLogs = Record<string, ReturnType<typeof entry>[] | string>

/** Returns these logs in place of those of the cluster. */
export const withScanLogs = (logs: ScanLogs) => (faults: Faults) =>
  faults.intercept((url) => {
    const [, run = ''] = /\/pods\/(.+)-pod\/log/.exec(url) ?? []
    const log = logs[run]
    if (log === undefined) return undefined
    return new Response(typeof log === 'string' ? log : JSON.stringify({ result: { vulnerabilities: log } }))
  })
