import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KubeList, KubeObject } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { succeededCondition } from '@slipway/model/runs/tekton'
import { aComponent, anApplication } from '@slipway/model/testing'
import { anIntegrationTestScenario, aReleasePlan } from '@slipway/model/testing/tests-and-releases'
import { startSlipway, type RunningSlipway } from '@slipway/slipway/start'
import { expect, test as base } from './fixtures'
import type { Kubectl } from './kubectl'
import { patienceMs } from '../scripts/lib/patience.mjs'

const namespace = 'team-payments'
const outcome = { 'simulator.slipway.dev/outcome': JSON.stringify({ '*': 'success' }) }

/** Each test has its own product with the simulator, in which a minute takes a second. */
const test = base.extend<{ speed: number; simulated: { slipway: RunningSlipway; kubectl: Kubectl } }>({
  // Pipelines time out after an hour: the faster that passes, the sooner a busy machine is too late.
  speed: [60, { option: true }],
  simulated: async ({ kubectlFor, speed }, use) => {
    const data = await mkdtemp(join(tmpdir(), 'slipway-simulated-'))
    const ports = { port: 0, apiPort: 0, signInPort: 0, gitPort: 0 }
    const slipway = await startSlipway({ ...ports, data, scenario: 'empty', speed, archive: 'none' })
    await use({ slipway, kubectl: kubectlFor(data) })
    await slipway.close()
    await rm(data, { recursive: true })
  },
})

/** A list from kubectl, in order of creation. */
async function list<T extends KubeObject>(kubectl: Kubectl, plural: string, selector = ''): Promise<T[]> {
  const args = ['-n', namespace, 'get', plural, '--sort-by=.metadata.creationTimestamp', '-o', 'json']
  const text = await kubectl('admin', ...args, ...(selector ? ['-l', selector] : []))
  return (JSON.parse(text) as KubeList<T>).items // The requested kind.
}

const patient = { timeout: patienceMs, intervals: [250] }

test('a component created by hand gets a pull request, build, snapshot, tests and release', async ({
  simulated: { slipway, kubectl },
}) => {
  await kubectl.apply('admin', anApplication({ metadata: { namespace } }))
  await kubectl.apply('admin', anIntegrationTestScenario({ metadata: { namespace, annotations: outcome } }))
  const pipelineRef = { resolver: 'git', params: [{ name: 'pathInRepo', value: 'pipelines/tenant-release.yaml' }] }
  await kubectl.apply(
    'admin',
    aReleasePlan({
      metadata: { namespace, annotations: outcome },
      spec: { target: undefined, tenantPipeline: { pipelineRef } },
    }),
  )
  const git = { url: 'https://github.com/payments/checkout-api', revision: 'main' }
  const component = aComponent({ metadata: { namespace }, spec: { source: { git }, containerImage: undefined } })
  await kubectl.apply('admin', component)

  const releaseState = async () =>
    kubectl(
      'admin',
      ...['-n', namespace, 'get', 'releases', '-o'],
      'jsonpath={.items[*].status.conditions[?(@.type=="Released")].reason}',
    )
  await expect.poll(releaseState, { ...patient, timeout: 2 * patienceMs }).toContain('Succeeded')

  // Check the chain: each object names its predecessor.
  const pullRequest = `${slipway.gitHostUrl}/github.com/payments/checkout-api/pull/1`
  const [built] = await list(kubectl, 'components')
  expect(built?.metadata.annotations?.['build.appstudio.openshift.io/status']).toContain(pullRequest)
  const page = await fetch(pullRequest)
  expect(await page.text()).toContain('Konflux update checkout-api')
  const [release] = await list<KubeObject & { spec: { snapshot: string; releasePlan: string } }>(kubectl, 'releases')
  expect(release?.spec.releasePlan).toBe('checkout-to-production')
  const snapshots = await list(kubectl, 'snapshots')
  const snapshot = snapshots.find(({ metadata }) => metadata.name === release?.spec.snapshot)
  const runs = await list<PipelineRun>(kubectl, 'pipelineruns')
  const build = runs.find(({ metadata }) => metadata.name === snapshot?.metadata.labels?.[labels.buildPipelineRun])
  expect(build && succeededCondition(build)?.status).toBe('True')
  expect(build?.metadata.labels).toMatchObject({ [labels.component]: 'checkout-api', [labels.eventType]: 'push' })
  const ofType = (type: string) => runs.filter(({ metadata }) => metadata.labels?.[labels.pipelineType] === type)
  const tested = ofType('test').map(({ metadata }) => metadata.labels?.[labels.snapshot])
  expect(tested).toContain(snapshot?.metadata.name)
  const releasing = ofType('tenant').map(({ metadata }) => metadata.labels?.['release.appstudio.openshift.io/name'])
  expect(releasing).toContain(release?.metadata.name)
})

const slowRun = (name: string) => ({
  apiVersion: 'tekton.dev/v1',
  kind: 'PipelineRun',
  metadata: { name, namespace, annotations: { 'simulator.slipway.dev/outcome': '{"long":"slow"}' } },
  spec: {
    pipelineSpec: {
      tasks: [
        {
          name: 'long',
          taskSpec: { steps: [{ name: 'main', image: 'registry.slipway.test/tools/build:1', script: 'build' }] },
        },
        {
          name: 'after',
          runAfter: ['long'],
          taskSpec: { steps: [{ name: 'main', image: 'registry.slipway.test/tools/push:1', script: 'push' }] },
        },
      ],
      finally: [
        {
          name: 'last',
          taskSpec: { steps: [{ name: 'main', image: 'registry.slipway.test/tools/tidy:1', script: 'tidy' }] },
        },
      ],
    },
  },
})

test.describe('requests to stop a run', () => {
  // Slow enough that the request arrives before the run ends.
  test.use({ speed: 20 })

  for (const [status, reason, tasks] of [
    ['Cancelled', 'Cancelled', ['long']],
    ['CancelledRunFinally', 'Cancelled', ['last', 'long']],
    ['StoppedRunFinally', 'Cancelled', ['last', 'long']],
  ] as const) {
    test(`${status} ends a run as Tekton does`, async ({ simulated: { kubectl } }) => {
      await kubectl.apply('admin', slowRun('stops'))
      const state = async () => {
        const [run] = await list<PipelineRun>(kubectl, 'pipelineruns')
        return run && succeededCondition(run)?.reason
      }
      await expect.poll(state, { ...patient, intervals: [50] }).toBe('Running')
      const patch = JSON.stringify({ spec: { status } })
      await kubectl('admin', '-n', namespace, 'patch', 'pipelinerun', 'stops', '--type=merge', `--patch=${patch}`)
      await expect.poll(state, patient).toBe(reason)
      const taskRuns = await list(kubectl, 'taskruns')
      expect(taskRuns.map(({ metadata }) => metadata.labels?.[labels.pipelineTask]).sort()).toEqual(tasks)
    })
  }
})
