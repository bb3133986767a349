import { configMapType } from '@slipway/kube/core-types'
import { publicInfoLocation } from '@slipway/model/platform/public-info'
import { aComponent, anApplication } from '@slipway/model/testing'
import { screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { describe, expect, it } from 'vitest'
import { namespace } from '../../../test/cluster'
import { renderRoute } from '../../../test/render-route'
import { seeTooltip } from '../../../test/tooltip'
import { queryClient } from '../../api/query-client'
import { paths } from '../../paths'
import { publicInfo } from '../../resources/public-info'

const at = { namespace, application: 'checkout' }
const page = paths.application(at)
const objects = [anApplication(), aComponent({ metadata: { name: 'api' } })]
const titles = [
  'Grow your application',
  'Add integration tests',
  'Create a release plan',
  'Install our GitHub app',
  'Install our GitLab app',
  'Make a code change',
  'Manage build pipelines',
]

const section = async () => within(await screen.findByRole('region', { name: "What's next?" }))
const shownTitles = async () =>
  (await section()).getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)
const card = async (title: string) =>
  within((await section()).getByRole('heading', { name: title }).closest('li') as HTMLElement)
const dismissButton = async (title: string) => (await card(title)).getByRole('button', { name: `Dismiss ${title}` })

describe("the section 'What's next?'", () => {
  it('WNX-01 has its cards in this order', async () => {
    await renderRoute(page, { objects })
    expect(await shownTitles()).toEqual(titles)
    const { violations } = await axe.run(screen.getByRole('main'), { rules: { 'color-contrast': { enabled: false } } })
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  })

  it.each([
    ['WNX-02', 'Grow your application', 'Add component', paths.createComponent(at)],
    ['WNX-03', 'Add integration tests', 'Add integration test', paths.addIntegrationTest(at)],
    ['WNX-04', 'Create a release plan', 'Create release plan', paths.createReleasePlan(at)],
    ['WNX-06', 'Install our GitLab app', 'Add secret', paths.createSecret(at)],
    [
      'WNX-07',
      'Make a code change',
      'View latest commits',
      paths.activityTab({ ...at, activityTab: 'latest-commits' }),
    ],
  ])('%s the card "%s" leads to "%s"', async (_, title, label, href) => {
    await renderRoute(page, { objects })
    const link = (await card(title)).getByRole('link', { name: label })
    expect(link).toHaveAttribute('href', href)
  })

  it('WNX-05 the card "Install our GitHub app" leads to the app, once the platform has one', async () => {
    const { user, cluster } = await renderRoute(page, { objects })
    // A first read that is still in flight would be shared instead of repeated.
    await waitFor(() => expect(queryClient.getQueryData(publicInfo.get().queryKey)).toBeDefined())
    const button = (await card('Install our GitHub app')).getByRole('button', { name: 'Install GitHub app' })
    expect(button).toHaveAttribute('aria-disabled', 'true')
    await seeTooltip(user, button, 'This platform has no GitHub app')
    const { name } = publicInfoLocation
    const info = await cluster.system.get(configMapType, name, { namespace: publicInfoLocation.namespace })
    const changedInfo = { integrations: { github: { application_url: 'https://github.com/apps/acme' } } }
    await cluster.system.replace(configMapType, { ...info, data: { 'info.json': JSON.stringify(changedInfo) } })
    await queryClient.invalidateQueries({ queryKey: publicInfo.get().queryKey })
    const link = await (await card('Install our GitHub app')).findByRole('link', { name: /^Install GitHub app/ })
    expect(link).toHaveAttribute('href', 'https://github.com/apps/acme')
  })

  it('WNX-08, PAC-40 the card "Manage build pipelines" opens the dialog', async () => {
    const { user } = await renderRoute(page, { objects })
    await user.click((await card('Manage build pipelines')).getByRole('button', { name: 'Manage build pipelines' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Manage build pipeline' }))
    expect(await dialog.findByRole('rowheader', { name: 'api' })).toBeVisible()
  })

  it.each([
    ['WNX-12', 'Grow your application', 'Add component', "You don't have access to add a component"],
    ['WNX-12', 'Add integration tests', 'Add integration test', "You don't have access to add an integration test"],
    [
      'WNX-12, WNX-13',
      'Create a release plan',
      'Create release plan',
      "You don't have access to create a release plan",
    ],
    ['WNX-12', 'Install our GitLab app', 'Add secret', "You don't have access to create a secret"],
    ['WNX-12', 'Manage build pipelines', 'Manage build pipelines', 'You do not have access to manage build pipelines'],
  ])('%s the card "%s" disables "%s" without permission, and says why', async (_, title, label, reason) => {
    const { user } = await renderRoute(page, { as: 'contributor', objects })
    const button = (await card(title)).getByRole('button', { name: label })
    expect(button).toHaveAttribute('aria-disabled', 'true')
    await seeTooltip(user, button, reason)
  })

  it('WNX-09, WNX-10, WNX-14 a dismissed card stays dismissed for its application only', async () => {
    const ledger = { ...at, application: 'ledger' }
    const both = [...objects, anApplication({ metadata: { name: 'ledger' } })]
    const { user, router } = await renderRoute(page, { objects: both })
    await user.click(await dismissButton('Add integration tests'))
    const others = titles.filter((title) => title !== 'Add integration tests')
    expect(await shownTitles()).toEqual(others)
    expect(await dismissButton('Create a release plan')).toHaveFocus()
    expect(JSON.parse(localStorage.getItem(`whats-next-dismissed/${namespace}/checkout`) ?? '')).toEqual([
      'integration-test',
    ])
    await router.navigate(paths.application(ledger))
    await screen.findByRole('heading', { name: 'ledger', level: 1 })
    await waitFor(async () => expect(await shownTitles()).toEqual(titles))
    await router.navigate(page)
    await waitFor(async () => expect(await shownTitles()).toEqual(others))
  })

  it('WNX-11 hides when all cards are dismissed, and the focus moves to the heading', async () => {
    const { user } = await renderRoute(page, { objects })
    for (const title of titles) await user.click(await dismissButton(title))
    expect(screen.queryByRole('region', { name: "What's next?" })).not.toBeInTheDocument()
    expect(screen.getByRole('heading', { name: 'checkout', level: 1 })).toHaveFocus()
  })

  it('WNX-10 shows every card if the stored value is invalid', async () => {
    const { router } = await renderRoute(paths.activity(at), { objects })
    localStorage.setItem(`whats-next-dismissed/${namespace}/checkout`, '{"component":true}')
    await router.navigate(page)
    expect(await shownTitles()).toEqual(titles)
  })
})
