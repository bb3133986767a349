import { labels } from '@slipway/model/labels'
import { anApplication, aPipelineRun, condition } from '@slipway/model/testing'
import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { describe, expect, it, test, vi } from 'vitest'
import { namespace } from '../../../test/cluster'
import { fakeArchive } from '../../../test/fake-archive'
import { renderRoute } from '../../../test/render-route'
import { paths } from '../../paths'

const list = paths.pipelineRuns({ namespace })
const time = (minute: number) => `2026-01-31T09:${String(minute).padStart(2, '0')}:00Z`

interface Given {
  application?: string | undefined
  component?: string
  type?: string
  status?: 'True' | 'False'
}
const run = (
  name: string,
  minute: number,
  { application = 'checkout', component = 'checkout-api', type = 'build', status = 'True' }: Given = {},
) =>
  aPipelineRun({
    metadata: {
      name,
      labels: {
        [labels.application]: application || undefined,
        [labels.component]: component,
        [labels.pipelineType]: type,
        [labels.eventType]: 'push',
      },
    },
    status: {
      startTime: time(minute),
      completionTime: time(minute + 1),
      conditions: [condition('Succeeded', status)],
    },
  })

const objects = [
  anApplication(),
  run('checkout-build', 1),
  run('checkout-test', 2, { type: 'test', status: 'False' }),
  run('ledger-build', 3, { application: 'ledger', component: 'ledger-api', status: 'False' }),
  run('stray', 4, { application: '' }),
]
const names = () => screen.queryAllByRole('rowheader').map((cell) => cell.textContent)
const toolbarButton = (name: RegExp | string) => screen.findByRole('button', { name, expanded: false })
/** Opens a menu of the toolbar and chooses one of its items. */
async function choose(user: UserEvent, button: RegExp | string, item: RegExp | string) {
  await user.click(await toolbarButton(button))
  await user.click(await screen.findByRole('menuitem', { name: item }))
}

const headers = () => screen.getAllByRole('columnheader').map((header) => header.textContent)
/** Shows or hides a column. */
async function chooseColumn(user: UserEvent, label: string) {
  await user.click(screen.getByRole('button', { name: 'Manage columns' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.click(dialog.getByRole('checkbox', { name: label }))
  await user.click(dialog.getByRole('button', { name: 'Save' }))
}

describe('the pipeline runs of a namespace', () => {
  it('are those of all applications, newest start first, with links to their applications and components', async () => {
    await renderRoute(list, { objects })
    await waitFor(() => expect(names()).toEqual(['stray', 'ledger-build', 'checkout-test', 'checkout-build']))
    const at = { namespace, application: 'ledger' }
    const row = within(screen.getByRole('row', { name: /ledger-build/ }))
    for (const [name, path] of [
      ['ledger-build', paths.pipelineRun({ ...at, pipelineRun: 'ledger-build' })],
      ['ledger', paths.application(at)],
      ['ledger-api', paths.component({ ...at, component: 'ledger-api' })],
    ] as const) {
      expect(row.getByRole('link', { name })).toHaveAttribute('href', path)
    }
    expect(document.title).toBe('Pipeline runs | Slipway')
  })

  it('are those of one pull request', async () => {
    const review = run('review', 5)
    review.metadata.labels = {
      ...review.metadata.labels,
      [labels.eventType]: 'pull_request',
      [labels.pullRequestNumber]: '7',
    }
    const { user } = await renderRoute(list, { objects: [...objects, review] })
    await waitFor(() => expect(names()).toHaveLength(5))
    await user.click(await toolbarButton('Pull request'))
    await user.click(await screen.findByRole('checkbox', { name: /#7/ }))
    await waitFor(() => expect(names()).toEqual(['review #7']))
  })

  it('that have no application have no link, and say why', async () => {
    await renderRoute(list, { objects })
    const row = within(await screen.findByRole('row', { name: /stray/ }))
    expect(row.queryAllByRole('link')).toEqual([])
    expect(row.getByText('stray')).toHaveAttribute(
      'title',
      `It has no page, since its label ${labels.application} is missing`,
    )
  })

  test.each([
    ['status=Failed', ['ledger-build', 'checkout-test']],
    ['type=Test', ['checkout-test']],
    ['trigger=Push', ['stray', 'ledger-build', 'checkout-test', 'checkout-build']],
    ['application=ledger,checkout', ['ledger-build', 'checkout-test', 'checkout-build']],
    ['component=ledger-api', ['ledger-build']],

    ['name=BUILD&sort=started', ['checkout-build', 'ledger-build']],
    ['sort=application', ['checkout-test', 'checkout-build', 'ledger-build', 'stray']],
  ])('are filtered and sorted by the URL: %s', async (query, expected) => {
    await renderRoute(`${list}?${query}`, { objects })
    await waitFor(() => expect(names()).toEqual(expected))
  })

  it('include those that only the archive has, and without labels in the request', async () => {
    const old = run('archived', 0)
    const archive = await fakeArchive([
      { ...old, metadata: { ...old.metadata, uid: 'archived', creationTimestamp: time(0) } },
    ])
    await renderRoute(list, { objects, archives: { kubeArchive: archive.plugin } })
    await waitFor(() => expect(names().at(-1)).toBe('archived Archived'))
    expect(archive.requests[0]?.search).not.toContain(encodeURIComponent(labels.application))
  })

  it('are also listed while the archive cannot be read, which is reported', async () => {
    const archive = await fakeArchive()
    archive.failure = 422
    await renderRoute(list, { objects, archives: { kubeArchive: archive.plugin } })
    expect(await screen.findByText('Error while fetching pipeline runs')).toBeVisible()
    expect(names()).toHaveLength(4)
  })

  it('are found from the list of applications', async () => {
    const { user } = await renderRoute(paths.applications({ namespace }), { objects })
    await user.click(await screen.findByRole('link', { name: 'View all pipeline runs' }))
    expect(await screen.findByRole('heading', { name: 'Pipeline runs', level: 1 })).toBeVisible()
  })

  it('are found in the palette', async () => {
    const { user } = await renderRoute(paths.applications({ namespace }), { objects })
    await screen.findByRole('heading', { name: 'Applications', level: 1 })
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await screen.findByRole('combobox'), 'all applications')
    await user.click(await screen.findByRole('option', { name: /Pipeline runs of all applications/ }))
    expect(await screen.findByRole('heading', { name: 'Pipeline runs', level: 1 })).toBeVisible()
  })

  it('say that there are none yet', async () => {
    await renderRoute(list, { objects: [] })
    expect(await screen.findByRole('heading', { name: 'Keep tabs on components and activity' })).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Views' })).not.toBeInTheDocument()
  })
})

describe('saved views', () => {
  const query = '?status=Failed&sort=-started'
  const stored = (...views: object[]) => localStorage.setItem('slipway-views-pipeline-runs', JSON.stringify(views))
  const storedViews = () => JSON.parse(localStorage.getItem('slipway-views-pipeline-runs') ?? '[]') as unknown
  /** The list, in a browser that has a view. */
  async function visitedWithView(search = '') {
    const view = await renderRoute(paths.about(), { objects })
    await screen.findByRole('heading', { name: 'About Slipway' })
    stored({ name: 'Failed runs', query })
    await view.router.navigate(list + search)
    await waitFor(() => expect(names().length).toBeGreaterThan(0))
    return view
  }

  it('are saved under a name and show their rows again', async () => {
    const { user } = await renderRoute(`${list}?status=Failed&sort=duration`, { objects })
    await waitFor(() => expect(names()).toHaveLength(2))
    await choose(user, 'Views', 'Save as a new view')
    await user.type(await screen.findByRole('textbox', { name: /^Name/ }), ' Failed runs {Enter}')
    expect(await toolbarButton('View: Failed runs')).toBeVisible()
    expect(storedViews()).toEqual([{ name: 'Failed runs', query: '?status=Failed&sort=duration' }])
    await user.click(screen.getByRole('button', { name: 'Clear all filters' }))
    await waitFor(() => expect(names()).toHaveLength(4))
    await choose(user, 'Views', 'Failed runs')
    await waitFor(() => expect(names()).toHaveLength(2))
    await waitFor(() => expect(location.search).toBe('?sort=duration&status=Failed'))
  })

  it('need a name', async () => {
    const { user } = await renderRoute(`${list}?status=Failed`, { objects })
    await waitFor(() => expect(names()).toHaveLength(2))
    await choose(user, 'Views', 'Save as a new view')
    await user.type(await screen.findByRole('textbox', { name: /^Name/ }), ' {Enter}')
    expect(await screen.findByText('Enter a name.')).toBeVisible()
    expect(storedViews()).toEqual([])
  })

  it('are marked as edited once a filter changes, and can be saved again', async () => {
    const { user } = await visitedWithView()
    await choose(user, 'Views', 'Failed runs')
    await waitFor(() => expect(names()).toHaveLength(2))
    await user.click(await toolbarButton(/^Type/))
    await user.click(await screen.findByRole('checkbox', { name: /^Build/ }))
    await user.keyboard('{Escape}')
    await choose(user, 'View: Failed runs (edited)', 'Save changes to this view')
    expect(await toolbarButton('View: Failed runs')).toBeVisible()
    expect(storedViews()).toEqual([{ name: 'Failed runs', query: '?status=Failed&type=Build&sort=-started' }])
  })

  it('are recognized by a link that shows the same', async () => {
    await visitedWithView(query)
    expect(await toolbarButton('View: Failed runs')).toBeVisible()
  })

  it('are replaced only after a warning', async () => {
    const { user } = await visitedWithView('?type=Test')
    await choose(user, 'Views', 'Save as a new view')
    await user.type(await screen.findByRole('textbox', { name: /^Name/ }), 'Failed runs')
    expect(await screen.findByText('Another view has this name. It will be replaced.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Replace' }))
    await waitFor(() => expect(storedViews()).toEqual([{ name: 'Failed runs', query: '?type=Test&sort=-started' }]))
  })

  it('can be renamed and deleted', async () => {
    const { user } = await visitedWithView(query)
    await choose(user, 'View: Failed runs', 'Rename this view')
    const name = await screen.findByRole('textbox', { name: /^Name/ })
    expect(name).toHaveValue('Failed runs')
    await user.clear(name)
    await user.type(name, 'Red{Enter}')
    expect(await toolbarButton('View: Red')).toBeVisible()
    expect(storedViews()).toEqual([{ name: 'Red', query }])
    await choose(user, 'View: Red', 'Delete this view')
    expect(await toolbarButton('Views')).toBeVisible()
    expect(storedViews()).toEqual([])
    expect(names()).toHaveLength(2)
  })

  it('are shared as a link, with their order', async () => {
    const { user } = await visitedWithView('?status=Failed')
    await choose(user, 'View: Failed runs', 'Copy link to this view')
    expect(await screen.findByText('Link copied')).toBeVisible()
    expect(await navigator.clipboard.readText()).toBe(location.origin + list + query)
  })

  it('show the link if the browser does not allow copying', async () => {
    const { user } = await visitedWithView('?status=Failed')
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('denied', 'NotAllowedError'))
    await choose(user, 'View: Failed runs', 'Copy link to this view')
    expect(await screen.findByText('The browser did not allow copying')).toBeVisible()
    expect(screen.getByText(location.origin + list + query)).toBeVisible()
  })

  it('keep the columns chosen for them, in the URL and its link', async () => {
    const { user } = await visitedWithView()
    await choose(user, 'Views', 'Failed runs')
    await toolbarButton('View: Failed runs')
    const first = headers()
    await chooseColumn(user, 'Duration')
    await waitFor(() => expect(headers()).toEqual(first.filter((label) => label !== 'Duration')))
    const columns = 'columns=status,name,application,component,started,reference'
    await waitFor(() => expect(decodeURIComponent(location.search)).toContain(columns))
    await choose(user, 'View: Failed runs (edited)', 'Save changes to this view')
    expect(storedViews()).toEqual([{ name: 'Failed runs', query: `${query}&${columns}` }])
    await chooseColumn(user, 'Duration')
    await waitFor(() => expect(headers()).toEqual(first))
    await choose(user, /^View/, 'Failed runs')
    await waitFor(() => expect(headers()).not.toContain('Duration'))
    await choose(user, 'View: Failed runs', 'Copy link to this view')
    expect(await screen.findByText('Link copied')).toBeVisible()
    expect(await navigator.clipboard.readText()).toBe(`${location.origin + list + query}&${columns}`)
  })

  it('without columns show those that each user has chosen', async () => {
    const { user } = await visitedWithView()
    localStorage.setItem('slipway-namespace-runs-columns@admin@slipway.test', '["name","trigger"]')
    await choose(user, 'Views', 'Failed runs')
    expect(await toolbarButton('View: Failed runs')).toBeVisible()
    expect(headers()).toEqual(['Selection', 'Name', 'Trigger', 'Actions'])
  })

  it('keep the other parameters of the URL', async () => {
    const { user } = await visitedWithView('?other=1')
    await choose(user, 'Views', 'Failed runs')
    await waitFor(() => expect(location.search).toContain('status=Failed'))
    expect(new URLSearchParams(location.search).get('other')).toBe('1')
  })

  it('that the table does not understand show what it does', async () => {
    const view = await renderRoute(paths.about(), { objects })
    await screen.findByRole('heading', { name: 'About Slipway' })
    stored({ name: 'Odd', query: '?status=Exploded&type=Test&nonsense=1&sort=nothing' })
    await view.router.navigate(list)
    await waitFor(() => expect(names()).toHaveLength(4))
    await choose(view.user, 'Views', 'Odd')
    await waitFor(() => expect(names()).toEqual(['checkout-test']))
  })
})
