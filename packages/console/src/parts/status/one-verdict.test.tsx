import { annotations, copiedPacKey, labels } from '@slipway/model/labels'
import { aComponent, anApplication, aPipelineRun, aTaskRun, condition } from '@slipway/model/testing'
import { anIntegrationTestScenario, aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { namespace } from '../../../test/cluster'
import { renderRoute } from '../../../test/render-route'
import { paths } from '../../paths'

const sha = 'faef902212a6c7cd3c6a79fa778410972259ef03'
const at = { namespace, application: 'checkout' }
const output = [{ name: 'TEST_OUTPUT', value: JSON.stringify({ result: 'FAILURE', failures: 4 }) }]
const build = aPipelineRun({
  metadata: {
    name: 'build-1',
    labels: { [labels.commitSha]: sha, [labels.eventType]: 'push', [labels.snapshot]: 'checkout-1' },
    annotations: { [annotations.pacShaTitle]: 'Add a checkout' },
  },
  status: { startTime: '2026-01-31T09:01:00Z', conditions: [condition('Succeeded', 'True')] },
})
/** It has succeeded, and reports that its tests have failed. */
const test = aPipelineRun({
  metadata: {
    name: 'e2e-1',
    labels: {
      [copiedPacKey(labels.commitSha)]: sha,
      [labels.eventType]: 'push',
      [labels.pipelineType]: 'test',
      [labels.scenario]: 'e2e',
      [labels.snapshot]: 'checkout-1',
    },
  },
  status: { startTime: '2026-01-31T09:02:00Z', conditions: [condition('Succeeded', 'True')], results: output },
})
const task = aTaskRun({
  metadata: { name: 'e2e-1-run', labels: { [labels.pipelineRun]: 'e2e-1', [labels.pipelineTask]: 'run' } },
  status: { conditions: [condition('Succeeded', 'True')], results: output },
})
const objects = [
  anApplication(),
  aComponent(),
  aSnapshot({ metadata: { name: 'checkout-1' } }),
  anIntegrationTestScenario({ metadata: { name: 'e2e' } }),
  build,
  test,
  task,
]

/** The statuses on the screen with this word, whole. */
const labelsWith = (word: string) =>
  [...document.querySelectorAll('.slipway-status')].flatMap(({ textContent }) =>
    textContent.includes(word) ? textContent : [],
  )
const full = 'Succeeded (Test Failures)'

it.each<[string, string, string[]]>([
  ['the runs of a namespace', paths.pipelineRuns(at), [full]],
  ['the runs of an application', paths.activityTab({ ...at, activityTab: 'pipelineruns' }), [full]],
  ['the runs of a snapshot', paths.snapshotPipelineRuns({ ...at, snapshot: 'checkout-1' }), [full]],
  // The header, the details and its task.
  ['the page of the run', paths.pipelineRun({ ...at, pipelineRun: 'e2e-1' }), [full, full, 'Test Failures']],
  ['the runs of the commit', paths.commitPipelineRuns({ ...at, commit: sha }), [full, full]],
  ['the commits of an application', paths.activityTab({ ...at, activityTab: 'latest-commits' }), [full]],
  ['the page of the commit, its graph included', paths.commit({ ...at, commit: sha }), ['Test Failures', full, full]],
  ['the tests of a snapshot', paths.snapshot({ ...at, snapshot: 'checkout-1' }), ['Test Failures']],
  ['the integration test', paths.integrationTest({ ...at, integrationTest: 'e2e' }), ['Test Failures']],
  ['the runs of the integration test', paths.integrationTestPipelineRuns({ ...at, integrationTest: 'e2e' }), [full]],
  ['the expanded workflow', `${paths.application(at)}?workflow=expanded`, ['Test Failures']],
])('STAT-01, STAT-44, STAT-60 the failed tests of a run that succeeded are seen on %s', async (_, path, expected) => {
  await renderRoute(path, { objects })
  await waitFor(() => expect(labelsWith('Test Failures').sort()).toEqual([...expected].sort()))
  // In no other place is the run, or its commit, plainly successful: only the build is.
  expect(
    screen.queryAllByText('Succeeded').filter(({ textContent }) => textContent === 'Succeeded').length,
  ).toBeLessThan(2)
})

it('STAT-44 a commit whose newest run succeeded after another had failed says both', async () => {
  const failed = { ...build.status, conditions: [condition('Succeeded', 'False', 'Failed')] }
  const passed = { ...test, status: { ...test.status, results: [] } }
  const others = objects.filter(
    (object) => ![build, test, task].some((own) => own.metadata.name === object.metadata.name),
  )
  await renderRoute(paths.activityTab({ ...at, activityTab: 'latest-commits' }), {
    objects: [...others, { ...build, status: failed }, passed],
  })
  await waitFor(() => expect(labelsWith('Failed')).toEqual(['Succeeded (Failed before)']))
})
