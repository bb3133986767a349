import { componentType } from '@slipway/model/builds/component'
import { annotations, labels } from '@slipway/model/labels'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { aComponent, anApplication, aPipelineRun, condition } from '@slipway/model/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, test } from 'vitest'
import { namespace } from '../../../test/cluster'
import { fakeArchive } from '../../../test/fake-archive'
import { grantTo } from '../../../test/grant-to'
import { renderRoute } from '../../../test/render-route'
import { seeTooltip } from '../../../test/tooltip'
import { paths } from '../../paths'

const list = paths.allComponents({ namespace })
const time = (minute: number) => `2026-01-31T09:${String(minute).padStart(2, '0')}:00Z`
const digest = `registry.slipway.test/ledger/books@sha256:${'b'.repeat(64)}`

interface Given {
  application?: string | undefined
  status?: 'True' | 'False' | 'Unknown'
  type?: string
}
const build = (component: string, minute: number, { application = 'checkout', status = 'True' }: Given = {}) =>
  aPipelineRun({
    metadata: {
      name: `${component}-${minute}`,
      labels: {
        [labels.application]: application,
        [labels.component]: component,
        [labels.pipelineType]: 'build',
        [labels.eventType]: 'push',
        [labels.commitSha]: 'a'.repeat(40),
      },
    },
    status: {
      startTime: time(minute),
      completionTime: status === 'Unknown' ? undefined : time(minute + 1),
      conditions: [condition('Succeeded', status)],
    },
  })
const archived = (run: PipelineRun): PipelineRun => ({
  ...run,
  metadata: { ...run.metadata, namespace, uid: run.metadata.name ?? '', creationTimestamp: time(0) },
})
const component = (name: string, application: string | undefined, lastBuiltAt?: string) =>
  aComponent({
    metadata: {
      name,
      annotations: { [annotations.lastBuiltTime]: lastBuiltAt && String(Date.parse(lastBuiltAt) / 1000) },
    },
    spec: { application, source: { git: { url: 'https://github.com/payments/shop.git', revision: 'main' } } },
  })

const books = component('books', 'ledger')
books.status = { lastPromotedImage: digest }
const objects = [
  anApplication(),
  anApplication({ metadata: { name: 'ledger' } }),
  component('api', 'checkout'),
  component('web', 'checkout', time(1)),
  books,
  component('audit', 'ledger'),
  build('api', 9),
  build('books', 5, { application: 'ledger', status: 'False' }),
  build('audit', 7, { application: 'ledger', status: 'Unknown' }),
]
const rowNames = () => screen.queryAllByRole('rowheader').map((cell) => cell.textContent)
const rowOf = async (name: string) => {
  const header = await screen.findByRole('rowheader', { name: new RegExp(`^${name}( |$)`) })
  return within(header.closest('tr') ?? expect.fail('a header outside of a row'))
}

describe('the components of a namespace', () => {
  it('are those of all applications, the broken ones first, with links, source, latest build and image', async () => {
    await renderRoute(list, { objects })
    await waitFor(() => expect(rowNames()).toEqual(['books', 'web', 'audit', 'api']))
    expect(screen.getAllByRole('columnheader').map((cell) => cell.textContent)).toEqual(
      'Status,Component,Application,Latest push build,Source,Latest image,Actions'.split(','),
    )
    const row = await rowOf('books')
    expect(await row.findByText('Failed')).toBeVisible()
    const at = { namespace, application: 'ledger' }
    for (const [name, path] of [
      ['books', paths.component({ ...at, component: 'books' })],
      ['ledger', paths.application(at)],
      ['aaaaaaa', paths.commit({ ...at, commit: 'a'.repeat(40) })],
      ['View build logs of books', paths.pipelineRunLogs({ ...at, pipelineRun: 'books-5' })],
    ] as const) {
      expect(row.getByRole('link', { name })).toHaveAttribute('href', path)
    }
    expect(row.getByRole('link', { name: /^github.com\/payments\/shop/ })).toBeVisible()
    expect(row.getByText(`registry.slipway.test/ledger/books@sha256:${'b'.repeat(12)}`)).toBeVisible()
    expect(row.getByRole('button', { name: 'Copy latest image of books' })).toBeVisible()
    expect(document.title).toBe('Components | Slipway')
  })

  it('need two lists, however many there are', async () => {
    const many = Array.from({ length: 40 }, (_, at) => component(`part-${at}`, `application-${at}`))
    const { cluster } = await renderRoute(list, { objects: [...objects, ...many] })
    await screen.findByText(/44/)
    const lists = cluster.calls.map(({ path }) => path).filter((path) => /\/(components|pipelineruns)\b/.test(path))
    expect(lists.map((path) => path.replace(/^.*\/|\?.*/g, '')).sort()).toEqual(['components', 'pipelineruns'])
  })

  test.each([
    ['name=B', ['books', 'web']],
    ['sort=name', ['api', 'audit', 'books', 'web']],
    ['application=ledger', ['books', 'audit']],
    ['status=failed', ['books']],
    ['status=running', ['audit']],
    [`status=${encodeURIComponent('no recent build')}`, ['web']],
    ['sort=build', ['web', 'books', 'audit', 'api']],
    ['sort=-build', ['api', 'audit', 'books', 'web']],
    ['sort=-status', ['api', 'audit', 'web', 'books']],
    ['sort=-application', ['audit', 'books', 'api', 'web']],
  ])('are filtered and sorted by the URL: %s', async (query, expected) => {
    await renderRoute(`${list}?${query}`, { objects })
    await waitFor(() => expect(rowNames()).toEqual(expected))
  })

  it('that were never built are sorted before those that the cluster has no build of', async () => {
    await renderRoute(`${list}?sort=build`, { objects: [...objects, component('unbuilt', 'ledger')] })
    await waitFor(() => expect(rowNames()).toEqual(['unbuilt', 'web', 'books', 'audit', 'api']))
  })

  it('have the builds of their own application only', async () => {
    const { cluster } = await renderRoute(list, {
      objects: [component('api', 'checkout'), build('api', 3, { application: 'ledger' })],
    })
    expect(await (await rowOf('api')).findByText('PipelineNotStarted')).toBeVisible()
    await cluster.system.create(pipelineRunType, build('api', 1, { status: 'False' }))
    expect(await (await rowOf('api')).findByText('Pending')).toBeVisible()
  })

  it('that the cluster has not built lately are looked up in the archive together', async () => {
    const archive = await fakeArchive([
      archived(build('web', 1, { status: 'False' })),
      archived(build('tax', 2, { application: 'ledger' })),
      archived(build('tax', 3, { application: 'checkout', status: 'False' })),
    ])
    await renderRoute(list, {
      objects: [...objects, component('tax', 'ledger')],
      archives: { kubeArchive: archive.plugin },
    })
    expect(await (await rowOf('web')).findByText('Failed')).toBeVisible()
    const tax = await rowOf('tax')
    expect(await tax.findByText('Succeeded')).toBeVisible()
    expect(tax.getByRole('link', { name: 'View build logs of tax' })).toHaveAttribute(
      'href',
      paths.pipelineRunLogs({ namespace, application: 'ledger', pipelineRun: 'tax-2' }),
    )
    const ofBuilds = archive.requests.filter(({ pathname }) => pathname.endsWith('/pipelineruns'))
    expect(ofBuilds).toHaveLength(1)
    expect(ofBuilds[0]?.searchParams.get('labelSelector')).toContain(`${labels.component} in (tax,web)`)
  })

  it('follow the cluster', async () => {
    const { cluster } = await renderRoute(list, { objects })
    expect(await (await rowOf('books')).findByText('Failed')).toBeVisible()
    await screen.findByRole('button', { name: 'Live' })
    await waitFor(() => expect(cluster.openSockets().filter((path) => path.endsWith('/pipelineruns'))).toHaveLength(1))
    await cluster.system.create(pipelineRunType, build('books', 30, { application: 'ledger' }))
    expect(await (await rowOf('books')).findByText('Pending')).toBeVisible()
    await cluster.system.delete(componentType, 'web', { namespace })
    await waitFor(() => expect(rowNames()).toEqual(['audit', 'books', 'api']))
  })

  it('that belong to no application have no page, and say so', async () => {
    const { user } = await renderRoute(list, { objects: [component('stray', undefined)] })
    const row = await rowOf('stray')
    expect(row.queryByRole('link', { name: 'stray' })).not.toBeInTheDocument()
    await user.click(row.getByRole('button', { name: 'Actions for stray' }))
    const item = await screen.findByRole('menuitem', { name: 'Manage linked secrets' })
    await seeTooltip(user, item, 'It belongs to no application')
  })

  it('have the actions that they have in their application', async () => {
    const { user } = await renderRoute(list, { objects })
    await user.click((await rowOf('books')).getByRole('button', { name: 'Actions for books' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Edit build pipeline plan' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Manage build pipeline' }))
    expect((await dialog.findAllByRole('rowheader')).map((cell) => cell.textContent)).toEqual(['books'])
  })

  it('are shown without their builds if those may not be read', async () => {
    const rights = grantTo({ apiGroups: [componentType.group], resources: ['components'], verbs: ['list', 'watch'] })
    await renderRoute(list, { as: 'outsider', objects: [...objects, ...rights] })
    const row = await rowOf('books')
    expect(await row.findByText('Failed to load builds')).toBeVisible()
    expect(row.getByText(`registry.slipway.test/ledger/books@sha256:${'b'.repeat(12)}`)).toBeVisible()
    expect(row.getByRole('button', { name: 'Copy latest image of books' })).toBeVisible()
  })

  it('are replaced by an empty state if there are none', async () => {
    await renderRoute(list)
    expect(await screen.findByRole('heading', { name: 'No components yet' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Create application' })).toHaveAttribute(
      'href',
      paths.createApplication({ namespace }),
    )
  })

  it('are reached from the list of applications and from the palette', async () => {
    const { user } = await renderRoute(paths.applications({ namespace }), { objects })
    await user.click(await screen.findByRole('link', { name: 'View all components' }))
    await waitFor(() => expect(rowNames()).toEqual(['books', 'web', 'audit', 'api']))
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await screen.findByRole('combobox'), 'components of all')
    await user.click(await screen.findByRole('option', { name: /Components of all applications/ }))
    expect(location.pathname).toBe(list)
  })
})
