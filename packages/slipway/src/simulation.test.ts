import { resourcePath } from '@slipway/kube/path'
import { applicationType } from '@slipway/model/builds/application'
import { componentType } from '@slipway/model/builds/component'
import { annotations, labels } from '@slipway/model/labels'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { releaseStatus, releaseType } from '@slipway/model/releases/release'
import { releasePlanType } from '@slipway/model/releases/release-plan'
import { integrationTestScenarioType } from '@slipway/model/snapshots/integration-test-scenario'
import { isFinished, succeededCondition } from '@slipway/model/runs/tekton'
import { aComponent, anApplication } from '@slipway/model/testing'
import { anIntegrationTestScenario, aReleasePlan } from '@slipway/model/testing/tests-and-releases'
import { afterEach, expect, it, vi } from 'vitest'
import { patienceMs } from '../../../scripts/lib/patience.mjs'
import { startSlipway, type RunningSlipway } from './start'

/** Makes outcomes deterministic. */
const outcome = { 'simulator.slipway.dev/outcome': JSON.stringify({ '*': 'success' }) }
const namespace = 'team-payments'
/** Faster, and the time limit of a run expires on a busy machine before its tasks have been simulated. */
const speed = 60

let slipway: RunningSlipway
afterEach(() => slipway.close())

/** Over HTTP, with tokens of service accounts that have only the permissions in `roles.ts`. */
it('takes a component to its release and archives finished objects', async () => {
  const warn = vi.spyOn(console, 'warn')
  const ports = { port: 0, apiPort: 0, signInPort: 0, gitPort: 0 }
  slipway = await startSlipway({ ...ports, scenario: 'empty', speed })
  const { system } = slipway
  await system.create(applicationType, anApplication({ metadata: { namespace } }))
  await system.create(
    integrationTestScenarioType,
    anIntegrationTestScenario({ metadata: { namespace, annotations: outcome } }),
  )
  await system.create(
    releasePlanType,
    aReleasePlan({
      metadata: { namespace, annotations: outcome },
      spec: {
        target: undefined,
        tenantPipeline: {
          pipelineRef: { resolver: 'git', params: [{ name: 'pathInRepo', value: 'pipelines/tenant-release.yaml' }] },
        },
      },
    }),
  )
  const git = { url: `${slipway.gitHostUrl}/github.com/payments/checkout-api`, revision: 'main' }
  const component = aComponent({ metadata: { namespace }, spec: { source: { git }, containerImage: undefined } })
  await system.create(componentType, component)

  const released = async () => {
    const { items } = await system.list(releaseType, { namespace })
    expect(items.map(releaseStatus)).toContain('Succeeded')
  }
  // Several runs, one after the other: minutes on a busy machine.
  await vi.waitFor(released, { interval: 250, timeout: 3 * patienceMs })
  const { metadata } = await system.get(componentType, 'checkout-api', { namespace })
  expect(metadata.annotations?.[annotations.buildStatus]).toContain(
    `${slipway.gitHostUrl}/github.com/payments/checkout-api/pull/1`,
  )

  const runs = async (): Promise<PipelineRun[]> => (await system.list(pipelineRunType, { namespace })).items
  const ofType = async (type: string) =>
    (await runs()).filter((run) => run.metadata.labels?.[labels.pipelineType] === type)
  for (const type of ['build', 'test', 'tenant']) expect((await ofType(type)).length).toBeGreaterThan(0)

  // The archive has annotated at least one run as stored.
  const stored = async () => {
    const kept = (await runs()).filter((run) => run.metadata.annotations?.[annotations.stored] === 'true')
    expect(kept.every(isFinished) && kept.length > 0).toBe(true)
  }
  const aWhile = { interval: 100 }
  await vi.waitFor(stored, aWhile)

  const [build] = await ofType('build')
  const { metadata: again } = await system.create(pipelineRunType, {
    metadata: { namespace, name: 'to-be-cancelled', annotations: { 'simulator.slipway.dev/outcome': '{"*":"slow"}' } },
    spec: { ...build?.spec, status: undefined },
  })
  await vi.waitFor(async () => {
    const run = await system.get(pipelineRunType, again.name ?? '', { namespace })
    expect(succeededCondition(run)?.reason).toBe('Running')
  }, aWhile)
  const path = resourcePath(pipelineRunType, { namespace, name: again.name })
  await system.request(path, {
    method: 'PATCH',
    headers: { 'content-type': 'application/merge-patch+json' },
    body: JSON.stringify({ spec: { status: 'Cancelled' } }),
  })
  await vi.waitFor(async () => {
    const run = await system.get(pipelineRunType, again.name ?? '', { namespace })
    expect(succeededCondition(run)?.reason).toBe('Cancelled')
  }, aWhile)
  // No request failed because of a missing permission.
  expect(warn.mock.calls.map(([text]) => String(text)).filter((text) => /forbidden|cannot/.test(text))).toEqual([])
})
