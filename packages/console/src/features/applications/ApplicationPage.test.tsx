import { applicationType } from '@slipway/model/builds/application'
import { labels } from '@slipway/model/labels'
import { aComponent, anApplication } from '@slipway/model/testing'
import { anIntegrationTestScenario, aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { isDryRun, namespace } from '../../../test/cluster'
import { grantTo } from '../../../test/grant-to'
import { renderRoute } from '../../../test/render-route'
import { seeTooltip } from '../../../test/tooltip'
import { queryClient } from '../../api/query-client'
import { paths } from '../../paths'
import { applications } from '../../resources/applications'

const at = { namespace, application: 'checkout' }
const named = (name: string) => anApplication({ metadata: { name } })
const breadcrumb = () => within(screen.getByRole('navigation', { name: 'Breadcrumb' }))

async function scene({ as, others = [] }: { as?: 'admin' | 'contributor'; others?: string[] } = {}) {
  const objects = ['checkout', ...others].map(named)
  const view = await renderRoute(paths.activity(at), { objects, ...(as && { as }) })
  await screen.findByRole('heading', { name: 'checkout', level: 1 })
  return view
}
type User = Awaited<ReturnType<typeof scene>>['user']

describe('the application page', () => {
  it('APP-07 opens from the name in the list', async () => {
    const { user } = await renderRoute(paths.applications(at), { objects: [named('checkout')] })
    await user.click(await screen.findByRole('link', { name: 'checkout' }))
    expect(await screen.findByRole('heading', { name: 'checkout', level: 1 })).toBeVisible()
    expect(location.pathname).toBe(paths.application(at))
  })

  it('APP-16, APP-27, ACT-01 marks the Activity tab as current on each of its subtabs', async () => {
    const { user } = await scene()
    await waitFor(() => expect(location.pathname).toBe(paths.activityTab({ ...at, activityTab: 'latest-commits' })))
    expect(await screen.findByRole('tab', { name: 'Activity' })).toHaveAttribute('aria-selected', 'true')
    await user.click(breadcrumb().getByRole('link', { name: 'Applications' }))
    expect(await screen.findByRole('heading', { name: 'Applications', level: 1 })).toBeVisible()
  })

  it('APP-14 shows the display name', async () => {
    const objects = [anApplication({ metadata: { name: 'checkout' }, spec: { displayName: 'Check out & pay' } })]
    await renderRoute(paths.activity(at), { objects })
    expect(await screen.findByText('Check out & pay')).toBeVisible()
    expect(screen.getByRole('heading', { name: 'checkout', level: 1 })).toBeVisible()
  })

  it('APP-30 has no links to pages that do not exist, and its actions in this order', async () => {
    const { user } = await scene()
    const links = () => screen.getAllByRole('tab').map(({ textContent }) => textContent)
    await waitFor(() =>
      expect(links()).toEqual([
        'Overview',
        'Activity',
        'Components',
        'Integration tests',
        'Snapshots',
        'Releases',
        'Latest commits',
        'Pipeline runs',
      ]),
    )
    await user.click(screen.getByRole('button', { name: 'Actions for checkout' }))
    const items = await screen.findAllByRole('menuitem')
    expect(items.map(({ textContent }) => textContent)).toEqual([
      'Manage build pipelines',
      'Add component',
      'Add integration test',
      'Define component relationships',
      'Delete application',
      'View YAML',
    ])
    // The second one separates what the requirement does not name.
    const afterSeparators = screen.getAllByRole('separator').map((each) => each.nextElementSibling?.textContent)
    expect(afterSeparators).toEqual(['Delete application', 'View YAML'])
  })

  it('APP-15, APP-41 has its tabs in this order, each at its own address', async () => {
    await renderRoute('/ns/team-payments/applications/checkout', { objects: [named('checkout')] })
    const tabs = await screen.findAllByRole('tab')
    const root = '/ns/team-payments/applications/checkout'
    expect(tabs.map((tab) => [tab.textContent, tab.getAttribute('href')])).toEqual([
      ['Overview', root],
      ['Activity', `${root}/activity`],
      ['Components', `${root}/components`],
      ['Integration tests', `${root}/integrationtests`],
      ['Snapshots', `${root}/snapshots`],
      ['Releases', `${root}/releases`],
    ])
    expect(tabs[0]).toHaveAttribute('aria-selected', 'true')
  })

  it.each([
    ['activity', 'Activity'],
    ['components', 'Components'],
    ['integrationtests', 'Integration tests'],
    ['snapshots', 'Snapshots'],
    ['releases', 'Releases'],
  ])('APP-41 the sub-path %s opens the tab "%s"', async (subpath, label) => {
    await renderRoute(`/ns/team-payments/applications/checkout/${subpath}`, { objects: [named('checkout')] })
    expect(await screen.findByRole('tab', { name: label })).toHaveAttribute('aria-selected', 'true')
  })

  it.each([
    ['components', paths.components(at), 'api'],
    ['integration tests', paths.integrationTests(at), 'unit'],
    ['snapshots', paths.snapshots(at), 'checkout-1'],
  ])('APP-43 its %s do not include those of other applications', async (_, path, own) => {
    const spec = { application: 'ledger' }
    const objects = [
      named('checkout'),
      named('ledger'),
      aComponent({ metadata: { name: 'api' } }),
      aComponent({ metadata: { name: 'books' }, spec }),
      anIntegrationTestScenario({ metadata: { name: 'unit' } }),
      anIntegrationTestScenario({ metadata: { name: 'audit' }, spec }),
      aSnapshot({ metadata: { name: 'checkout-1' } }),
      aSnapshot({ metadata: { name: 'ledger-1', labels: { [labels.application]: 'ledger' } }, spec }),
    ]
    await renderRoute(path, { objects })
    await screen.findByRole('rowheader', { name: own })
    expect(screen.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual([own])
  })

  it('APP-32 leads to the import of a component into it', async () => {
    const { user } = await scene()
    await user.click(screen.getByRole('button', { name: 'Actions for checkout' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Add component' }))
    expect(await screen.findByRole('heading', { name: 'Create a Component', level: 1 })).toBeVisible()
    expect(location.pathname + location.search).toBe(paths.createComponent(at))
  })

  it('APP-33 offers no import of a component without permission', async () => {
    const { user } = await scene({ as: 'contributor' })
    await user.click(screen.getByRole('button', { name: 'Actions for checkout' }))
    const item = await screen.findByRole('menuitem', { name: 'Add component' })
    expect(item).toHaveAttribute('aria-disabled', 'true')
    await seeTooltip(user, item, "You don't have access to add a component")
  })

  it.each([`${paths.application(at)}/nothing`, paths.activityTab({ ...at, activityTab: 'nothing' })])(
    'APP-17 %s shows the not-found page',
    async (path) => {
      await renderRoute(path, { objects: [named('checkout')] })
      expect(await screen.findByText(/Looks like that page doesn't exist/)).toBeVisible()
    },
  )

  describe('for a user who may get the namespace and the application, but list nothing', () => {
    const rights = grantTo({ apiGroups: [applicationType.group], resources: ['applications'], verbs: ['get'] })

    it.each([
      ['Overview', paths.application(at), /forbidden: User "outsider@slipway.test" cannot list/],
      ['Activity', paths.activity(at), /You don't have access to this list in namespace/],
    ])('APP-22 %s is shown with the error from the cluster', async (tab, path, text) => {
      await renderRoute(path, { as: 'outsider', objects: [...rights, named('checkout')] })
      expect(await screen.findByRole('heading', { name: 'checkout', level: 1 })).toBeVisible()
      expect(await screen.findByRole('tab', { name: tab })).toHaveAttribute('aria-selected', 'true')
      expect((await screen.findAllByText(text))[0]).toBeVisible()
      expect(screen.queryByText("Let's get you access")).not.toBeInTheDocument()
    })
  })

  it('shows the not-found page for an application that does not exist', async () => {
    await renderRoute(paths.activity({ ...at, application: 'unknown' }))
    expect(await screen.findByText(/Looks like that page doesn't exist/)).toBeVisible()
  })
})

describe('the switcher', () => {
  it('APP-28 is hidden if there is only one application', async () => {
    await scene()
    const known = () => queryClient.getQueryData(applications.list(namespace).queryKey)?.items
    await waitFor(() => expect(known()).toHaveLength(1))
    expect(await screen.findByRole('tab', { name: 'Activity' })).toBeVisible()
    expect(screen.queryByRole('button', { name: /^Switch application/ })).not.toBeInTheDocument()
  })

  it('APP-28, APP-29 links to other applications, to the create page and to the list', async () => {
    const { user } = await scene({ others: ['ledger'] })
    await user.click(await screen.findByRole('button', { name: 'Switch application, now checkout' }))
    expect(await screen.findByRole('link', { name: 'Create application' })).toHaveAttribute(
      'href',
      paths.createApplication(at),
    )
    expect(screen.getByRole('link', { name: 'View applications list' })).toHaveAttribute('href', paths.applications(at))
    await user.click(screen.getByRole('menuitem', { name: 'ledger' }))
    expect(await screen.findByRole('heading', { name: 'ledger', level: 1 })).toBeVisible()
  })
})

describe('deleting', () => {
  const openMenu = async (user: User) => {
    await user.click(await screen.findByRole('button', { name: 'Actions for checkout' }))
    return screen.findByRole('menuitem', { name: 'Delete application' })
  }

  it('APP-36, APP-37, APP-38 requires typing the name, and returns to the list', async () => {
    const { user, cluster } = await scene({ others: ['ledger'] })
    await user.click(await openMenu(user))
    const dialog = within(await screen.findByRole('dialog'))
    await user.type(dialog.getByRole('textbox'), 'checkout')
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    expect(await screen.findByRole('heading', { name: 'Applications', level: 1 })).toBeVisible()
    await expect(cluster.system.get(applicationType, 'checkout', { namespace })).rejects.toMatchObject({ code: 404 })
    expect(cluster.calls.filter(({ method }) => method === 'DELETE').map(({ path }) => path.split('?')[0])).toContain(
      `/api/k8s/apis/appstudio.redhat.com/v1alpha1/namespaces/${namespace}/applications/checkout`,
    )
  })

  it('does not navigate if the dialog was closed before the response arrived', async () => {
    const { user, cluster, router } = await scene({ others: ['ledger'] })
    let answer: () => void = () => undefined
    cluster.faults.intercept((path, { method, body }) =>
      method === 'DELETE' && path.endsWith('/checkout') && !isDryRun({ path, body })
        ? new Promise<Response>(
            (resolve) => (answer = () => resolve(Response.json({ kind: 'Status', status: 'Success' }))),
          )
        : undefined,
    )
    await user.click(await openMenu(user))
    await user.type(within(await screen.findByRole('dialog')).getByRole('textbox'), 'checkout{Enter}')
    await waitFor(() => expect(cluster.calls.filter(({ method }) => method === 'DELETE')).toHaveLength(2))
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancel' }))
    await user.click(screen.getByRole('tab', { name: 'Activity' }))
    const { pathname } = router.state.location
    answer()
    await waitFor(() => expect(queryClient.isMutating()).toBe(0))
    expect(router.state.navigation.state).toBe('idle')
    expect(router.state.location.pathname).toBe(pathname)
  })

  it('APP-12 is listed with the reason when it is not permitted', async () => {
    const { user } = await scene({ as: 'contributor' })
    const item = await openMenu(user)
    expect(item).toHaveAttribute('aria-disabled', 'true')
    await seeTooltip(user, item, "You don't have access to delete this application")
  })
})
