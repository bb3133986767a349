import { QueryClientProvider } from '@tanstack/react-query'
import { labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { aPipelineRun, aTaskRun, condition } from '@slipway/model/testing'
import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { onTestFinished, vi } from 'vitest'
import { queryClient } from '../src/api/query-client'
import { RunLogs } from '../src/parts/logs/RunLogs'
import { testCluster, type Archives, type Faults } from './cluster'
import { ended, putPod, type ContainerScene } from './pod-logs'
import { startApi } from './render-route'

export const finished = [condition('Succeeded', 'True', 'Succeeded')]
export const failed = [condition('Succeeded', 'False', 'Failed')]
export const goingOn = [condition('Succeeded', 'Unknown', 'Running')]

export const taskRun = (task: string, status: TaskRun['status'], uid = `${task}-uid`) =>
  aTaskRun({ metadata: { name: `run-${task}`, uid, labels: { [labels.pipelineTask]: task } }, status })

export const aRun = (tasks: string[], status: PipelineRun['status'] = { conditions: goingOn }) =>
  aPipelineRun({ spec: { pipelineSpec: { tasks: tasks.map((name) => ({ name })) } }, status })

interface Scene {
  run?: PipelineRun
  taskRuns?: TaskRun[]
  /** The containers of the pod of each task. */
  pods?: Record<string, Record<string, ContainerScene>>
  /** Query and hash of the URL. */
  address?: string
  archives?: Archives
  /** Sets faults before anything is rendered. */
  faults?: (faults: Faults) => void
}

/** Renders the logs of a run at a URL. */
export async function show({ run = aRun([]), taskRuns = [], pods = {}, address = '', archives, faults }: Scene) {
  const cluster = await testCluster({ as: 'admin', ...(archives && { archives }) })
  history.replaceState(null, '', `/${address}`)
  startApi()
  for (const [task, containers] of Object.entries(pods)) await putPod(cluster.system, `${task}-pod`, containers)
  faults?.(cluster.faults)
  const element = (
    <main>
      <RunLogs run={run} taskRuns={taskRuns} />
    </main>
  )
  const router = createBrowserRouter([{ path: '*', element }])
  onTestFinished(() => router.dispose())
  const view = render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return { ...view, cluster, user: userEvent.setup() }
}

export const pod = (task: string, more: TaskRun['status'] = {}): TaskRun['status'] => ({
  podName: `${task}-pod`,
  conditions: finished,
  ...more,
})

export const lineOf = (text: string) => screen.findByText(text, { selector: '.slipway-log__text' })

/** A failed task with this log. */
export const steps = (log: string) => ({
  taskRuns: [taskRun('build', pod('build', { steps: [{ name: 'build', container: 'step-build', ...ended(1) }] }))],
  pods: { build: { 'step-build': { state: ended(1), log } } },
})

/** Gives elements a height, on which the rendered lines depend, since jsdom has no layout. Call before each test. */
export function layOut() {
  const spies = [
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600),
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(800),
  ]
  Element.prototype.scrollTo ??= () => undefined
  onTestFinished(() => spies.forEach((spy) => spy.mockRestore()))
}
