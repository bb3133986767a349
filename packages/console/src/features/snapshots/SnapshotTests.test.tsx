import type { KubeObject } from '@slipway/kube/object'
import { annotations, copiedPacKey, labels } from '@slipway/model/labels'
import { type PipelineRun, pipelineRunType } from '@slipway/model/runs/pipeline-run'
import type { IntegrationTestScenario } from '@slipway/model/snapshots/integration-test-scenario'
import { type Snapshot, snapshotType } from '@slipway/model/snapshots/snapshot'
import { anApplication, aPipelineRun, aTaskRun, condition } from '@slipway/model/testing'
import { anIntegrationTestScenario, aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { describe, expect, it } from 'vitest'
import { namespace } from '../../../test/cluster'
import { grantTo } from '../../../test/grant-to'
import { ended, putPod } from '../../../test/pod-logs'
import { renderRoute } from '../../../test/render-route'
import { seeTooltip } from '../../../test/tooltip'
import { paths } from '../../paths'

const at = { namespace, application: 'checkout', snapshot: 'shop-1' }
const page = paths.snapshot(at)
const application = anApplication()

const snapshotWith = (reports: unknown = [], marks: Record<string, string> = {}): Snapshot =>
  aSnapshot({
    metadata: {
      name: 'shop-1',
      labels: marks,
      annotations: { [annotations.testStatus]: typeof reports === 'string' ? reports : JSON.stringify(reports) },
    },
    status: { conditions: [condition('AppStudioIntegrationStatus', 'Unknown', 'InProgress')] },
  })
const report = (scenario: string, status: string, more: object = {}) => ({
  scenario,
  status,
  details: `${scenario}: ${status}`,
  testPipelineRunName: `${scenario}-1`,
  startTime: '2026-01-31T09:00:00Z',
  ...more,
})
const test = (name: string, more: Parameters<typeof anIntegrationTestScenario>[0] = {}): IntegrationTestScenario =>
  anIntegrationTestScenario({ ...more, metadata: { name, ...more.metadata } })
const optional = { metadata: { labels: { [labels.optional]: 'true' } } }
const run = (name: string, scenario: string, status: 'True' | 'False' | 'Unknown', reason?: string): PipelineRun =>
  aPipelineRun({
    metadata: {
      name,
      labels: { [labels.pipelineType]: 'test', [labels.scenario]: scenario, [labels.snapshot]: 'shop-1' },
    },
    status: {
      startTime: '2026-01-31T09:00:00Z',
      ...(status !== 'Unknown' && { completionTime: '2026-01-31T09:02:00Z' }),
      conditions: [condition('Succeeded', status, reason)],
    },
  })

const section = async () => within(await screen.findByRole('region', { name: 'Integration tests' }))
const rowOf = async (name: string) => {
  const header = await screen.findByRole('rowheader', { name: new RegExp(`^${name}( |$)`) })
  return within(header.closest('tr') ?? expect.fail('a header outside of a row'))
}

describe('the integration tests of a snapshot', () => {
  it('ITS-21, ITS-22 have their status, duration and run, and say what a release is waiting for', async () => {
    await renderRoute(page, {
      objects: [
        application,
        snapshotWith([report('unit', 'TestPassed'), report('lint', 'TestFail'), report('slow', 'InProgress')]),
        test('unit'),
        test('lint', optional),
        test('slow'),
        test('e2e', { metadata: { annotations: { [annotations.testKind]: 'enterprise-contract' } } }),
        test('groups', { spec: { contexts: [{ name: 'group' }] } }),
        test('other', { spec: { application: 'another' } }),
        run('unit-1', 'unit', 'True'),
        run('slow-1', 'slow', 'Unknown', 'Running'),
      ],
    })
    const tests = await section()
    expect(
      await tests.findByText(
        '1 of 3 required tests passed; e2e has not started: its pipeline run has not been created yet; slow is running.',
      ),
    ).toBeVisible()
    const names = tests.getAllByRole('rowheader').map((cell) => cell.querySelector('a')?.textContent)
    expect(names).toEqual(['e2e', 'lint', 'slow', 'unit'])
    const unit = await rowOf('unit')
    expect(unit.getByText('Succeeded')).toBeVisible()
    expect(unit.getByText('Required')).toBeVisible()
    expect(unit.getByText('2m')).toBeInTheDocument()
    expect(unit.getByRole('link', { name: 'unit-1' })).toHaveAttribute(
      'href',
      paths.pipelineRun({ ...at, pipelineRun: 'unit-1' }),
    )
    expect(unit.getByRole('link', { name: 'unit' })).toHaveAttribute(
      'href',
      paths.integrationTest({ ...at, integrationTest: 'unit' }),
    )
    expect((await rowOf('lint')).getByText('Optional')).toBeVisible()
    expect((await rowOf('lint')).getByText('lint: TestFail')).toBeVisible()
    expect((await rowOf('slow')).getByText('Running')).toBeVisible()
    expect((await rowOf('e2e')).getByText('Enterprise contract')).toBeVisible()
    const { violations } = await axe.run(screen.getByRole('main'), { rules: { 'color-contrast': { enabled: false } } })
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  })

  it('link to the line of the log at which they failed', async () => {
    const taskRun = aTaskRun({
      metadata: { name: 'unit-1-run', labels: { [labels.pipelineRun]: 'unit-1', [labels.pipelineTask]: 'run' } },
      status: {
        podName: 'unit-pod',
        conditions: [condition('Succeeded', 'False', 'Failed')],
        steps: [{ name: 'run', container: 'step-run', ...ended(1) }],
      },
    })
    const { cluster, router } = await renderRoute(paths.about(), {
      objects: [
        application,
        snapshotWith([report('unit', 'TestFail')]),
        test('unit'),
        run('unit-1', 'unit', 'False'),
        taskRun,
      ],
    })
    await putPod(cluster.system, 'unit-pod', {
      'step-run': { state: ended(1), log: 'fine\nfine\nerror: expected 1, got 2\nbye\n' },
    })
    await router.navigate(page)
    const unit = await rowOf('unit')
    const logs = paths.pipelineRunLogs({ ...at, pipelineRun: 'unit-1' })
    await waitFor(() =>
      expect(unit.getByRole('link', { name: 'Task run failed in step run' })).toHaveAttribute(
        'href',
        `${logs}?task=run#Lrun:3`,
      ),
    )
    expect(screen.getByText('0 of 1 required test passed; unit failed.')).toBeVisible()
  })

  it('name the rule of the policy that holds the snapshot back', async () => {
    const rule = (title: string) => ({ msg: `${title}?`, metadata: { title } })
    const policyReport = {
      components: [
        { name: 'api', violations: [rule('Tasks are pinned'), rule('Signed')] },
        { name: 'web', violations: [rule('Tasks are pinned')] },
      ],
    }
    const verify = aTaskRun({
      metadata: { name: 'ec-1-check', labels: { [labels.pipelineRun]: 'ec-1', [labels.pipelineTask]: 'check' } },
      status: {
        podName: 'ec-pod',
        conditions: [condition('Succeeded', 'False', 'Failed')],
        steps: [
          { name: 'report-json', container: 'step-report-json', ...ended(0) },
          { name: 'assert', container: 'step-assert', ...ended(1) },
        ],
      },
    })
    const { cluster, router } = await renderRoute(paths.about(), {
      objects: [application, snapshotWith([report('ec', 'TestFail')]), test('ec'), run('ec-1', 'ec', 'False'), verify],
    })
    await putPod(cluster.system, 'ec-pod', {
      'step-report-json': { state: ended(0), log: JSON.stringify(policyReport) },
      'step-assert': { state: ended(1), log: 'false\n' },
    })
    await router.navigate(page)
    const ec = await rowOf('ec')
    expect(await ec.findByRole('link', { name: 'Tasks are pinned' })).toHaveAttribute(
      'href',
      paths.taskRunSecurity({ ...at, taskRun: 'ec-1-check' }),
    )
    expect(ec.getByText(/^api, web violate the rule/, { selector: 'td' })).toHaveTextContent(
      'api, web violate the rule Tasks are pinned and 1 more rule of the policy',
    )
  })

  it('link to the task that reports failed tests although its run succeeded', async () => {
    const output = [{ name: 'TEST_OUTPUT', value: JSON.stringify({ result: 'FAILURE', failures: 1 }) }]
    await renderRoute(page, {
      objects: [
        application,
        snapshotWith([report('unit', 'TestFail')]),
        test('unit'),
        run('unit-1', 'unit', 'True'),
        aTaskRun({
          metadata: { name: 'unit-1-run', labels: { [labels.pipelineRun]: 'unit-1', [labels.pipelineTask]: 'check' } },
          status: { conditions: [condition('Succeeded', 'True')], results: output },
        }),
      ],
    })
    const unit = await rowOf('unit')
    expect(unit.getByText('Failed')).toBeVisible()
    expect(await unit.findByRole('link', { name: 'Task check failed' })).toHaveAttribute(
      'href',
      `${paths.pipelineRunLogs({ ...at, pipelineRun: 'unit-1' })}?task=check`,
    )
  })

  it('say why a run has not started', async () => {
    const waiting: PipelineRun = { ...run('unit-1', 'unit', 'Unknown'), status: {} }
    await renderRoute(page, {
      objects: [
        application,
        snapshotWith([report('unit', 'InProgress')]),
        test('unit'),
        waiting,
        aTaskRun({
          metadata: { name: 'unit-1-run', labels: { [labels.pipelineRun]: 'unit-1', [labels.pipelineTask]: 'run' } },
          status: { startTime: undefined, conditions: [condition('Succeeded', 'Unknown', 'ExceededResourceQuota')] },
        }),
      ],
    })
    const reason = 'quota of this namespace is used up. It starts when other work ends.'
    expect(await screen.findByText(`0 of 1 required test passed; unit has not started: the ${reason}`)).toBeVisible()
    expect((await rowOf('unit')).getByText(`The ${reason}`)).toBeVisible()
  })

  it('of unmerged changes say that these are not released', async () => {
    const event = { [copiedPacKey(labels.eventType)]: 'pull_request', [copiedPacKey(labels.pullRequestNumber)]: '7' }
    await renderRoute(page, {
      objects: [application, snapshotWith([report('unit', 'TestPassed')], event), test('unit')],
    })
    expect(
      await screen.findByText(
        'The required test passed. Its changes have not been merged, so it is not released automatically.',
      ),
    ).toBeVisible()
  })

  it('RUN-23 are run again by a label, one at a time, and follow the new run', async () => {
    const { cluster, user } = await renderRoute(page, {
      objects: [
        application,
        snapshotWith([report('unit', 'TestFail')]),
        test('unit'),
        test('e2e'),
        run('unit-1', 'unit', 'False'),
      ],
    })
    await rowOf('e2e')
    await user.click(screen.getByRole('button', { name: 'Actions for e2e' }))
    expect(await screen.findByRole('menuitem', { name: 'Run on this snapshot' })).toBeVisible()
    await user.keyboard('{Escape}')
    await user.click(screen.getByRole('button', { name: 'Actions for unit' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Rerun' }))
    expect(await screen.findByText('Run of unit requested. It appears here when it starts.')).toBeVisible()
    const { metadata } = await cluster.system.get(snapshotType, 'shop-1', { namespace })
    expect(metadata.labels).toMatchObject({ [labels.rerun]: 'unit', [labels.component]: 'checkout-api' })
    await user.click(screen.getByRole('button', { name: 'Actions for e2e' }))
    await seeTooltip(
      user,
      await screen.findByRole('menuitem', { name: 'Run on this snapshot' }),
      'A rerun has already been requested',
    )
    const again = run('unit-2', 'unit', 'Unknown', 'Running')
    await cluster.system.create(pipelineRunType, {
      ...again,
      metadata: { ...again.metadata, namespace },
      status: undefined,
    })
    expect(await (await rowOf('unit')).findByRole('link', { name: 'unit-2' })).toBeVisible()
    expect((await rowOf('unit')).queryByText('Failed')).not.toBeInTheDocument()
  })

  it('cannot be run without access', async () => {
    const reader = grantTo({ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch'] })
    const { user } = await renderRoute(page, {
      as: 'outsider',
      objects: [application, snapshotWith(), test('unit'), ...reader],
    })
    await rowOf('unit')
    await user.click(screen.getByRole('button', { name: 'Actions for unit' }))
    await seeTooltip(
      user,
      await screen.findByRole('menuitem', { name: 'Run on this snapshot' }),
      "You don't have access to rerun",
    )
  })

  it('that were reported are shown although their definitions cannot be read, without a verdict', async () => {
    const { cluster, router } = await renderRoute(paths.about(), {
      objects: [application, snapshotWith([report('unit', 'TestPassed')]), test('unit'), test('e2e')],
    })
    cluster.faults.intercept((path) =>
      path.includes('/integrationtestscenarios?')
        ? Response.json({ message: 'no tests for you' }, { status: 403 })
        : undefined,
    )
    await screen.findByRole('heading', { name: 'About Slipway' })
    await router.navigate(page)
    expect((await rowOf('unit')).getByText('Succeeded')).toBeVisible()
    const tests = await section()
    expect(tests.getByText(/no tests for you/)).toBeVisible()
    expect(tests.queryByText(/required/)).not.toBeInTheDocument()
  })

  it.each(['{', 'null', '[7, {"scenario": {}}]'])('survive the report %j', async (reports) => {
    await renderRoute(page, { objects: [application, snapshotWith(reports), test('unit')] })
    expect((await rowOf('unit')).getByText('PipelineNotStarted')).toBeVisible()
  })

  it('are shown beside a test that an older version of its API has stored without a spec', async () => {
    const bare = { ...test('bare'), spec: undefined } as unknown as KubeObject
    await renderRoute(page, {
      objects: [application, snapshotWith([report('unit', 'TestPassed')]), test('unit'), bare],
    })
    expect((await rowOf('unit')).getByText('Succeeded')).toBeVisible()
    expect(screen.queryByRole('rowheader', { name: /bare/ })).not.toBeInTheDocument()
  })

  it('are added if there are none', async () => {
    await renderRoute(page, { objects: [application, snapshotWith()] })
    const tests = await section()
    expect(await tests.findByText('No integration test applies to this snapshot.')).toBeVisible()
    expect(tests.getByRole('link', { name: 'Add integration test' })).toHaveAttribute(
      'href',
      paths.addIntegrationTest(at),
    )
  })
})
