import { annotations, copiedPacKey, labels } from '@slipway/model/labels'
import { type PipelineRun, pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { scenarioValidCondition } from '@slipway/model/snapshots/integration-test-scenario'
import { type Snapshot, snapshotType } from '@slipway/model/snapshots/snapshot'
import { anApplication, aPipelineRun, condition } from '@slipway/model/testing'
import { anIntegrationTestScenario, aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { describe, expect, it } from 'vitest'
import { namespace } from '../../../test/cluster'
import { renderRoute } from '../../../test/render-route'
import { seeTooltip } from '../../../test/tooltip'
import { paths } from '../../paths'

const at = { namespace, application: 'shop' }
const list = paths.integrationTests(at)
const page = paths.integrationTest({ ...at, integrationTest: 'e2e' })
const application = anApplication({ metadata: { name: 'shop', namespace } })
const test = (status?: object) =>
  anIntegrationTestScenario({ metadata: { name: 'e2e', namespace }, spec: { application: 'shop' }, ...status })

const snapshot = (name: string, title: string, marks: Record<string, string> = {}): Snapshot =>
  aSnapshot({
    metadata: {
      name,
      namespace,
      labels: { [labels.application]: 'shop', [copiedPacKey(labels.commitSha)]: 'a'.repeat(40), ...marks },
      annotations: { [copiedPacKey(annotations.pacShaTitle)]: title },
    },
    spec: { application: 'shop' },
  })
const ofPullRequest = {
  [copiedPacKey(labels.eventType)]: 'pull_request',
  [copiedPacKey(labels.pullRequestNumber)]: '7',
}

const run = (name: string, tested: string, status: 'True' | 'False' | 'Unknown', startTime: string): PipelineRun =>
  aPipelineRun({
    metadata: {
      name,
      namespace,
      labels: {
        [labels.application]: 'shop',
        [labels.pipelineType]: 'test',
        [labels.scenario]: 'e2e',
        [labels.snapshot]: tested,
      },
    },
    status: {
      startTime,
      ...(status !== 'Unknown' && { completionTime: startTime }),
      conditions: [condition('Succeeded', status)],
    },
  })

const objects = [
  application,
  test(),
  snapshot('shop-1', 'Round prices'),
  snapshot('shop-2', 'Try again', ofPullRequest),
  run('e2e-1', 'shop-1', 'True', '2026-01-01T10:00:00Z'),
  run('e2e-2', 'shop-1', 'False', '2026-01-01T11:00:00Z'),
]

type View = Awaited<ReturnType<typeof renderRoute>>
async function openMenu({ user }: View, item: string) {
  await user.click(await screen.findByRole('button', { name: 'Actions for e2e' }))
  return screen.findByRole('menuitem', { name: item })
}
/** Permissions may become known after the menu has opened. */
async function select(view: View, item: string) {
  const entry = await openMenu(view, item)
  await waitFor(() => expect(entry).not.toHaveAttribute('aria-disabled', 'true'))
  await view.user.click(entry)
}
const dialog = () => screen.findByRole('dialog', { name: 'Run e2e on a snapshot' })
const labelOf = async ({ cluster }: View, name: string) =>
  (await cluster.system.get(snapshotType, name, { namespace })).metadata.labels?.[labels.rerun]
const submit = () => screen.getByRole('button', { name: 'Run test' })
async function runTest({ user }: View) {
  await waitFor(() => expect(submit()).not.toHaveAttribute('aria-disabled', 'true'))
  await user.click(submit())
}
async function choose({ user }: View, option: RegExp) {
  await user.click(await screen.findByRole('button', { name: /^Snapshot (?!Loading)/ }))
  await user.click(await screen.findByRole('option', { name: option }))
}

describe('an integration test', () => {
  it.each([
    ['the list', list],
    ['its page', page],
  ])('RUN-23 is run again from %s, on the snapshot of its latest run, and the new run appears', async (_, path) => {
    const view = await renderRoute(path, { objects })
    expect(await screen.findByText('Failed')).toBeVisible()
    await select(view, 'Rerun')
    expect(await screen.findByText('Rerun requested. A link appears here when it starts.')).toBeVisible()
    expect(await labelOf(view, 'shop-1')).toBe('e2e')
    expect(await labelOf(view, 'shop-2')).toBeUndefined()
    const { status, ...again } = run('e2e-3', 'shop-1', 'Unknown', '2026-01-01T12:00:00Z')
    const created = await view.cluster.system.create(pipelineRunType, again)
    await view.cluster.system.replaceStatus(pipelineRunType, { ...created, status })
    const notices = within(screen.getByRole('list', { name: 'Notices' }))
    expect(await notices.findByRole('link', { name: 'e2e-3' })).toBeVisible()
    expect(await within(screen.getByRole('main')).findByText('Running')).toBeVisible()
    expect(screen.queryByText('Failed')).not.toBeInTheDocument()
  })

  it('is run by actions that follow those to edit and delete it, behind a separator', async () => {
    const view = await renderRoute(list, { objects })
    await openMenu(view, 'Rerun')
    const items = screen.getAllByRole('menuitem').map(({ textContent }) => textContent)
    expect(items).toEqual(['Edit', 'Delete', 'Rerun', 'Run on a snapshot'])
    const afterSeparators = screen.getAllByRole('separator').map((each) => each.nextElementSibling?.textContent)
    expect(afterSeparators).toEqual(['Delete', 'Rerun'])
  })

  it('is run on the snapshot that the user chooses, whose page then shows its result', async () => {
    const view = await renderRoute(list, { objects })
    await select(view, 'Run on a snapshot')
    await dialog()
    // That of the latest run.
    expect(await screen.findByRole('button', { name: /^Snapshot shop-1: Round prices/ })).toBeVisible()
    const { violations } = await axe.run(await dialog(), { rules: { 'color-contrast': { enabled: false } } })
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
    await choose(view, /^shop-2: Try again.*Pull request, created/)
    await runTest(view)
    await waitFor(() => expect(location.pathname).toBe(paths.snapshot({ ...at, snapshot: 'shop-2' })))
    const { metadata } = await view.cluster.system.get(snapshotType, 'shop-2', { namespace })
    expect(metadata.labels).toMatchObject({ ...ofPullRequest, [labels.application]: 'shop', [labels.rerun]: 'e2e' })
    const patches = view.cluster.calls.filter(({ method }) => method === 'PATCH')
    expect(patches.map(({ path }) => path.includes('dryRun=All'))).toEqual([true, false])
    expect(patches[1]?.body).toEqual([
      { op: 'add', path: '/metadata/labels/test.appstudio.openshift.io~1run', value: 'e2e' },
    ])
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    const tests = within(await screen.findByRole('region', { name: 'Integration tests' }))
    expect(await tests.findByRole('link', { name: 'e2e' })).toBeVisible()
    const { status: _, ...started } = run('e2e-3', 'shop-2', 'Unknown', '')
    await view.cluster.system.create(pipelineRunType, started)
    expect(await tests.findByRole('link', { name: 'e2e-3' })).toBeVisible()
  })

  it('that has not run yet is offered the newest snapshot without changes of pull requests', async () => {
    const view = await renderRoute(page, { objects: objects.slice(0, 4) })
    await seeTooltip(view.user, await openMenu(view, 'Rerun'), 'It has no recent run')
    await view.user.click(screen.getByRole('menuitem', { name: 'Run on a snapshot' }))
    expect(await screen.findByRole('button', { name: /^Snapshot shop-1: Round prices/ })).toBeVisible()
  })

  it('is not run on a snapshot for which another run is requested', async () => {
    const busy = snapshot('shop-3', 'Busy', { [labels.rerun]: 'unit' })
    const view = await renderRoute(list, { objects: [...objects, busy] })
    await select(view, 'Run on a snapshot')
    await dialog()
    await choose(view, /^shop-3/)
    expect(await screen.findByText(/^A run on this snapshot has already been requested\./)).toBeVisible()
    expect(submit()).toHaveAttribute('aria-disabled', 'true')
    await choose(view, /^shop-2/)
    await waitFor(() => expect(submit()).not.toHaveAttribute('aria-disabled', 'true'))
  })

  it('is run on another snapshot after that of its latest run has been deleted', async () => {
    const view = await renderRoute(list, {
      objects: [...objects, run('e2e-3', 'gone', 'True', '2026-01-02T10:00:00Z')],
    })
    await select(view, 'Run on a snapshot')
    await dialog()
    expect(await screen.findByRole('button', { name: /^Snapshot shop-1/ })).toBeVisible()
    await choose(view, /^shop-2/)
    await view.cluster.system.delete(snapshotType, 'shop-2', { namespace })
    await view.user.click(submit())
    expect(await screen.findByText(/deleted from the cluster|not found/)).toBeVisible()
    expect(await dialog()).toBeVisible()
  })

  it('cannot be run before there is a snapshot', async () => {
    const view = await renderRoute(list, { objects: objects.slice(0, 2) })
    await select(view, 'Run on a snapshot')
    await dialog()
    await view.user.click(await screen.findByRole('button', { name: /^Snapshot (?!Loading)/ }))
    expect(await screen.findByText('Nothing to choose from')).toBeVisible()
    expect(submit()).toHaveAttribute('aria-disabled', 'true')
  })

  it('says when the snapshots cannot be read, and reads them again', async () => {
    const view = await renderRoute(list, { objects })
    const heal = view.cluster.faults.intercept((path) =>
      path.includes('/snapshots?') ? Response.json({ message: 'no snapshots today' }, { status: 422 }) : undefined,
    )
    await select(view, 'Run on a snapshot')
    expect(await within(await dialog()).findByText(/no snapshots today/)).toBeVisible()
    heal()
    await view.user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('button', { name: /^Snapshot shop-1/ })).toBeVisible()
  })

  it('RUN-21 cannot be run without access', async () => {
    const view = await renderRoute(list, { objects, as: 'contributor' })
    for (const item of ['Rerun', 'Run on a snapshot']) {
      await seeTooltip(view.user, await openMenu(view, item), "You don't have access to rerun")
      await view.user.keyboard('{Escape}')
    }
  })

  it('that the platform does not run says why', async () => {
    const invalid = { ...condition(scenarioValidCondition, 'False', 'Invalid'), message: 'no such application' }
    const view = await renderRoute(list, {
      objects: [application, test({ status: { conditions: [invalid] } }), ...objects.slice(2)],
    })
    await seeTooltip(view.user, await openMenu(view, 'Run on a snapshot'), 'no such application')
  })
})
