import type { Condition } from '@slipway/kube/object'
import { describe, expect, it, test } from 'vitest'
import { aRelease, condition } from '../testing'
import { aReleasePlan, aReleasePlanAdmission } from '../testing/tests-and-releases'
import type { Release } from './release'
import { explainRelease, type RunEvidence } from './release-explanation'
import type { ReleaseDefinitions } from './release-stages'

const at = (type: string, reason: string, minute: number, message = ''): Condition => ({
  ...condition(type, reason === 'Succeeded' || reason === 'Skipped' ? 'True' : 'False', reason),
  lastTransitionTime: `2026-01-31T09:0${minute}:00Z`,
  message,
})
const created = '2026-01-31T08:59:00Z'
const releaseWith = (conditions: Condition[] | undefined, status: Release['status'] = {}): Release =>
  aRelease({
    metadata: { creationTimestamp: created },
    status: { ...status, ...(conditions && { conditions }) },
  })

const pipeline = { pipelineRef: { resolver: 'git', params: [] } }
const collectors = { items: [{ name: 'jira', type: 'jira', params: [] }] }
const everything: ReleaseDefinitions = {
  plan: aReleasePlan({ spec: { collectors, tenantPipeline: pipeline, finalPipeline: pipeline } }),
  admission: aReleasePlanAdmission({ spec: { collectors } }),
}
const plain: ReleaseDefinitions = { plan: aReleasePlan(), admission: aReleasePlanAdmission() }

const progressing = at('Released', 'Progressing', 0)
const failed = at('Released', 'Failed', 9)
const valid = at('Validated', 'Succeeded', 1)
const managed = (reason: string, message = '') => at('ManagedPipelineProcessed', reason, 5, message)
const skipped = [
  'TenantCollectorsPipelineProcessed',
  'ManagedCollectorsPipelineProcessed',
  'TenantPipelineProcessed',
].map((type) => at(type, 'Skipped', 1))

const unmet = { rule: 'Tasks are pinned', findings: [{ component: 'api' }] }
const attempt = { pipelineRun: 'm/one', failureReason: 'OOMKill', lastTask: 'push' }

interface Case {
  title: string
  conditions?: Condition[]
  status?: Release['status']
  definitions?: ReleaseDefinitions
  evidence?: RunEvidence
  state: string
  headline: string
  holding?: string
  since?: string
  next?: string
}

describe('a release is explained', () => {
  test.each<Case>([
    {
      title: 'before the service has seen it',
      state: 'waiting',
      headline: 'The release service has not picked up this release yet.',
      holding: 'validation',
      since: created,
      next: 'Next: the tenant collectors, then the managed collectors, then the tenant pipeline, then the managed pipeline, then the final pipeline, as far as its plan and its admission define them.',
    },
    {
      title: 'during its validation',
      conditions: [progressing],
      status: { startTime: '2026-01-31T09:00:00Z' },
      definitions: plain,
      state: 'running',
      headline: 'The release is being validated.',
      holding: 'validation',
      since: '2026-01-31T09:00:00Z',
      next: 'Next: the managed pipeline.',
    },
    {
      title: 'between two stages',
      conditions: [progressing, valid],
      definitions: everything,
      state: 'waiting',
      headline: 'The tenant collectors have not started yet.',
      holding: 'tenantCollectors',
      since: valid.lastTransitionTime ?? '',
      next: 'Next: the managed collectors, then the tenant pipeline, then the managed pipeline, then the final pipeline.',
    },
    {
      title: 'during its collectors',
      conditions: [progressing, valid, at('TenantCollectorsPipelineProcessed', 'Progressing', 2)],
      definitions: everything,
      state: 'running',
      headline: 'The tenant collectors are running.',
      holding: 'tenantCollectors',
      since: '2026-01-31T09:02:00Z',
      next: 'Next: the managed collectors, then the tenant pipeline, then the managed pipeline, then the final pipeline.',
    },
    {
      title: 'during its managed pipeline',
      conditions: [progressing, valid, ...skipped, managed('Progressing')],
      status: { managedProcessing: { startTime: '2026-01-31T09:04:00Z' } },
      definitions: plain,
      state: 'running',
      headline: 'The managed pipeline is running.',
      holding: 'managed',
      since: '2026-01-31T09:04:00Z',
      next: 'It is the last stage.',
    },
    {
      title: 'while a task of it is waiting',
      conditions: [progressing, valid, ...skipped, managed('Progressing')],
      definitions: everything,
      evidence: { waiting: { task: 'push', text: 'No room.', evidence: [], unread: [] } },
      state: 'waiting',
      headline: 'The managed pipeline is waiting in task push.',
      holding: 'managed',
      since: '2026-01-31T09:05:00Z',
      next: 'Next: the final pipeline.',
    },
    {
      title: 'while its run is waiting',
      conditions: [progressing, valid, ...skipped, managed('Progressing')],
      definitions: plain,
      evidence: { waiting: { text: 'On hold.', evidence: [], unread: [] } },
      state: 'waiting',
      headline: 'The managed pipeline is waiting.',
      holding: 'managed',
      since: '2026-01-31T09:05:00Z',
      next: 'It is the last stage.',
    },
    {
      title: 'while its managed pipeline is being retried',
      conditions: [progressing, valid, ...skipped, managed('Progressing')],
      status: { managedPipelineAttempts: [attempt, { startTime: '2026-01-31T09:06:00Z' }] },
      definitions: plain,
      state: 'running',
      headline: 'The managed pipeline is running again, attempt 2 after OOMKill in task push.',
      holding: 'managed',
      since: '2026-01-31T09:06:00Z',
      next: 'It is the last stage.',
    },
    {
      title: 'just before it is complete',
      conditions: [progressing, valid, ...skipped, managed('Succeeded'), at('FinalPipelineProcessed', 'Skipped', 6)],
      state: 'running',
      headline: 'Every stage has ended, and the release is being completed.',
      since: '2026-01-31T09:05:00Z',
    },
    {
      title: 'after its success',
      conditions: [at('Released', 'Succeeded', 8), valid, ...skipped, managed('Succeeded')],
      status: { completionTime: '2026-01-31T09:08:30Z' },
      state: 'succeeded',
      headline: 'The release succeeded: it passed validation and the managed pipeline.',
      since: '2026-01-31T09:08:30Z',
    },
    {
      title: 'that was blocked',
      conditions: [
        failed,
        at('Validated', 'Failed', 1, "found ReleasePlanAdmission 'prod' with block-releases label set to true"),
      ],
      definitions: plain,
      state: 'failed',
      headline: 'The release is not valid: the admission prod blocks all releases by its label block-releases.',
      holding: 'validation',
      since: '2026-01-31T09:01:00Z',
      next: 'Ask the owners of the target namespace to set the label to false, then re-run this release.',
    },
    {
      title: 'that became invalid',
      conditions: [failed, at('Validated', 'Failed', 3, 'snapshots.appstudio.redhat.com "s" not found')],
      status: { validation: { failedPostValidation: true } },
      state: 'failed',
      headline: 'The release became invalid while it was running: its snapshot s does not exist.',
      holding: 'validation',
      since: '2026-01-31T09:03:00Z',
      next: 'Release another snapshot.',
    },
    {
      title: 'after its managed pipeline failed in a namespace that cannot be read',
      conditions: [
        failed,
        valid,
        ...skipped,
        managed('Failed', 'Tasks Completed: 3'),
        at('FinalPipelineProcessed', 'Skipped', 5),
      ],
      definitions: everything,
      state: 'failed',
      headline: 'The managed pipeline failed.',
      holding: 'managed',
      since: '2026-01-31T09:05:00Z',
      next: 'Correct what made it fail, then re-run this release. The final pipeline was not reached.',
    },
    {
      title: 'after a task failed',
      conditions: [failed, valid, ...skipped, managed('Failed')],
      definitions: plain,
      evidence: { failure: { task: 'push', step: 'push', message: '' } },
      state: 'failed',
      headline: 'The managed pipeline failed in task push, step push.',
      holding: 'managed',
      since: '2026-01-31T09:05:00Z',
      next: 'Correct what made it fail, then re-run this release.',
    },
    {
      title: 'after a task failed without a step',
      conditions: [failed, valid, at('TenantCollectorsPipelineProcessed', 'Failed', 5)],
      definitions: everything,
      evidence: { failure: { task: 'collect', message: '' } },
      state: 'failed',
      headline: 'The tenant collectors failed in task collect.',
      holding: 'tenantCollectors',
      since: '2026-01-31T09:05:00Z',
      next: 'Correct what made it fail, then re-run this release. The managed collectors, the tenant pipeline, the managed pipeline and the final pipeline were not reached.',
    },
    {
      title: 'after every attempt failed',
      conditions: [failed, valid, ...skipped, managed('Failed')],
      status: { managedPipelineAttempts: [attempt, attempt, attempt] },
      definitions: plain,
      evidence: { failure: { message: 'timed out' } },
      state: 'failed',
      headline: 'The managed pipeline failed 3 times.',
      holding: 'managed',
      since: '2026-01-31T09:05:00Z',
      next: 'Correct what made it fail, then re-run this release.',
    },
    {
      title: 'after it violated a rule',
      conditions: [failed, valid, ...skipped, managed('Failed')],
      definitions: plain,
      evidence: { failure: { task: 'verify-conforma', message: '' }, violations: [unmet] },
      state: 'failed',
      headline: 'The managed pipeline failed: the snapshot violates a rule of the policy.',
      holding: 'managed',
      since: '2026-01-31T09:05:00Z',
      next: 'Correct the violations in a new snapshot and release that.',
    },
    {
      title: 'after it violated several rules',
      conditions: [failed, valid, ...skipped, managed('Failed')],
      definitions: plain,
      evidence: { violations: [unmet, unmet] },
      state: 'failed',
      headline: 'The managed pipeline failed: the snapshot violates 2 rules of the policy.',
      holding: 'managed',
      since: '2026-01-31T09:05:00Z',
      next: 'Correct the violations in a new snapshot and release that.',
    },
    {
      title: 'after it failed for a reason of no stage',
      conditions: [{ ...failed, message: 'The plan was deleted.' }, valid],
      definitions: plain,
      state: 'failed',
      headline: 'The release failed: The plan was deleted.',
      since: '2026-01-31T09:09:00Z',
      next: 'Correct what made it fail, then re-run this release. The managed pipeline was not reached.',
    },
  ])('$title', ({ conditions, status, definitions, evidence, state, headline, holding, since, next }) => {
    const explained = explainRelease(releaseWith(conditions, status), definitions, evidence)
    expect(explained).toMatchObject({ state, headline, since, next })
    expect(explained.holding?.name).toBe(holding)
  })

  it('whatever its status contains', () => {
    const broken = { metadata: {}, status: { conditions: [{}], managedProcessing: [] } } as never
    expect(explainRelease(broken).headline).toBe('The release service has not picked up this release yet.')
  })
})
