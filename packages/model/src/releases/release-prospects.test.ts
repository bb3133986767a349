import type { Condition } from '@slipway/kube/object'
import { describe, expect, it, test } from 'vitest'
import { copiedPacKey, labels } from '../labels'
import { aRelease, condition, type Overrides } from '../testing'
import { aReleasePlan, aSnapshot } from '../testing/tests-and-releases'
import type { Release } from './release'
import type { ReleasePlan } from './release-plan'
import { type Outlook, releaseProspects } from './release-prospects'
import type { Snapshot } from '../snapshots/snapshot'

const tested = (status: Condition['status'], reason = 'Finished'): Condition[] => [
  condition('AppStudioTestSucceeded', status),
  condition('AppStudioIntegrationStatus', 'True', reason),
]
const passed = tested('True')
const autoReleased = (message: string, status: Condition['status'] = 'True'): Condition => ({
  ...condition('AutoReleased', status),
  message,
})
const released = (status: Condition['status'], reason: string, ...others: Condition[]): Release['status'] => ({
  conditions: [condition('Released', status, reason), ...others],
})

const pullRequest = {
  [copiedPacKey(labels.eventType)]: 'pull_request',
  [copiedPacKey(labels.pullRequestNumber)]: '7',
}
const manual = { [labels.autoRelease]: 'false' }
const matched = { releasePlanAdmission: { name: 'release-managed/prod', active: true } }
const blocked = { releasePlanAdmission: { name: 'release-managed/prod', active: false } }
const pipeline = {
  pipelineRef: { resolver: 'git', params: [{ name: 'url', value: 'https://git.slipway.test/pipelines' }] },
}
const unattributed = { [labels.standingAttribution]: 'false', [labels.author]: undefined }

interface Case {
  title: string
  snapshot?: { labels?: Record<string, string>; conditions?: Condition[] }
  plan?: Overrides<ReleasePlan>
  releases?: Overrides<Release>[]
  outlook: Outlook
  reasons?: string[]
  next?: string
  canTrigger?: boolean
}

const noAdmission = 'No admission in release-managed accepts this plan.'
const isBlocked = 'The admission release-managed/prod blocks all releases.'
const unmerged = 'The changes in this snapshot have not been merged.'
const untested = 'Required tests have not ended.'
const failing = 'Required tests have not passed.'
const repair = 'Correct them or run them again, or trigger the release.'
const late = 'The plan was not automatic when this snapshot was processed, or the release has been deleted.'

describe('a snapshot has prospects of being released', () => {
  test.each<Case>([
    // What has been released already.
    {
      title: 'released',
      releases: [{ status: released('True', 'Succeeded') }],
      outlook: 'Released',
      reasons: ['The release succeeded: it passed validation.'],
    },
    {
      title: 'being released',
      releases: [{ status: released('False', 'Progressing', condition('Validated', 'True')) }],
      outlook: 'Releasing',
      reasons: ['The tenant collectors have not started yet.'],
    },
    {
      title: 'not picked up by the release service',
      releases: [{}],
      outlook: 'Releasing',
      reasons: ['The release service has not picked up this release yet.'],
    },
    {
      title: 'failed to release',
      releases: [{ status: released('False', 'Failed', condition('ManagedPipelineProcessed', 'False', 'Failed')) }],
      outlook: 'Failed',
      reasons: ['The managed pipeline failed.'],
      next: 'Correct the cause, then re-run it.',
    },
    {
      title: 'released after a failure',
      releases: [
        { metadata: { creationTimestamp: '2026-01-31T10:00:00Z' }, status: released('True', 'Succeeded') },
        { metadata: { creationTimestamp: '2026-01-31T09:00:00Z' }, status: released('False', 'Failed') },
      ],
      outlook: 'Released',
      reasons: ['The release succeeded: it passed validation.'],
    },
    {
      title: 'releases of other snapshots, plans and namespaces do not count',
      plan: { metadata: { labels: manual } },
      releases: [
        { spec: { snapshot: 'other' }, status: released('True', 'Succeeded') },
        { spec: { releasePlan: 'other' }, status: released('True', 'Succeeded') },
        { metadata: { namespace: 'other' }, status: released('True', 'Succeeded') },
      ],
      outlook: 'Manual',
      reasons: ['Users trigger its releases.'],
      canTrigger: true,
    },
    // What a plan allows.
    {
      title: 'no admission',
      plan: { metadata: { labels: manual }, status: { releasePlanAdmission: {} } },
      outlook: 'Blocked',
      reasons: [noAdmission],
      next: 'Ask the owners of release-managed to create one.',
    },
    {
      title: 'no admission and failed tests',
      snapshot: { conditions: tested('False') },
      plan: { status: { releasePlanAdmission: {} } },
      outlook: 'Blocked',
      reasons: [noAdmission, failing],
      next: 'Ask the owners of release-managed to create one.',
    },
    {
      title: 'a blocked admission',
      plan: { status: blocked },
      outlook: 'Blocked',
      reasons: [isBlocked],
      next: 'Ask the owners of release-managed to unblock it.',
    },
    {
      title: 'no pipeline and no target',
      plan: { spec: { target: undefined }, status: { releasePlanAdmission: {} } },
      outlook: 'Blocked',
      reasons: ['The plan has neither a pipeline nor a target.'],
      next: 'Edit the release plan.',
    },
    {
      title: 'a pipeline of its own',
      plan: { metadata: { labels: manual }, spec: { target: undefined, tenantPipeline: pipeline }, status: {} },
      outlook: 'Manual',
      reasons: ['Users trigger its releases.'],
      canTrigger: true,
    },
    {
      title: 'a pipeline of its own in the older shape, in its own namespace',
      plan: {
        metadata: { labels: manual },
        spec: { target: 'team-payments', pipelineRef: pipeline.pipelineRef },
        status: {},
      },
      outlook: 'Manual',
      reasons: ['Users trigger its releases.'],
      canTrigger: true,
    },
    {
      title: 'its own namespace as the target, but no pipeline',
      plan: { spec: { target: 'team-payments' }, status: {} },
      outlook: 'Blocked',
      reasons: ['No admission in team-payments accepts this plan.'],
      next: 'Ask the owners of team-payments to create one.',
    },
    // What prevents an automatic release.
    {
      title: 'no standing attribution',
      plan: { metadata: { labels: unattributed } },
      outlook: 'Held back',
      reasons: ['The plan has no standing attribution, which automatic releases need.'],
      next: 'Enable standing attribution in the plan, or trigger the release.',
      canTrigger: true,
    },
    {
      title: 'an author without standing attribution',
      plan: { metadata: { labels: { [labels.standingAttribution]: 'false' } } },
      outlook: 'Waiting',
      reasons: ['Its required tests have passed.'],
      next: 'It is about to be released.',
      canTrigger: true,
    },
    {
      title: 'a pull request',
      snapshot: { labels: pullRequest },
      outlook: 'Held back',
      reasons: [unmerged],
      next: 'Merge them, or trigger the release.',
      canTrigger: true,
    },
    {
      title: 'a group of pull requests',
      snapshot: { labels: { ...pullRequest, [labels.snapshotType]: 'group' }, conditions: tested('False') },
      outlook: 'Held back',
      reasons: [unmerged, failing],
      next: 'Merge them, or trigger the release.',
      canTrigger: true,
    },
    {
      title: 'a pull request with a plan that is not automatic',
      snapshot: { labels: pullRequest },
      plan: { metadata: { labels: manual } },
      outlook: 'Manual',
      reasons: ['Users trigger its releases.'],
      canTrigger: true,
    },
    {
      title: 'an excluded snapshot',
      snapshot: { labels: { [labels.autoRelease]: 'false' } },
      outlook: 'Held back',
      reasons: ['The snapshot is excluded from automatic releases by its label auto-release.'],
      next: 'Trigger the release.',
      canTrigger: true,
    },
    // What the tests say.
    {
      title: 'failed tests',
      snapshot: { conditions: tested('False') },
      outlook: 'Held back',
      reasons: [failing],
      next: repair,
      canTrigger: true,
    },
    {
      title: 'cancelled tests',
      snapshot: { conditions: tested('Unknown', 'Canceled') },
      outlook: 'Held back',
      reasons: ['Its tests were cancelled.'],
      next: repair,
      canTrigger: true,
    },
    {
      title: 'an invalid snapshot',
      snapshot: {
        conditions: [{ ...condition('AppStudioIntegrationStatus', 'False', 'Invalid'), message: 'No image.' }],
      },
      outlook: 'Held back',
      reasons: ['The snapshot is invalid: No image.'],
      next: 'Create a new snapshot.',
      canTrigger: true,
    },
    {
      title: 'running tests',
      snapshot: { conditions: [condition('AppStudioIntegrationStatus', 'Unknown', 'InProgress')] },
      outlook: 'Waiting',
      reasons: [untested],
      next: 'It is released automatically once they have passed.',
      canTrigger: true,
    },
    {
      title: 'no tests yet',
      snapshot: { conditions: [] },
      outlook: 'Waiting',
      reasons: [untested],
      next: 'It is released automatically once they have passed.',
      canTrigger: true,
    },
    {
      title: 'passed tests',
      outlook: 'Waiting',
      reasons: ['Its required tests have passed.'],
      next: 'It is about to be released.',
      canTrigger: true,
    },
    // What the integration service has decided.
    {
      title: 'a newer snapshot',
      snapshot: { conditions: [...passed, autoReleased('Released in newer Snapshot')] },
      outlook: 'Held back',
      reasons: ['A newer snapshot was released instead.'],
      next: 'Trigger the release.',
      canTrigger: true,
    },
    {
      title: 'a plan that is newer than the decision',
      snapshot: { conditions: [...passed, autoReleased('The Snapshot was auto-released')] },
      plan: { metadata: { creationTimestamp: '2026-02-01T00:00:00Z' } },
      outlook: 'Held back',
      reasons: ['The plan was created after this snapshot was processed.'],
      next: 'Trigger the release.',
      canTrigger: true,
    },
    {
      title: 'a release that has been deleted',
      snapshot: { conditions: [...passed, autoReleased('The Snapshot was auto-released')] },
      plan: { metadata: { creationTimestamp: '2026-01-01T00:00:00Z' } },
      outlook: 'Held back',
      reasons: [late],
      next: 'Trigger the release.',
      canTrigger: true,
    },
    {
      title: 'an error of the integration service',
      snapshot: { conditions: [...passed, autoReleased('Failed to create a Release', 'False')] },
      outlook: 'Waiting',
      reasons: ['The integration service reports: Failed to create a Release'],
      canTrigger: true,
    },
  ])('$title', ({ snapshot = {}, plan = {}, releases = [], outlook, reasons = [], next, canTrigger = false }) => {
    const own = aSnapshot({
      metadata: { name: 'shop-1', labels: snapshot.labels ?? {} },
      status: { conditions: snapshot.conditions ?? passed },
    })
    const [prospect, ...others] = releaseProspects(
      own,
      [aReleasePlan({ status: matched, ...plan })],
      releases.map((each) => aRelease({ ...each, spec: { snapshot: 'shop-1', ...each.spec } })),
    )
    expect(others).toEqual([])
    expect(prospect).toMatchObject({ outlook, reasons, next, canTrigger })
  })

  it('with every plan of its application that is not being deleted, by name', () => {
    const plan = (name: string, more: Overrides<ReleasePlan> = {}) =>
      aReleasePlan({ ...more, metadata: { name, ...more.metadata } })
    const plans = [
      plan('b'),
      plan('a', { metadata: { labels: manual } }),
      plan('gone', { metadata: { deletionTimestamp: '2026-01-31T09:00:00Z' } }),
      plan('other', { spec: { application: 'other' } }),
      { metadata: { name: 'empty' } } as ReleasePlan,
    ]
    const prospects = releaseProspects(aSnapshot(), plans, [])
    expect(prospects.map(({ plan: name, isAutomatic }) => [name, isAutomatic])).toEqual([
      ['a', false],
      ['b', true],
    ])
  })

  it('that are unknown without its releases', () => {
    const [prospect] = releaseProspects(aSnapshot(), [aReleasePlan()], undefined)
    expect(prospect).toMatchObject({ outlook: 'Unknown', reasons: ['Its releases could not be read.'] })
  })

  test.each<[string, Overrides<ReleasePlan>, unknown]>([
    ['matched', { status: matched }, { name: 'release-managed/prod', isBlocked: false }],
    ['blocked', { status: blocked }, { name: 'release-managed/prod', isBlocked: true }],
    ['an empty reference', { status: { releasePlanAdmission: {} } }, 'Not Matched'],
    ['no status', {}, 'Not Matched'],
    ['no target', { spec: { target: undefined, tenantPipeline: pipeline } }, undefined],
  ])('with an admission that is known from the plan: %s', (_, plan, admission) => {
    const [prospect] = releaseProspects(aSnapshot(), [aReleasePlan(plan)], [])
    expect(prospect?.admission).toEqual(admission)
  })

  it('whatever a snapshot contains', () => {
    const broken = { metadata: { name: 'x' } } as Snapshot
    const plan = aReleasePlan({ spec: { application: undefined } })
    expect(releaseProspects(broken, [plan], [{ metadata: {} } as Release])).toHaveLength(1)
  })
})
