import type { Condition } from '@slipway/kube/object'
import { describe, expect, it, test } from 'vitest'
import { aRelease, condition } from '../testing'
import { aReleasePlan, aReleasePlanAdmission } from '../testing/tests-and-releases'
import type { Release } from './release'
import {
  isNeeded,
  type ReleaseDefinitions,
  stageNames,
  type StageName,
  type StageState,
  stagesOf,
} from './release-stages'

const types: Record<StageName, string> = {
  validation: 'Validated',
  tenantCollectors: 'TenantCollectorsPipelineProcessed',
  managedCollectors: 'ManagedCollectorsPipelineProcessed',
  tenant: 'TenantPipelineProcessed',
  managed: 'ManagedPipelineProcessed',
  final: 'FinalPipelineProcessed',
}

type Reason = 'Progressing' | 'Succeeded' | 'Failed' | 'Skipped'
/** As the release service writes it. */
const written = (type: string, reason: Reason): Condition =>
  condition(type, reason === 'Succeeded' || reason === 'Skipped' ? 'True' : 'False', reason)

type Status = NonNullable<Release['status']>
const releaseWith = (conditions: Condition[] | undefined, status: Status = {}): Release =>
  aRelease({ status: { ...status, ...(conditions && { conditions }) } })

const statesOf = (release: Release, definitions?: ReleaseDefinitions): string =>
  stagesOf(release, definitions)
    .map(({ state }) => state)
    .join(', ')

/** Conditions of the stages in their order, as one letter each: `-` is a stage without a condition. */
const letters: Record<string, Reason> = { P: 'Progressing', S: 'Succeeded', F: 'Failed', K: 'Skipped' }
const conditionsOf = (released: Reason | undefined, stages: string): Condition[] => [
  ...(released ? [written('Released', released)] : []),
  ...stageNames.flatMap((name, index) => {
    const reason = letters[stages.charAt(index)]
    return reason ? [written(types[name], reason)] : []
  }),
]

describe('the stages of a release', () => {
  const W = 'Waiting'
  const R = 'Running'
  const S = 'Succeeded'
  const F = 'Failed'
  const N = 'Not needed'
  const X = 'Not reached'
  const U = 'Unknown'
  test.each<[string, Reason | undefined, string, StageState[]]>([
    ['not picked up', undefined, '------', [W, W, W, W, W, W]],
    ['validated but not started', undefined, 'S-----', [S, W, W, W, W, W]],
    ['being validated', 'Progressing', '------', [R, W, W, W, W, W]],
    ['being validated, as a condition says', 'Progressing', 'P-----', [R, W, W, W, W, W]],
    ['valid', 'Progressing', 'S-----', [S, W, W, W, W, W]],
    ['collecting', 'Progressing', 'SP----', [S, R, W, W, W, W]],
    ['collecting in the managed namespace', 'Progressing', 'SSP---', [S, S, R, W, W, W]],
    ['in its tenant pipeline', 'Progressing', 'SKKP--', [S, N, N, R, W, W]],
    ['between two pipelines', 'Progressing', 'SKKS--', [S, N, N, S, W, W]],
    ['in its managed pipeline', 'Progressing', 'SKKKP-', [S, N, N, N, R, W]],
    ['in its final pipeline', 'Progressing', 'SSSSSP', [S, S, S, S, S, R]],
    ['completed in a moment', 'Progressing', 'SKKKSK', [S, N, N, N, S, N]],
    ['released', 'Succeeded', 'SSSSSS', [S, S, S, S, S, S]],
    ['released by its managed pipeline alone', 'Succeeded', 'SKKKSK', [S, N, N, N, S, N]],
    ['released by a service that wrote fewer conditions', 'Succeeded', '----S-', [S, N, N, N, S, N]],
    ['released without any other condition', 'Succeeded', '------', [S, N, N, N, N, N]],
    ['not valid', 'Failed', 'F-----', [F, X, X, X, X, X]],
    ['no longer valid after a pipeline', 'Failed', 'FKKS--', [F, N, N, S, X, X]],
    ['failed when it collected', 'Failed', 'SFKKKK', [S, F, X, X, X, X]],
    ['failed when it collected in the managed namespace', 'Failed', 'SKFKKK', [S, N, F, X, X, X]],
    ['failed in its tenant pipeline', 'Failed', 'SKKFKK', [S, N, N, F, X, X]],
    ['failed in its managed pipeline', 'Failed', 'SKKKFK', [S, N, N, N, F, X]],
    ['failed in its managed pipeline, with no later condition', 'Failed', 'SKKKF-', [S, N, N, N, F, X]],
    ['failed in its final pipeline', 'Failed', 'SSSSSF', [S, S, S, S, S, F]],
    ['failed without a reason', 'Failed', '------', [U, X, X, X, X, X]],
    ['failed while a pipeline is said to be running', 'Failed', 'SKKKP-', [S, N, N, N, U, X]],
  ])('of one that is %s', (_, released, stages, expected) => {
    expect(statesOf(releaseWith(conditionsOf(released, stages)))).toBe(expected.join(', '))
  })

  describe.each(stageNames)('%s', (name) => {
    const isFirst = name === 'validation'
    const outcomes = ['Progressing', 'Succeeded', 'Failed'] as const
    const cases: [Condition | undefined, Record<(typeof outcomes)[number], StageState>][] = [
      [written(types[name], 'Succeeded'), { Progressing: S, Succeeded: S, Failed: S }],
      [written(types[name], 'Failed'), { Progressing: F, Succeeded: F, Failed: F }],
      [written(types[name], 'Skipped'), { Progressing: N, Succeeded: N, Failed: N }],
      [written(types[name], 'Progressing'), { Progressing: R, Succeeded: isFirst ? R : U, Failed: isFirst ? R : U }],
      [
        condition(types[name], 'Unknown', 'Progressing'),
        { Progressing: R, Succeeded: isFirst ? R : U, Failed: isFirst ? R : U },
      ],
      [condition(types[name], 'True', 'Invented'), { Progressing: S, Succeeded: S, Failed: S }],
      [condition(types[name], 'False', 'Invented'), { Progressing: U, Succeeded: U, Failed: U }],
      [condition(types[name], 'Unknown', 'Failed'), { Progressing: U, Succeeded: U, Failed: U }],
      [
        { type: types[name], status: 'False' },
        { Progressing: U, Succeeded: U, Failed: U },
      ],
      [undefined, isFirst ? { Progressing: R, Succeeded: S, Failed: U } : { Progressing: W, Succeeded: N, Failed: X }],
    ]
    it.each(
      cases.flatMap(([own, expected]) =>
        outcomes.map(
          (outcome) =>
            [
              own ? `${own.status} ${own.reason ?? 'without a reason'}` : 'absent',
              outcome,
              own,
              expected[outcome],
            ] as const,
        ),
      ),
    )('with its condition %s in a release that is %s', (_, outcome, own, expected) => {
      const release = releaseWith([written('Released', outcome), ...(own ? [own] : [])])
      expect(stagesOf(release).find((stage) => stage.name === name)?.state).toBe(expected)
    })
  })

  const started = { startTime: '2026-01-31T09:01:00Z', pipelineRun: 'release-managed/managed-x4k2p' }
  const ended = { ...started, completionTime: '2026-01-31T09:05:00Z' }
  test.each<[string, Reason, Status, StageState]>([
    ['started', 'Progressing', { managedProcessing: started }, R],
    ['ended in a release that has succeeded', 'Succeeded', { managedProcessing: ended }, S],
    ['ended, with an unknown outcome', 'Progressing', { managedProcessing: ended }, U],
    ['ended in a release that has failed', 'Failed', { managedProcessing: ended }, U],
    ['started in a release that has failed', 'Failed', { managedProcessing: started }, U],
    ['nonsense', 'Progressing', { managedProcessing: 7 as never, managedPipelineAttempts: 'no' as never }, W],
    ['nonsense among attempts', 'Progressing', { managedPipelineAttempts: [null as never, started] }, R],
  ])('without a condition follow from their run: %s', (_, released, status, expected) => {
    const stages = stagesOf(releaseWith([written('Released', released)], status))
    expect(stages.find(({ name }) => name === 'managed')?.state).toBe(expected)
    expect(stages[0]?.state).toBe(JSON.stringify(status).includes('startTime') || released === 'Succeeded' ? S : R)
  })

  it('have their times, runs and messages', () => {
    const conditions = conditionsOf('Failed', 'SSSSFK').map((each) =>
      each.type === 'ManagedPipelineProcessed' ? { ...each, message: 'Tasks Completed: 3 (Failed: 1)' } : each,
    )
    const collectorsProcessing = { tenantCollectorsProcessing: { ...ended, pipelineRun: 'team-payments/collect' } }
    const status = { startTime: '2026-01-31T08:59:00Z', managedProcessing: ended, collectorsProcessing }
    const [validation, tenantCollectors, , , managed, final] = stagesOf(releaseWith(conditions, status))
    expect(validation).toMatchObject({ since: '2026-01-31T09:00:00Z', startTime: '2026-01-31T08:59:00Z' })
    expect(tenantCollectors?.run).toEqual({ namespace: 'team-payments', name: 'collect' })
    expect(managed).toEqual({
      name: 'managed',
      state: 'Failed',
      since: '2026-01-31T09:05:00Z',
      startTime: '2026-01-31T09:01:00Z',
      completionTime: '2026-01-31T09:05:00Z',
      run: { namespace: 'release-managed', name: 'managed-x4k2p' },
      message: 'Tasks Completed: 3 (Failed: 1)',
      failedAttempts: [],
    })
    expect(final).toMatchObject({ state: 'Not reached', run: undefined, startTime: undefined })
  })

  it('of a retried managed pipeline are those of its newest attempt', () => {
    const first = { ...ended, pipelineRun: 'release-managed/first', failureReason: 'OOMKill' }
    const second = { ...started, pipelineRun: 'release-managed/second' }
    const status = { managedProcessing: ended, managedPipelineAttempts: [first, second] }
    const stages = stagesOf(releaseWith(conditionsOf('Progressing', 'SKKKP-'), status))
    expect(stages[4]).toMatchObject({
      run: { name: 'second' },
      since: started.startTime,
      completionTime: undefined,
      failedAttempts: [first],
    })
  })
})

describe('a stage', () => {
  const pipeline = {
    pipelineRef: { resolver: 'git', params: [{ name: 'url', value: 'https://git.slipway.test/pipelines' }] },
  }
  const collectors = { items: [{ name: 'jira', type: 'jira', params: [] }] }
  const plan = aReleasePlan()
  const admission = aReleasePlanAdmission()
  const own = aReleasePlan({ spec: { target: undefined, tenantPipeline: pipeline } })
  const matched = aReleasePlan({
    spec: { target: 'team-payments' },
    status: { releasePlanAdmission: { name: 'team-payments/checkout' } },
  })
  test.each<[string, StageName, ReleaseDefinitions, boolean | undefined]>([
    ['validation, always', 'validation', {}, true],
    ['tenant, of an unknown plan', 'tenant', {}, undefined],
    ['tenant, with a pipeline', 'tenant', { plan: own }, true],
    [
      'tenant, in the older shape',
      'tenant',
      { plan: aReleasePlan({ spec: { pipelineRef: pipeline.pipelineRef } }) },
      true,
    ],
    ['tenant, in the shape between', 'tenant', { plan: aReleasePlan({ spec: { pipeline } as object }) }, true],
    ['tenant, of the wrong shape', 'tenant', { plan: aReleasePlan({ spec: { pipelineRef: 'main' as never } }) }, false],
    ['tenant, without a pipeline', 'tenant', { plan }, false],
    ['final, with a pipeline', 'final', { plan: aReleasePlan({ spec: { finalPipeline: pipeline } }) }, true],
    ['final, without a pipeline', 'final', { plan }, false],
    ['tenant collectors', 'tenantCollectors', { plan: aReleasePlan({ spec: { collectors } }) }, true],
    ['no tenant collectors', 'tenantCollectors', { plan }, false],
    [
      'collectors of the wrong shape',
      'tenantCollectors',
      { plan: aReleasePlan({ spec: { collectors: 3 as never } }) },
      false,
    ],
    ['managed, of an unknown admission', 'managed', { plan }, undefined],
    ['managed, with a pipeline', 'managed', { plan, admission }, true],
    [
      'managed, without a pipeline',
      'managed',
      { plan, admission: aReleasePlanAdmission({ spec: { pipeline: undefined } }) },
      false,
    ],
    ['managed, of a plan without a target', 'managed', { plan: own }, false],
    ['managed, in its own namespace', 'managed', { plan: aReleasePlan({ spec: { target: 'team-payments' } }) }, false],
    ['managed, in its own namespace with an admission', 'managed', { plan: matched }, undefined],
    ['managed collectors', 'managedCollectors', { admission: aReleasePlanAdmission({ spec: { collectors } }) }, true],
    ['no managed collectors', 'managedCollectors', { admission }, false],
    ['managed collectors of a plan without a target', 'managedCollectors', { plan: own }, false],
    ['a plan without a spec', 'tenant', { plan: { metadata: {} } as never }, false],
  ])('is needed or not: %s', (_, name, definitions, expected) => {
    expect(isNeeded(name, aRelease(), definitions)).toBe(expected)
  })

  it('that its plan does not define is not waited for', () => {
    const release = releaseWith(conditionsOf('Progressing', 'S-----'))
    expect(statesOf(release, { plan, admission })).toBe(
      'Succeeded, Not needed, Not needed, Not needed, Waiting, Not needed',
    )
  })
})
