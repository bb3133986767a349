import { roleBindingType } from '@slipway/kube/core-types'
import { aComponent, aNamespace, anApplication, aRoleBinding } from '@slipway/model/testing'
import { emailOf } from '@slipway/slipway/users'
import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, test } from 'vitest'
import { namespace } from '../../../test/cluster'
import { renderRoute } from '../../../test/render-route'
import { queryClient } from '../../api/query-client'
import { paths } from '../../paths'

const list = paths.applications({ namespace })
const shop = { namespace, application: 'checkout' }
const objects = ['checkout', 'ledger', 'payments'].map((name) => anApplication({ metadata: { name } }))
const isList = (path: string) => /\/applications(\?|$)/.test(path)
const names = async () => {
  await screen.findAllByRole('rowheader')
  return screen.getAllByRole('rowheader').map((cell) => cell.textContent)
}
const status = (code: number, message: string) =>
  Response.json({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, message }, { status: code })

/** The list of applications, reached by a click, so that faults can be set before anything is read. */
async function visitedWith(answer: (path: string) => Response | Promise<Response> | undefined) {
  const view = await renderRoute(paths.about(), { objects })
  const heal = view.cluster.faults.intercept(answer)
  await screen.findByRole('heading', { name: 'About Slipway' })
  await view.router.navigate(list)
  await screen.findByRole('heading', { name: 'Applications', level: 1 })
  return { ...view, heal }
}

describe('order', () => {
  it('is by name at first, can be reversed and stays in the URL', async () => {
    const { user } = await renderRoute(list, { objects })
    expect(await names()).toEqual(['checkout', 'ledger', 'payments'])
    const header = screen.getByRole('columnheader', { name: 'Name' })
    expect(header).toHaveAttribute('aria-sort', 'ascending')
    await user.click(within(header).getByRole('button'))
    expect(await names()).toEqual(['payments', 'ledger', 'checkout'])
    await waitFor(() => expect(location.search).toBe('?sort=-name'))
    await user.click(within(header).getByRole('button'))
    await waitFor(() => expect(location.search).toBe(''))
  })

  test.each([
    ['sort=-name', ['payments', 'ledger', 'checkout']],
    ['sort=components', ['checkout', 'ledger', 'payments']],
    ['sort=__proto__', ['checkout', 'ledger', 'payments']],
    ['sort=%00%FF', ['checkout', 'ledger', 'payments']],
    ['name=LED', ['ledger']],
    ['name=e&sort=-name', ['payments', 'ledger', 'checkout']],
  ])('NAV-42 a link shows the rows that match its URL: %s', async (query, expected) => {
    await renderRoute(`${list}?${query}`, { objects })
    expect(await names()).toEqual(expected)
  })
})

describe('filters', () => {
  it('LIST-06, LIST-07, LIST-08, APP-04 offer to be cleared if nothing matches', async () => {
    const { user } = await renderRoute(list, { objects })
    await names()
    const filter = () => screen.getByRole('textbox', { name: 'Filter by name' })
    await user.type(filter(), 'nothing like it{Enter}')
    expect(await screen.findByRole('heading', { name: 'No results found' })).toBeVisible()
    expect(screen.getByText('No results match this filter criteria. Clear all filters and try again.')).toBeVisible()
    await waitFor(() => expect(location.search).toBe('?name=nothing+like+it'))
    await user.click(screen.getByRole('button', { name: 'Clear all filters' }))
    expect(await names()).toEqual(['checkout', 'ledger', 'payments'])
    expect(filter()).toHaveValue('')
    await waitFor(() => expect(location.search).toBe(''))
  })

  it('LIST-08 are cleared along with what is being typed', async () => {
    const { user } = await renderRoute(`${list}?name=zzz`, { objects })
    const clear = await screen.findByRole('button', { name: 'Clear all filters' })
    const filter = () => screen.getByRole('textbox', { name: 'Filter by name' })
    await user.type(filter(), 'zz')
    await user.click(clear)
    expect(filter()).toHaveValue('')
    expect(await names()).toEqual(['checkout', 'ledger', 'payments'])
    expect(screen.getByRole('heading', { level: 1 })).toHaveFocus()
  })

  it('are reset for the list of another namespace, even while the user is typing', async () => {
    const other = 'team-search'
    const more = [
      aNamespace({ metadata: { name: other } }),
      aRoleBinding({
        metadata: { namespace: other },
        subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: emailOf('admin') }],
      }),
      ...['website', 'wiki'].map((name) => anApplication({ metadata: { name, namespace: other } })),
    ]
    const { user, router } = await renderRoute(paths.applications({ namespace: other }), {
      objects: [...objects, ...more],
    })
    await names()
    await act(() => router.navigate(list))
    expect(await names()).toEqual(['checkout', 'ledger', 'payments'])
    await user.type(screen.getByRole('textbox', { name: 'Filter by name' }), 'web')
    await act(() => router.navigate(paths.applications({ namespace: other })))
    expect(await names()).toEqual(['website', 'wiki'])
    expect(screen.getByRole('textbox', { name: 'Filter by name' })).toHaveValue('')
  })

  it('say how many rows match', async () => {
    const components = ['api', 'books', 'web'].map((name) => aComponent({ metadata: { name } }))
    await renderRoute(`${paths.allComponents({ namespace })}?name=book`, { objects: components })
    expect(await screen.findByText('1 of 3')).toBeVisible()
  })
})

describe('failures', () => {
  it('ERR-26, ERR-29 a list that cannot be read says why and can be read again', async () => {
    const { user, heal } = await visitedWith((path) => (isList(path) ? status(422, 'confused') : undefined))
    expect(await screen.findByRole('heading', { name: 'Unable to load applications' })).toBeVisible()
    expect(screen.getByText('confused')).toBeVisible()
    expect(screen.queryByText('Easily onboard your applications')).not.toBeInTheDocument()
    heal()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await names()).toEqual(['checkout', 'ledger', 'payments'])
  })

  test.each([
    ['commits', paths.activityTab({ ...shop, activityTab: 'latest-commits' }), /\/pipelineruns\?/],
    ['pipeline runs', paths.activityTab({ ...shop, activityTab: 'pipelineruns' }), /\/pipelineruns\?/],
    ['components', paths.components(shop), /\/components\?/],
  ])('ERR-29 a list of %s that cannot be read says why', async (noun, path, requests) => {
    const { cluster, router } = await renderRoute(paths.about(), { objects })
    cluster.faults.intercept((request) => (requests.test(request) ? status(422, 'confused') : undefined))
    await screen.findByRole('heading', { name: 'About Slipway' })
    await router.navigate(path)
    expect(await screen.findByRole('heading', { name: `Unable to load ${noun}` })).toBeVisible()
    expect(screen.getByText('confused')).toBeVisible()
  })

  it('ERR-26 a list that was empty and cannot be read again says why, not that there is nothing yet', async () => {
    const { cluster } = await renderRoute(list)
    expect(await screen.findByText('Easily onboard your applications')).toBeVisible()
    cluster.faults.intercept((path) => (isList(path) ? status(422, 'confused') : undefined))
    // The network was away.
    dispatchEvent(new Event('online'))
    expect(await screen.findByRole('heading', { name: 'Unable to load applications' })).toBeVisible()
    expect(screen.getByText('confused')).toBeVisible()
    expect(screen.queryByText('Easily onboard your applications')).not.toBeInTheDocument()
  })

  it('ERR-04, ERR-05 a list that the user may not read says so', async () => {
    await visitedWith((path) => (isList(path) ? status(403, 'applications is forbidden') : undefined))
    expect(await screen.findByRole('heading', { name: 'Restricted Access' })).toBeVisible()
    expect(screen.getByText("You don't have access to this section due to cluster policy.")).toBeVisible()
    expect(screen.getByText(`You don't have access to this list in namespace ${namespace}.`)).toBeVisible()
  })

  it('show placeholders while the rows are loading', async () => {
    await visitedWith((path) => (isList(path) ? new Promise<Response>(() => undefined) : undefined))
    expect(screen.getByRole('table', { name: 'Applications' })).toHaveAttribute('aria-busy', 'true')
    expect(screen.getByText('Loading Applications')).toBeInTheDocument()
  })

  it('LIVE-09 a lost connection keeps the rows and is reported by the badge', async () => {
    const { user, cluster } = await renderRoute(list, { objects })
    await screen.findByRole('button', { name: 'Live' })
    cluster.faults.areSocketsBlocked = true
    cluster.faults.cutSockets()
    await user.click(await screen.findByRole('button', { name: /Updated \d+ s ago/ }))
    // Which of the two depends on how many attempts to reconnect have failed before the badge shows the loss.
    const reason = /^(The live connection was lost\.|WebSocket connection failed after multiple attempts)$/
    // Once for each of the lists that the page joins.
    expect((await screen.findAllByText(reason)).length).toBeGreaterThan(0)
    expect(await names()).toEqual(['checkout', 'ledger', 'payments'])
  })
})

it('LIVE-01 a table whose right is taken says so instead of showing rows as live', async () => {
  const { cluster } = await renderRoute(list, { objects })
  expect(await names()).toEqual(['checkout', 'ledger', 'payments'])
  const rules = ['access-rules', namespace]
  await waitFor(() => expect(queryClient.getQueryData(rules)).toEqual(expect.any(String)))
  const bindings = await cluster.system.list(roleBindingType, { namespace })
  for (const { metadata } of bindings.items) {
    await cluster.system.delete(roleBindingType, metadata.name ?? '', { namespace })
  }
  // As every 20 s.
  void queryClient.invalidateQueries({ queryKey: rules })
  expect(await screen.findByRole('heading', { name: 'Restricted Access' })).toBeVisible()
  expect(screen.queryByText('ledger')).not.toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Live' })).not.toBeInTheDocument()
})
