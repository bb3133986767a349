import { expect, it } from 'vitest'
import { aRun, aTask } from '../../test/runs'
import { startMs, worldOf } from '../../test/tekton'
import { createHistory, type Whereabouts } from './history'
import type { ScenarioContext } from './scenario'

const context: ScenarioContext = {
  nowMs: startMs,
  world: worldOf(),
  users: { admin: 'admin', maintainer: 'maintainer', contributor: 'contributor', outsider: 'outsider' },
  gitHostUrl: 'https://git.slipway.test',
  consoleUrl: 'https://console.slipway.test',
}
const hourMs = 3_600_000

it.each<[Whereabouts, string[]]>([
  ['cluster', ['PipelineRun', 'TaskRun', 'CustomRun']],
  ['cluster-without-pods', ['PipelineRun', 'TaskRun', 'CustomRun']],
  ['archive', []],
])('archives the pods and logs of timed-out tasks when the run is in: %s', (where, inCluster) => {
  const history = createHistory(context)
  const approve = { name: 'approve', taskRef: { apiVersion: 'approvals.example.test/v1', kind: 'Approval' } }
  const run = aRun({ tasks: [aTask('build', { timeout: '10m0s' }), approve] }, {}, { build: 'timeout' })
  history.run(run, startMs - 2 * hourMs, where)
  expect(history.seeds.map(({ type }) => type.kind)).toEqual(inCluster)
  const pods = history.archived.flatMap(({ objects }) => objects).filter(({ kind }) => kind === 'Pod')
  expect(pods.map(({ metadata }) => metadata.name)).toEqual(['run-a-build-pod'])
  const [log] = history.archived.flatMap(({ logs }) => logs)
  expect(log?.pod).toBe('run-a-build-pod')
  expect([...(log?.lines() ?? [])].length).toBeGreaterThan(0)
})
