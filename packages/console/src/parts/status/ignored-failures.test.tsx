import { labels } from '@slipway/model/labels'
import { anApplication, aPipelineRun, aTaskRun, condition } from '@slipway/model/testing'
import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { namespace } from '../../../test/cluster'
import { renderRoute } from '../../../test/render-route'
import { paths } from '../../paths'

const at = { namespace, application: 'checkout' }
const run = aPipelineRun({
  metadata: { name: 'build-1' },
  status: {
    startTime: '2026-01-31T09:00:00Z',
    completionTime: '2026-01-31T09:09:00Z',
    conditions: [condition('Succeeded', 'True')],
    pipelineSpec: { tasks: [{ name: 'lint', onError: 'continue' }, { name: 'scan' }] },
  },
})
const times = { startedAt: '2026-01-31T09:01:00Z', finishedAt: '2026-01-31T09:02:00Z' }
const taskRun = (name: string, status: object) =>
  aTaskRun({
    metadata: { name: `build-1-${name}`, labels: { [labels.pipelineRun]: 'build-1', [labels.pipelineTask]: name } },
    status: { startTime: times.startedAt, completionTime: times.finishedAt, ...status },
  })
/** Its failure does not fail the run. */
const lint = taskRun('lint', { conditions: [condition('Succeeded', 'False', 'FailureIgnored')] })
/** The failure of one of its steps does not fail it: Tekton then writes that the step has completed. */
const scan = taskRun('scan', {
  conditions: [condition('Succeeded', 'True', 'Succeeded')],
  steps: [
    { name: 'try', terminationReason: 'Continued', terminated: { exitCode: 1, reason: 'Completed', ...times } },
    { name: 'end', terminated: { exitCode: 0, reason: 'Completed', ...times } },
  ],
})
const objects = [anApplication(), run, lint, scan]
const page = paths.pipelineRun({ ...at, pipelineRun: 'build-1' })
const step = 'Succeeded (Failed, ignored)'

it.each<[string, string, string[]]>([
  ['the graph', page, ['Failed, ignored']],
  ['the list of tasks', `${page}?view=list`, ['Failed, ignored']],
  ['the panel of the task', `${page}?view=list&selected=lint`, ['Failed, ignored', 'Failed, ignored']],
  ['the panel of the task with the step', `${page}?view=list&selected=scan`, ['Failed, ignored', step]],
  ['the task runs', paths.pipelineRunTaskRuns({ ...at, pipelineRun: 'build-1' }), ['Failed, ignored']],
  ['the logs', paths.pipelineRunLogs({ ...at, pipelineRun: 'build-1' }), ['Failed, ignored']],
  ['the page of the task', paths.taskRunDetails({ ...at, taskRun: 'build-1-lint' }), Array(2).fill('Failed, ignored')],
  ['the page of the task with the step', paths.taskRunDetails({ ...at, taskRun: 'build-1-scan' }), [step]],
])('STAT-01, STAT-39 a failure that was ignored is seen as such in %s', async (_, path, expected) => {
  await renderRoute(path, { objects })
  const shown = () => [...document.querySelectorAll('.slipway-status')].map(({ textContent }) => textContent)
  await waitFor(() =>
    expect(
      shown()
        .filter((text) => text.includes('Failed'))
        .sort(),
    ).toEqual([...expected].sort()),
  )
})

it('STAT-01 a failure that was ignored is counted apart, and named in the timeline', async () => {
  await renderRoute(`${page}?view=timeline`, { objects })
  expect(await screen.findByText('1 Succeeded, 1 Failed, ignored')).toBeVisible()
  expect(await screen.findByText(/^, Failed, ignored, /)).toBeInTheDocument()
})
