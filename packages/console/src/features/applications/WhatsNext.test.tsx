import { configMapType } from '@slipway/kube/core-types'
import type { KubeObject } from '@slipway/kube/object'
import { publicInfoLocation } from '@slipway/model/platform/public-info'
import { annotations, labels } from '@slipway/model/labels'
import { releaseType } from '@slipway/model/releases/release'
import { releasePlanType } from '@slipway/model/releases/release-plan'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { integrationTestScenarioType } from '@slipway/model/snapshots/integration-test-scenario'
import { aComponent, anApplication, aPipelineRun, aRelease, condition } from '@slipway/model/testing'
import { aReleasePlan, anIntegrationTestScenario } from '@slipway/model/testing/tests-and-releases'
import type { ClientView } from '@slipway/views/client'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
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
const mergeUrl = 'https://github.com/payments/api/pull/4'
const flow = (pac: object) => ({ annotations: { [annotations.buildStatus]: JSON.stringify({ pac }) } })
const onHost = (host: string) => ({ source: { git: { url: `https://${host}/payments/api` } } })
const api = aComponent({
  metadata: { name: 'api', ...flow({ state: 'enabled', 'merge-url': mergeUrl }) },
  spec: { source: { git: { url: 'https://git.slipway.test/payments/api' } } },
})
const build = aPipelineRun({
  metadata: { name: 'api-on-push', labels: { [labels.component]: 'api', [labels.eventType]: 'push' } },
})
const test = anIntegrationTestScenario({ metadata: { name: 'unit' } })
const matched = { releasePlanAdmission: { name: 'release-managed/prod', active: true } }
const plan = aReleasePlan({ metadata: { name: 'prod' }, status: matched })
const release = aRelease({
  spec: { releasePlan: 'prod' },
  status: { conditions: [condition('Released', 'True', 'Succeeded')] },
})
/** An application that lacks nothing. */
const objects: KubeObject[] = [anApplication(), api, build, test, plan, release]
const without = (...missing: KubeObject[]) => objects.filter((object) => !missing.includes(object))
const titles = [
  'Grow your application',
  'Add integration tests',
  'Create a release plan',
  'Install our GitHub app',
  'Install our GitLab app',
  'Make a code change',
  'Manage build pipelines',
]

/** Once its cards are there; they are folded if nothing is missing. */
const section = async () => {
  const region = within(await screen.findByRole('region', { name: "What's next?" }))
  await waitFor(() => expect(region.queryByText('Loading what is next')).not.toBeInTheDocument())
  const fold = region.queryByRole('button', { name: /^Nothing is missing/, expanded: false })
  if (fold) fireEvent.click(fold)
  await region.findAllByRole('listitem')
  return region
}
const shownTitles = async () =>
  (await section()).getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)
const card = async (title: string) =>
  within((await section()).getByRole('heading', { name: title }).closest('li') as HTMLElement)
const textOf = async (title: string) => {
  const item = (await section()).getByRole('heading', { name: title }).closest('li')
  return item?.querySelector('.pf-v6-c-card__body')?.textContent ?? ''
}
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

  it('WNX-01 is one line while nothing is missing, which opens the cards', async () => {
    const { user, cluster, router } = await renderRoute(page, { objects: without(release) })
    // Nor are they folded by what happens before the user's eyes.
    expect(await (await card('Make a code change')).findByText(/^Everything is ready/)).toBeVisible()
    const created = await cluster.system.create(releaseType, release)
    await cluster.system.replaceStatus(releaseType, { ...created, status: release.status })
    expect(await (await card('Make a code change')).findByText(/^Push a commit or open/)).toBeVisible()
    expect(screen.queryByRole('button', { name: /^Nothing is missing/ })).not.toBeInTheDocument()
    await router.navigate(paths.applications(at))
    await screen.findByRole('heading', { name: 'Applications', level: 1 })
    await router.navigate(page)
    const fold = await screen.findByRole('button', { name: 'Nothing is missing. 7 suggestions', expanded: false })
    expect(screen.queryByRole('heading', { name: 'Make a code change' })).not.toBeInTheDocument()
    await user.click(fold)
    expect(await screen.findByRole('heading', { name: 'Make a code change' })).toBeVisible()
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

describe("the cards of 'What's next?' say what the application lacks", () => {
  it.each<[title: string, has: KubeObject[], first: string, text: RegExp]>([
    ['a first component', [anApplication()], 'Grow your application', /^Add the first component, /],
    [
      'a merge',
      without(build),
      'Grow your application',
      /^Merge the pull request with the build pipeline.* of api to start the first build\.$/,
    ],
    [
      'a pull request that is being sent',
      [
        ...without(api),
        aComponent({ metadata: { name: 'api', annotations: { [annotations.buildRequest]: 'configure-pac' } } }),
      ],
      'Grow your application',
      /^The platform is sending a pull request with the build pipeline of api\./,
    ],
    ['a test', without(test), 'Add integration tests', /^There is no integration test of your own yet\./],
    ['a release plan', without(plan, release), 'Create a release plan', /^There is no release plan yet\./],
    [
      'an admission',
      [...without(plan), aReleasePlan({ metadata: { name: 'prod' } })],
      'Create a release plan',
      /^No release plan admission in .* matches prod, and without one its releases fail\. Release plans$/,
    ],
    ['a first release', without(release), 'Make a code change', /^Everything is ready for a release\./],
    [
      'build pipelines',
      [...objects, aComponent({ metadata: { name: 'web' } })],
      'Manage build pipelines',
      /^1 component has no build pipeline in the repository\./,
    ],
  ])('first, if it lacks %s', async (_, has, first, text) => {
    await renderRoute(page, { objects: has })
    await waitFor(async () => expect((await shownTitles())[0]).toBe(first))
    await waitFor(async () => expect(await textOf(first)).toMatch(text))
    expect((await shownTitles()).toSorted()).toEqual(titles.toSorted())
  })

  it('with a link to the pull request that has to be merged', async () => {
    await renderRoute(page, { objects: without(build) })
    const link = await (await card('Grow your application')).findByRole('link', { name: /^pull request/ })
    expect(link).toHaveAttribute('href', mergeUrl)
  })

  it('with a link to the release plans that no admission matches', async () => {
    await renderRoute(page, { objects: [...without(plan), aReleasePlan({ metadata: { name: 'prod' } })] })
    const link = await (await card('Create a release plan')).findByRole('link', { name: 'Release plans' })
    expect(link).toHaveAttribute('href', paths.releasePlans(at))
  })

  it('and mark what it has as done', async () => {
    await renderRoute(page, { objects })
    for (const title of ['Add integration tests', 'Create a release plan', 'Manage build pipelines'])
      expect(await (await card(title)).findByText('Done')).toBeVisible()
    for (const title of ['Grow your application', 'Make a code change'])
      expect((await card(title)).queryByText('Done')).not.toBeInTheDocument()
  })

  it.each([
    ['GitHub', 'gitlab.com'],
    ['GitLab', 'github.com'],
  ])('and those of %s last, if no component is there', async (provider, host) => {
    const component = aComponent({ ...api, spec: onHost(host) })
    await renderRoute(page, { objects: [...without(api), component] })
    const title = `Install our ${provider} app`
    await waitFor(async () => expect((await shownTitles()).at(-1)).toBe(title))
    expect(await textOf(title)).toContain(`No component is on ${provider} yet.`)
  })

  it('but nothing of a list that could not be read', async () => {
    const { cluster, router } = await renderRoute(paths.applications(at), { objects: without(test, plan, release) })
    cluster.faults.intercept((path) =>
      path.includes('/integrationtestscenarios?')
        ? Response.json(
            { kind: 'Status', status: 'Failure', code: 403, reason: 'Forbidden', metadata: {} },
            { status: 403 },
          )
        : undefined,
    )
    await router.navigate(page)
    await waitFor(async () => expect((await shownTitles())[0]).toBe('Create a release plan'))
    expect(await textOf('Add integration tests')).toMatch(/^Test the components together after every build/)
  })

  it('and wait until every list has been read, so that nothing looks like a new application before', async () => {
    const { cluster, router } = await renderRoute(paths.applications(at), { objects: without(test, plan, release) })
    let respond = () => {}
    const mayRespond = new Promise<void>((resolve) => {
      respond = resolve
    })
    cluster.faults.intercept((path, init) =>
      path.includes('/integrationtestscenarios?') ? mayRespond.then(() => cluster.faults.pass(path, init)) : undefined,
    )
    await router.navigate(page)
    const waiting = within(await screen.findByRole('region', { name: "What's next?" }))
    // The other lists have arrived.
    const plans = () => queryClient.getQueriesData<ClientView>({ queryKey: ['view', releasePlanType.plural] })
    await waitFor(() => expect(plans().map(([, view]) => view?.loading)).toContainEqual([]))
    expect(waiting.getByText('Loading what is next')).toBeInTheDocument()
    expect(waiting.queryAllByRole('heading', { level: 3 })).toEqual([])
    respond()
    await waitFor(async () => expect((await shownTitles())[0]).toBe('Add integration tests'))
  })

  it('and are not there if the components could not be read, which the workflow says', async () => {
    await renderRoute(page, {
      objects,
      prepare: ({ intercept }) =>
        void intercept((path) =>
          path.includes('/components?')
            ? Response.json(
                { kind: 'Status', status: 'Failure', code: 400, message: 'told 400', metadata: {} },
                { status: 400 },
              )
            : undefined,
        ),
    })
    await screen.findByText(/Unable to load components/)
    await waitFor(() => expect(screen.queryByText('Loading what is next')).not.toBeInTheDocument())
    expect(screen.queryByRole('region', { name: "What's next?" })).not.toBeInTheDocument()
  })

  it('live, while a card with the focus stays where it is', async () => {
    const { user, cluster } = await renderRoute(page, { objects: without(test) })
    await waitFor(async () => expect((await shownTitles())[0]).toBe('Add integration tests'))
    const button = await dismissButton('Add integration tests')
    act(() => button.focus())
    await cluster.system.create(integrationTestScenarioType, test)
    expect(await (await card('Add integration tests')).findByText('Done')).toBeVisible()
    expect((await shownTitles())[0]).toBe('Add integration tests')
    expect(button).toHaveFocus()
    await user.click(screen.getByRole('heading', { name: 'checkout', level: 1 }))
    await waitFor(async () => expect(await shownTitles()).toEqual(titles))
  })

  it('live, also after the link that had the focus has disappeared from its card', async () => {
    const { cluster } = await renderRoute(page, { objects: without(build, test) })
    const link = await (await card('Grow your application')).findByRole('link', { name: /^pull request/ })
    act(() => link.focus())
    // The pull request was merged in another tab.
    await cluster.system.create(pipelineRunType, build)
    await waitFor(async () => expect((await shownTitles())[0]).toBe('Add integration tests'))
    expect(link).not.toBeInTheDocument()
  })
})
