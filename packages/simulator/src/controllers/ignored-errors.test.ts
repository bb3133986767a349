import { succeededCondition } from '@slipway/model/runs/tekton'
import { afterEach, expect, it } from 'vitest'
import { aRun, aTask, startRun } from '../../test/runs'

let started: Awaited<ReturnType<typeof startRun>>

afterEach(() => started.world.close())

it('a task continues after a step with onError: continue fails', async () => {
  const image = 'registry.slipway.test/tools/check:1'
  const steps = [
    { name: 'lint', image, script: 'lint', onError: 'continue' as const },
    { name: 'test', image, script: 'test' },
  ]
  started = await startRun(aRun({ tasks: [{ name: 'check', taskSpec: { steps } }] }, {}, { check: 'fail' }))
  await started.until(({ run }) => run === 'Succeeded')
  const { status } = await started.runs.taskRun('check')
  expect(succeededCondition({ metadata: {}, status })?.status).toBe('True')
  expect(status?.steps?.map(({ terminated, terminationReason }) => [terminated?.exitCode, terminationReason])).toEqual([
    [1, 'Continued'],
    [0, 'Completed'],
  ])
  const [pod] = await started.runs.pods()
  expect(pod?.status?.phase).toBe('Succeeded')
  expect(pod?.status?.containerStatuses?.map(({ state }) => state?.terminated?.exitCode)).toEqual([0, 0])
  expect(await started.runs.log(pod?.metadata.name ?? '', 'step-lint')).toContain('Error: exit status 1')
})

it('a pipeline continues after a task with onError: continue fails', async () => {
  const tasks = [aTask('lint', { onError: 'continue' }), aTask('build', { runAfter: ['lint'], onError: 'stopAndFail' })]
  started = await startRun(aRun({ tasks, finally: [aTask('report')] }, {}, { lint: 'fail' }))
  await started.until(({ run }) => run === 'Succeeded' || run === 'Failed')
  expect(succeededCondition(await started.runs.run())).toMatchObject({
    status: 'True',
    message: 'Tasks Completed: 3 (Failed: 1 (Ignored: 1), Cancelled 0), Skipped: 0',
  })
  expect(succeededCondition(await started.runs.taskRun('lint'))).toMatchObject({
    status: 'False',
    reason: 'FailureIgnored',
  })
  expect((await started.runs.taskRun('lint')).metadata.annotations).toMatchObject({
    'pipeline.tekton.dev/pipeline-task-on-error': 'continue',
  })
  expect((await started.runs.taskRun('build')).metadata.annotations).not.toHaveProperty([
    'pipeline.tekton.dev/pipeline-task-on-error',
  ])
  expect((await started.runs.run()).status?.childReferences).toHaveLength(3)
})
