import { succeededCondition } from '@slipway/model/runs/tekton'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { expect, it } from 'vitest'
import { catalogTask, startMs, worldOf } from '../../test/tekton'
import type { Outcome } from './outcome'
import { planOf } from './plan'
import { podStatusAt, taskRunStatusAt } from './task-run-status'

function follow(outcome?: Outcome) {
  const { run, taskRun } = catalogTask('git-clone-oci-ta', outcome, { url: 'https://git.slipway.test/a/b' })
  const plan = planOf(taskRun, run, worldOf())
  const at = (ms: number) => {
    const { status, nextMs } = taskRunStatusAt(taskRun, plan, startMs + ms)
    const pod = podStatusAt(taskRun, plan, startMs + ms)
    const condition = succeededCondition({ ...taskRun, status })
    return {
      status,
      nextMs,
      pod,
      summary: [
        `${condition?.status} ${condition?.reason}`,
        pod?.phase,
        ...(status?.steps ?? []).map((step) =>
          step.terminated ? step.terminationReason : step.running ? 'running' : 'waiting',
        ),
      ].join(' '),
    }
  }
  return { taskRun, plan, at }
}

it('changes at the reported times until it has succeeded', () => {
  const { at } = follow('success')
  const seen: string[] = []
  let now = 0
  for (;;) {
    const { summary, nextMs } = at(now)
    seen.push(summary)
    // The status is the same until just before the next change.
    if (nextMs === undefined) break
    expect(at(nextMs - startMs - 1).summary).toBe(summary)
    now = nextMs - startMs
  }
  expect(seen).toEqual([
    'Unknown Pending Pending',
    'Unknown Running Running running waiting waiting',
    'Unknown Running Running Completed running waiting',
    'Unknown Running Running Completed Completed running',
    'True Succeeded Succeeded Completed Completed Completed',
  ])
})

it('reports results and completion only at the end', () => {
  const { at, plan } = follow('success')
  const endMs = plan.pendingMs + (plan.steps.at(-1)?.endMs ?? 0)
  expect(at(endMs - 1).status?.results).toBeUndefined()
  const { status } = at(endMs + 60_000)
  expect(status?.completionTime).toBe(new Date(startMs + endMs).toISOString().replace(/\.\d+Z$/, 'Z'))
  expect(status?.results?.map(({ name }) => name)).toContain('CHAINS-GIT_COMMIT')
  expect(status?.taskSpec?.steps?.map(({ name }) => name)).toEqual(status?.steps?.map(({ name }) => name))
})

it('does not change after it has ended', () => {
  const { taskRun, plan, at } = follow('success')
  const ended: TaskRun = { ...taskRun, status: at(3_600_000).status }
  expect(taskRunStatusAt(ended, plan, startMs + 7_200_000)).toEqual({ status: ended.status })
})

it('reports a failed step, the skipped ones after it, and a failed pod', () => {
  const { at, plan } = follow('fail')
  const { summary, status, pod } = at(3_600_000)
  expect(summary).toBe('False StepFailed Failed Error Skipped Skipped')
  expect(succeededCondition({ metadata: {}, status })?.message).toBe(plan.message)
  expect(status?.steps?.map(({ terminated }) => terminated?.exitCode)).toEqual([1, 1, 1])
  expect(pod?.containerStatuses?.map(({ state }) => state?.terminated?.reason)).toEqual(['Error', 'Error', 'Error'])
})

it.each<[Outcome, string[]]>([
  [
    'image-pull',
    [
      'Unknown Pending Pending',
      'Unknown Pending Pending waiting waiting waiting',
      'False TaskRunImagePullFailed Pending TaskRunImagePullFailed TaskRunImagePullFailed TaskRunImagePullFailed',
    ],
  ],
  [
    'quota',
    [
      'Unknown ExceededResourceQuota Pending',
      'Unknown ExceededResourceQuota Pending',
      'Unknown ExceededResourceQuota Pending',
    ],
  ],
  [
    'unschedulable',
    [
      'Unknown ExceededNodeResources Pending',
      'Unknown ExceededNodeResources Pending',
      'Unknown ExceededNodeResources Pending',
    ],
  ],
])('the pod never runs with the outcome %s', (outcome, expected) => {
  const { at } = follow(outcome)
  expect([at(0), at(10_000), at(60_000)].map(({ summary }) => summary)).toEqual(expected)
})

it('reports in the status of the pod and of the task why it is waiting, and that no step has run', () => {
  const { pod, status } = follow('image-pull').at(10_000)
  const waiting = pod?.containerStatuses?.[0]?.state?.waiting
  expect(status?.steps?.[0]?.waiting).toEqual(waiting)
  expect(follow('image-pull').at(60_000).status?.steps?.[0]?.terminated?.startedAt).toBeUndefined()
  expect(waiting).toMatchObject({ reason: 'ImagePullBackOff', message: expect.stringContaining('Back-off') as string })
  expect(follow('unschedulable').at(10_000).pod?.conditions).toMatchObject([
    { type: 'PodScheduled', status: 'False', reason: 'Unschedulable' },
  ])
})

it('has no next change once it hangs', () => {
  const { at } = follow('timeout')
  expect(at(600_000)).toMatchObject({ nextMs: undefined, summary: 'Unknown Running Running running waiting waiting' })
})
