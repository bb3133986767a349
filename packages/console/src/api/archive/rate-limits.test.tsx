import { podType } from '@slipway/kube/core-types'
import type { KubeObject } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import { aPipelineRun, aTaskRun, condition } from '@slipway/model/testing'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { namespace, type TestCluster, testCluster } from '../../../test/cluster'
import { fakeIntersectionObserver } from '../../../test/fake-intersection-observer'
import { realArchive } from '../../../test/real-archive'
import { renderRoute, startApi } from '../../../test/render-route'
import { layOut } from '../../../test/run-logs'
import { paths } from '../../paths'
import type * as kubeArchive from './kube-archive'
import { archivedPodLog } from './kube-archive'

/** The archive has its own limits here, which are those of KubeArchive: 100 requests in a second, 10 of them logs. */

const stepNames = ['clone', 'build', 'scan', 'push']
const application = 'checkout'
const finished = { conditions: [condition('Succeeded', 'True', 'Succeeded')] }
const startMs = Math.floor(Date.now() / 1_000) * 1_000
const ago = (seconds: number) => new Date(startMs - seconds * 1_000).toISOString().replace('.000', '')
/** A valid UUID for each number. */
const uidOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const ownedBy = (kind: string, name: string, uid: string) => [{ apiVersion: 'tekton.dev/v1', kind, name, uid }]

/** A deleted run of so many tasks with four steps each, whose logs have the word `needle` once. */
function bigRun(tasks: number) {
  const run = aPipelineRun({
    metadata: {
      name: 'big',
      uid: uidOf(0),
      creationTimestamp: ago(600),
      labels: { [labels.application]: application },
    },
    spec: { pipelineSpec: { tasks: Array.from({ length: tasks }, (_, n) => ({ name: `task-${n}` })) } },
    status: finished,
  })
  const objects: KubeObject[] = [run]
  const logs: Record<string, string[]> = {}
  for (let n = 0; n < tasks; n++) {
    const name = `big-task-${n}`
    const own = { [labels.pipelineRun]: 'big', [labels.pipelineTask]: `task-${n}`, [labels.taskRun]: name }
    objects.push(
      aTaskRun({
        metadata: {
          name,
          uid: uidOf(1_000 + n),
          creationTimestamp: ago(590 - n),
          labels: { ...own, [labels.application]: application },
          ownerReferences: ownedBy('PipelineRun', 'big', uidOf(0)),
        },
        status: {
          ...finished,
          podName: `${name}-pod`,
          startTime: ago(590 - n),
          completionTime: ago(500),
          steps: stepNames.map((step) => ({
            name: step,
            container: `step-${step}`,
            terminated: { exitCode: 0, reason: 'Completed', startedAt: ago(590), finishedAt: ago(500) },
          })),
        },
      }),
      {
        apiVersion: 'v1',
        kind: podType.kind,
        metadata: {
          name: `${name}-pod`,
          namespace,
          uid: uidOf(2_000 + n),
          creationTimestamp: ago(590 - n),
          labels: own,
          ownerReferences: ownedBy('TaskRun', name, uidOf(1_000 + n)),
        },
        ...{ spec: { containers: stepNames.map((step) => ({ name: `step-${step}`, image: 'tools:1' })) } },
        ...{ status: { phase: 'Succeeded' } },
      },
    )
    for (const step of stepNames) logs[`${name}-pod/step-${step}`] = ['before', `needle of ${name}`, 'after']
  }
  return { objects, logs }
}

/** Records the status codes of the archive. */
function recordStatuses({ faults }: Pick<TestCluster, 'faults'>) {
  const statuses: { path: string; status: number }[] = []
  faults.intercept(async (path, init) => {
    const response = await faults.pass(path, init)
    if (path.includes('/plugins/')) statuses.push({ path, status: response.status })
    return response
  })
  return statuses
}

const isLog = ({ path }: { path: string }) => path.includes('/log?')

beforeEach(layOut)

it('a search over all logs of an archived run of 60 tasks stays below the limits of KubeArchive', async () => {
  let statuses: ReturnType<typeof recordStatuses> = []
  await renderRoute(`${paths.pipelineRunLogs({ namespace, application, pipelineRun: 'big' })}?find=needle`, {
    archives: realArchive(bigRun(60)),
    prepare: (faults) => (statuses = recordStatuses({ faults })),
  })
  const found = `${60 * stepNames.length} found in the whole run`
  expect(await screen.findByText(found)).toBeVisible()
  expect(statuses.filter(({ status }) => status !== 200)).toEqual([])
  expect(new Set(statuses.filter(isLog).map(({ path }) => path)).size).toBe(60 * stepNames.length)
})

it('scrolling through a thousand archived runs stays below the limits of KubeArchive', async () => {
  const { reach } = fakeIntersectionObserver()
  // Only the rows near the first are rendered, as in a browser.
  const height = vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(50)
  onTestFinished(() => height.mockRestore())
  const objects = Array.from({ length: 1_000 }, (_, n) =>
    aPipelineRun({
      metadata: {
        name: `run-${n}`,
        uid: uidOf(n),
        creationTimestamp: ago(n),
        labels: { [labels.application]: application },
      },
      status: { ...finished, startTime: ago(n), completionTime: ago(n) },
    }),
  )
  let statuses: ReturnType<typeof recordStatuses> = []
  await renderRoute(paths.pipelineRuns({ namespace }), {
    archives: realArchive({ objects }),
    prepare: (faults) => (statuses = recordStatuses({ faults })),
  })
  for (let loaded = 200; loaded <= 1_000; loaded += 200) {
    expect(await screen.findByText(new RegExp(`^${loaded.toLocaleString('en')} (loaded|total)`))).toBeVisible()
    reach()
  }
  // There is no service for list views here, as the page finds out first.
  const others = statuses.filter(({ path }) => !path.includes('/plugins/views/'))
  expect(others.filter(({ status }) => status !== 200)).toEqual([])
})

it('two tabs that read logs at the same time wait for each other, and none is lost', async () => {
  const { objects, logs } = bigRun(20)
  const cluster = await testCluster({ as: 'admin', archives: realArchive({ objects, logs }) })
  const statuses = recordStatuses(cluster)
  startApi()
  const keys = Object.keys(logs)
  const read = (readLog: typeof archivedPodLog) =>
    Promise.all(
      keys.map((key) => {
        const [pod = '', container = ''] = key.split('/')
        return readLog({ namespace, pod, container })
      }),
    )
  const expected = keys.map((key) => `${logs[key]?.join('\n')}\n`)
  expect(await Promise.all([read(archivedPodLog), read(await ofAnotherTab())])).toEqual([expected, expected])
  await waitFor(() => expect(statuses.filter(({ status }) => status === 429).length).toBeGreaterThan(0))
})

/** The same code with a state of its own: pacers that know nothing of those of this tab. */
async function ofAnotherTab(): Promise<typeof archivedPodLog> {
  // The query makes it another module.
  const path = './kube-archive?tab=2'
  const { archivedPodLog: readLog } = (await import(/* @vite-ignore */ path)) as typeof kubeArchive
  return readLog
}
