import { labels } from '@slipway/model/labels'
import { anApplication, aPipelineRun, aTaskRun, condition } from '@slipway/model/testing'
import { anIntegrationTestScenario, aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { namespace } from '../test/cluster'
import { renderRoute } from '../test/render-route'
import { paths } from './paths'

const at = { namespace, application: 'checkout' }
const time = (minute: number) => `2026-01-31T09:0${minute}:00Z`
const ended = (minute: number) => ({
  startTime: time(minute),
  completionTime: time(minute + 1),
  conditions: [condition('Succeeded', 'True')],
})
/** The names are neither in the order of the times nor in the opposite one. */
const ages = { b: 1, c: 5, a: 3 }
const newestFirst = 'c a b'
const each = Object.entries(ages)

const shas = { a: 'a'.repeat(40), b: 'b'.repeat(40), c: 'c'.repeat(40) }
const inOneOf = (name: keyof typeof shas) => ({ [labels.application]: 'checkout', [labels.commitSha]: shas[name] })
const names = ['b', 'c', 'a'] as const

const runs = (marks: Record<string, string> = {}) =>
  names.map((name) =>
    aPipelineRun({
      metadata: {
        name,
        creationTimestamp: time(ages[name]),
        labels: { ...inOneOf(name), [labels.eventType]: 'push', ...marks },
      },
      status: ended(ages[name]),
    }),
  )
const ofSnapshot = { [labels.snapshot]: 'snap' }
const ofTest = { [labels.scenario]: 'e2e', [labels.pipelineType]: 'test' }
const ofCommit = { [labels.commitSha]: shas.a }
const taskRuns = each.map(([name, minute]) =>
  aTaskRun({ metadata: { name, labels: { [labels.pipelineRun]: 'a' } }, status: ended(minute) }),
)
const snapshot = aSnapshot({ metadata: { name: 'snap' }, spec: { application: 'checkout' } })
const snapshots = each.map(([name, minute]) =>
  aSnapshot({
    metadata: { name, creationTimestamp: time(minute), labels: { [labels.application]: 'checkout' } },
    spec: { application: 'checkout' },
  }),
)
const scenario = anIntegrationTestScenario({ metadata: { name: 'e2e' }, spec: { application: 'checkout' } })

test.each([
  ['of runs of a namespace', 'Pipeline runs', paths.pipelineRuns(at), runs(), newestFirst],
  [
    'of runs of an application',
    'Pipeline runs',
    paths.activityTab({ ...at, activityTab: 'pipelineruns' }),
    runs(),
    newestFirst,
  ],
  [
    'of runs of a commit',
    'Pipeline runs',
    paths.commitPipelineRuns({ ...at, commit: shas.a }),
    runs(ofCommit),
    newestFirst,
  ],
  [
    'of runs of a snapshot',
    'Pipeline runs',
    paths.snapshotPipelineRuns({ ...at, snapshot: 'snap' }),
    [snapshot, ...runs(ofSnapshot)],
    newestFirst,
  ],
  [
    'of runs of a test',
    'Pipeline runs',
    paths.integrationTestPipelineRuns({ ...at, integrationTest: 'e2e' }),
    [scenario, ...runs(ofTest)],
    newestFirst,
  ],
  [
    'of task runs',
    'Task runs',
    paths.pipelineRunTaskRuns({ ...at, pipelineRun: 'a' }),
    [...runs(), ...taskRuns],
    newestFirst,
  ],
  ['SNAP-22 of snapshots, which is by name', 'Snapshots', paths.snapshots(at), snapshots, 'a b c'],
])('a list is newest first until another order is chosen: that %s', async (_, table, path, objects, expected) => {
  await renderRoute(path, { objects: [anApplication(), ...objects] })
  const rows = () => within(screen.getByRole('table', { name: table })).queryAllByRole('rowheader')
  await waitFor(() => expect(rows().map((row) => row.textContent.at(0))).toEqual(expected.split(' ')))
})
