import { nameOf, specOf } from '@slipway/kube/object'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { annotations, labels } from '@slipway/model/labels'
import { componentType } from '@slipway/model/builds/component'
import { snapshotType } from '@slipway/model/snapshots/snapshot'
import { aComponent, anApplication, aPipelineRun, condition } from '@slipway/model/testing'
import { aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { namespace } from '../../../test/cluster'
import { grantTo } from '../../../test/grant-to'
import { renderRoute } from '../../../test/render-route'
import { seeTooltip } from '../../../test/tooltip'
import { paths } from '../../paths'

const path = paths.activityTab({ namespace, application: 'checkout', activityTab: 'pipelineruns' })

const aRun = (name: string, isRunning: boolean) =>
  aPipelineRun({
    metadata: { name },
    status: isRunning
      ? { completionTime: undefined, conditions: [condition('Succeeded', 'Unknown', 'Running')] }
      : { conditions: [condition('Succeeded', 'True')] },
  })
const running = ['build-a', 'build-b', 'test-c'].map((name) => aRun(name, true))
const objects = [anApplication(), ...running, aRun('build-done', false)]

async function scene(options: Parameters<typeof renderRoute>[1] = {}) {
  const view = await renderRoute(path, { objects, ...options })
  await screen.findByRole('checkbox', { name: 'Select build-a' })
  const select = async (...names: string[]) => {
    for (const name of names) await view.user.click(screen.getByRole('checkbox', { name: `Select ${name}` }))
  }
  const stopped = async () => {
    const { items } = await view.cluster.system.list(pipelineRunType, { namespace })
    return items.flatMap((run) => (specOf(run).status ? `${nameOf(run)} ${specOf(run).status}` : [])).sort()
  }
  return { ...view, select, stopped }
}
const selection = () => screen.getByRole('group', { name: 'Selected rows' })
const isPatch = (name: string) => (url: string, init?: RequestInit) =>
  init?.method === 'PATCH' && url.includes(`/pipelineruns/${name}`)

describe('selected pipeline runs', () => {
  it('are stopped after one question, each with a dry run, and those that have ended are left as they are', async () => {
    const { user, cluster, select, stopped } = await scene()
    await select('build-a', 'test-c', 'build-done')
    expect(selection()).toHaveTextContent('3 selected')
    await user.click(within(selection()).getByRole('button', { name: 'Stop' }))
    const dialog = within(await screen.findByRole('dialog', { name: /Stop 2 pipeline runs\?/ }))
    expect(dialog.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual(
      expect.arrayContaining(['build-a', 'test-c']),
    )
    expect(dialog.getByText(/Running tasks will finish, then finally tasks will run\./)).toBeVisible()
    expect(dialog.getByText(/1 of the 3 selected cannot be stopped and will be left as they are\./)).toBeVisible()
    expect(await stopped()).toEqual([])
    await user.click(dialog.getByRole('button', { name: 'Stop 2 pipeline runs' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(await stopped()).toEqual(['build-a StoppedRunFinally', 'test-c StoppedRunFinally'])
    const patches = cluster.calls.filter(({ method }) => method === 'PATCH')
    expect(patches.map((call) => call.path.includes('dryRun'))).toEqual(expect.arrayContaining([true, true, false]))
    expect(patches).toHaveLength(4)
    expect(screen.queryByRole('group', { name: 'Selected rows' })).not.toBeInTheDocument()
  })

  it('RUN-22, RUN-23 are rerun after one question, which says what starts, but for those that cannot be', async () => {
    const ended = { conditions: [condition('Succeeded', 'False', 'Failed')] }
    const built = (name: string, event: string) =>
      aPipelineRun({
        metadata: { name, labels: { [labels.component]: 'checkout-api', [labels.eventType]: event } },
        status: ended,
      })
    const tested = (name: string, scenario: string) =>
      aPipelineRun({
        metadata: {
          name,
          labels: { [labels.pipelineType]: 'test', [labels.snapshot]: 'shop-1', [labels.scenario]: scenario },
        },
        status: ended,
      })
    const failed = [built('first', 'push'), built('second', 'push'), built('other', 'pull_request')]
    const { user, cluster } = await renderRoute(path, {
      objects: [
        anApplication(),
        aComponent({ metadata: { name: 'checkout-api', annotations: { note: 'kept' } } }),
        aSnapshot({ metadata: { name: 'shop-1' } }),
        ...failed,
        tested('smoke-1', 'smoke'),
        tested('e2e-1', 'e2e'),
      ],
    })
    await user.click(await screen.findByRole('checkbox', { name: 'Select all 5 shown' }))
    await user.click(within(selection()).getByRole('button', { name: 'Rerun' }))
    const dialog = within(await screen.findByRole('dialog', { name: /Rerun 4 pipeline runs\?/ }))
    const startedBy = (name: string) => dialog.getByRole('rowheader', { name }).closest('tr')
    expect(startedBy('second')).toHaveTextContent('A build of the newest commit of checkout-api')
    expect(startedBy('smoke-1')).toHaveTextContent('All tests of the snapshot shop-1')
    expect(dialog.getByText(/1 of the 5 selected cannot be rerun and will be left as they are\./)).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Rerun 4 pipeline runs' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    const component = await cluster.system.get(componentType, 'checkout-api', { namespace })
    expect(component.metadata.annotations).toMatchObject({
      note: 'kept',
      [annotations.buildRequest]: 'trigger-pac-build',
    })
    const snapshot = await cluster.system.get(snapshotType, 'shop-1', { namespace })
    expect(snapshot.metadata.labels?.[labels.rerun]).toBe('all')
    const patches = cluster.calls.filter(({ method }) => method === 'PATCH')
    expect(patches.map(({ path }) => path.includes('dryRun')).sort()).toEqual([false, false, true, true])
  })

  it('are rerun although the component of another was deleted, which the dialog names', async () => {
    const built = (component: string) =>
      aPipelineRun({
        metadata: { name: component, labels: { [labels.component]: component, [labels.eventType]: 'push' } },
        status: { conditions: [condition('Succeeded', 'False', 'Failed')] },
      })
    const { user, cluster } = await renderRoute(path, {
      objects: [anApplication(), aComponent({ metadata: { name: 'api' } }), built('api'), built('gone')],
    })
    await user.click(await screen.findByRole('checkbox', { name: 'Select all 2 shown' }))
    await user.click(within(selection()).getByRole('button', { name: 'Rerun' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.click(dialog.getByRole('button', { name: 'Rerun 2 pipeline runs' }))
    expect(await dialog.findByText(/^Component gone: /)).toBeVisible()
    const { metadata } = await cluster.system.get(componentType, 'api', { namespace })
    expect(metadata.annotations?.[annotations.buildRequest]).toBe('trigger-pac-build')
  })

  it('are cancelled but for the one that is refused, which the dialog names and sends again', async () => {
    const { user, cluster, select, stopped } = await scene()
    const heal = cluster.faults.intercept((url, init) =>
      isPatch('build-b')(url, init) ? Response.json({ message: 'a webhook says no' }, { status: 422 }) : undefined,
    )
    await select('build-a', 'build-b')
    await user.click(within(selection()).getByRole('button', { name: 'Cancel' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/Running tasks are interrupted, then finally tasks will run\./)).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Cancel 2 pipeline runs' }))
    expect(await dialog.findByText('PipelineRun build-b: a webhook says no')).toBeVisible()
    expect(dialog.getByText(/Succeeded: PipelineRun build-a\. Failed:/)).toBeVisible()
    expect(await stopped()).toEqual(['build-a CancelledRunFinally'])
    heal()
    cluster.calls.length = 0
    await user.click(dialog.getByRole('button', { name: 'Cancel 2 pipeline runs' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(await stopped()).toEqual(['build-a CancelledRunFinally', 'build-b CancelledRunFinally'])
    expect(cluster.calls.filter(({ path }) => path.includes('/pipelineruns/build-a'))).toHaveLength(0)
  })

  it('that a filter hides are counted and not acted upon, and are selected again once they are shown', async () => {
    const { user, select } = await scene()
    await select('build-a', 'test-c')
    const filter = screen.getByRole('textbox', { name: 'Filter by name' })
    await user.type(filter, 'test')
    await waitFor(() => expect(selection()).toHaveTextContent('1 selected (1 more hidden by filters)'))
    await user.click(within(selection()).getByRole('button', { name: 'Stop' }))
    const dialog = within(await screen.findByRole('dialog', { name: /Stop 1 pipeline run\?/ }))
    expect(dialog.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual(['test-c'])
    await user.click(dialog.getByRole('button', { name: 'Keep running' }))
    await user.clear(filter)
    await waitFor(() => expect(selection()).toHaveTextContent('2 selected'))
    expect(screen.getByRole('checkbox', { name: 'Select build-a' })).toBeChecked()
  })

  it('stay selected when they change', async () => {
    const { cluster, select } = await scene()
    await select('build-a', 'build-b')
    const run = await cluster.system.get(pipelineRunType, 'build-a', { namespace })
    const status = { conditions: [condition('Succeeded', 'False', 'Failed')] }
    await act(() => cluster.system.replaceStatus(pipelineRunType, { ...run, status }))
    expect(await screen.findByRole('row', { name: /Failed/ })).toBeVisible()
    expect(screen.getByRole('checkbox', { name: 'Select build-a' })).toBeChecked()
    expect(selection()).toHaveTextContent('2 selected')
  })

  it('are all of those that are shown, with one box by keyboard', async () => {
    const { user } = await scene()
    const all = screen.getByRole('checkbox', { name: 'Select all 4 shown' })
    all.focus()
    await user.keyboard(' ')
    expect(selection()).toHaveTextContent('4 selected')
    await user.click(screen.getByRole('checkbox', { name: 'Select build-b' }))
    expect(all).toBePartiallyChecked()
    await user.click(within(selection()).getByRole('button', { name: 'Clear selection' }))
    expect(screen.queryByRole('group', { name: 'Selected rows' })).not.toBeInTheDocument()
    expect(screen.getByRole('heading', { level: 1 })).toHaveFocus()
  })

  it('cannot be stopped while none of them runs, nor without the right to', async () => {
    const { user, select } = await scene()
    await select('build-done')
    await seeTooltip(
      user,
      within(selection()).getByRole('button', { name: 'Stop' }),
      'None of the selected pipeline runs is running',
    )
  })

  it('ACC-08 cannot be stopped by a user who may only look', async () => {
    const reader = grantTo({ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch'] })
    const { user, select } = await scene({ as: 'outsider', objects: [...objects, ...reader] })
    await select('build-a')
    const stop = within(selection()).getByRole('button', { name: 'Stop' })
    await seeTooltip(user, stop, "You don't have access to stop this pipeline")
    await user.click(stop)
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })

  it('LIM-01 are asked about in pages of 10', async () => {
    const many = Array.from({ length: 12 }, (_, index) => aRun(`many-${String(index).padStart(2, '0')}`, true))
    const { user } = await scene({ objects: [...objects, ...many] })
    await user.click(screen.getByRole('checkbox', { name: 'Select all 16 shown' }))
    await user.click(within(selection()).getByRole('button', { name: 'Cancel' }))
    const dialog = within(await screen.findByRole('dialog', { name: /Cancel 15 pipeline runs\?/ }))
    expect(dialog.getAllByRole('rowheader')).toHaveLength(10)
    const pages = within(dialog.getByRole('navigation', { name: 'Pages of pipeline runs to cancel' }))
    pages.getByRole('button', { name: 'Go to next page' }).focus()
    await user.keyboard('{Enter}')
    expect(dialog.getAllByRole('rowheader')).toHaveLength(5)
    expect(location.search).toBe('')
  })
})
