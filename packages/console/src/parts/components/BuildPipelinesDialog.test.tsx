import { configMapType, type Role, roleType } from '@slipway/kube/core-types'
import { annotations, labels } from '@slipway/model/labels'
import { publicInfoLocation } from '@slipway/model/platform/public-info'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { componentType } from '@slipway/model/builds/component'
import { aComponent, anApplication, aPipelineRun } from '@slipway/model/testing'
import { screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { describe, expect, it } from 'vitest'
import { isDryRun, namespace, type TestCluster } from '../../../test/cluster'
import { grantTo } from '../../../test/grant-to'
import { renderRoute } from '../../../test/render-route'
import { seeTooltip } from '../../../test/tooltip'
import { queryClient } from '../../api/query-client'
import { paths } from '../../paths'
import { publicInfo } from '../../resources/public-info'

const at = { namespace, application: 'checkout' }
const page = paths.activity(at)
const application = anApplication()
const pac = (pac: object) => ({ [annotations.buildStatus]: JSON.stringify({ pac }) })
const mergeUrl = 'https://github.com/payments/api/pull/4'
const proposed = pac({ state: 'enabled', 'merge-url': mergeUrl })
const component = (name: string, marks: Record<string, string> = {}) =>
  aComponent({ metadata: { name, annotations: marks } })
const build = (name: string) =>
  aPipelineRun({
    metadata: {
      name: `${name}-on-push`,
      labels: { [labels.component]: name, [labels.eventType]: 'push' },
      annotations: { [annotations.pacSender]: 'ada' },
    },
  })

type View = Awaited<ReturnType<typeof renderRoute>>

async function openMenu(user: View['user']) {
  await user.click(await screen.findByRole('button', { name: 'Actions for checkout' }))
  return screen.findByRole('menuitem', { name: 'Manage build pipelines' })
}

async function openDialog({ user }: View) {
  await user.click(await openMenu(user))
  return within(await screen.findByRole('dialog', { name: 'Manage build pipeline' }))
}

type Dialog = Awaited<ReturnType<typeof openDialog>>
const rowOf = async (dialog: Dialog, name: string) =>
  within((await dialog.findByRole('rowheader', { name })).closest('tr') as HTMLElement)
const button = (label: string, name = 'api') => ({ name: `${label}: ${name}` })
const annotationsOf = async ({ system }: TestCluster, name = 'api') =>
  (await system.get(componentType, name, { namespace })).metadata.annotations

/** The response of the build service to a request. */
async function respond({ system }: TestCluster, marks: Record<string, string>, name = 'api') {
  const current = await system.get(componentType, name, { namespace })
  await system.replace(componentType, { ...current, metadata: { ...current.metadata, annotations: marks } })
}

describe('the dialog that manages build pipelines', () => {
  it('PAC-30, PAC-31, PAC-40 shows each component of the application with the state of its pipeline', async () => {
    const view = await renderRoute(page, {
      objects: [
        application,
        component('asked', { [annotations.buildRequest]: 'configure-pac' }),
        component('broken', pac({ state: 'error' })),
        component('built', proposed),
        component('leaving', { [annotations.buildRequest]: 'unconfigure-pac' }),
        component('plain'),
        component('proposed', proposed),
        aComponent({ metadata: { name: 'other' }, spec: { application: 'ledger' } }),
        build('built'),
      ],
    })
    const dialog = await openDialog(view)
    expect(await dialog.findByText('1 of 6 component(s) upgraded to custom build')).toBeVisible()
    expect(dialog.getAllByRole('rowheader').map((cell) => cell.textContent)).toEqual([
      'asked',
      'broken',
      'built',
      'leaving',
      'plain',
      'proposed',
    ])
    for (const [name, label] of [
      ['asked', 'Sending pull request'],
      ['broken', 'Pull request failed'],
      ['built', 'Custom'],
      ['leaving', 'Rolling back'],
      ['plain', 'Default'],
      ['proposed', 'Merge pull request'],
    ] as const)
      expect((await rowOf(dialog, name)).getByText(label)).toBeVisible()
    expect(
      (await rowOf(dialog, 'plain')).getByRole('link', { name: /^git.slipway.test\/payments\/plain/ }),
    ).toBeVisible()
    const { violations } = await axe.run(screen.getByRole('dialog'), {
      rules: { 'color-contrast': { enabled: false } },
    })
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  })

  it('PAC-24, PAC-28, PAC-29, PAC-33 follows a component from no pipeline through the pull request to its own', async () => {
    const view = await renderRoute(page, { objects: [application, component('api')] })
    const { user, cluster } = view
    const dialog = await openDialog(view)
    expect(await dialog.findByText('0 of 1 component(s) upgraded to custom build')).toBeVisible()
    const send = await dialog.findByRole('button', button('Send pull request'))
    await user.click(send)
    expect(await dialog.findByText('Sending pull request')).toBeVisible()
    expect((await annotationsOf(cluster))?.[annotations.buildRequest]).toBe('configure-pac')
    expect(cluster.calls.filter(({ method }) => method === 'PATCH').map(isDryRun)).toEqual([true, false])
    expect(send).toHaveFocus()
    await waitFor(() => expect(send).toHaveAttribute('aria-disabled', 'true'))
    await respond(cluster, proposed)
    expect(await dialog.findByText('Merge pull request')).toBeVisible()
    expect(dialog.getByRole('link', { name: /^Pull request/ })).toHaveAttribute('href', mergeUrl)
    expect(dialog.getByText('0 of 1 component(s) upgraded to custom build')).toBeVisible()
    await cluster.system.create(pipelineRunType, build('api'))
    expect(await dialog.findByText('Custom')).toBeVisible()
    expect(dialog.getByText('1 of 1 component(s) upgraded to custom build')).toBeVisible()
  })

  it('PAC-26, PAC-43 uses a pipeline that is in the repository already, without a pull request', async () => {
    const view = await renderRoute(page, { objects: [application, component('api')] })
    const { user, cluster } = view
    const dialog = await openDialog(view)
    await user.click(await dialog.findByRole('button', button('Use pipeline in repository')))
    expect(await dialog.findByText('Sending pull request')).toBeVisible()
    expect((await annotationsOf(cluster))?.[annotations.buildRequest]).toBe('configure-pac-no-mr')
  })

  it('PAC-25 rolls a pipeline back, and links the pull request that removes it', async () => {
    const view = await renderRoute(page, { objects: [application, component('api', proposed), build('api')] })
    const { user, cluster } = view
    const dialog = await openDialog(view)
    expect(await dialog.findByText('Custom')).toBeVisible()
    await user.click(dialog.getByRole('button', button('Roll back')))
    expect(await dialog.findByText('Rolling back')).toBeVisible()
    expect((await annotationsOf(cluster))?.[annotations.buildRequest]).toBe('unconfigure-pac')
    await respond(cluster, pac({ state: 'disabled', 'merge-url': mergeUrl }))
    expect(await dialog.findByText('Default')).toBeVisible()
    expect(dialog.getByRole('link', { name: /^Rollback pull request/ })).toHaveAttribute('href', mergeUrl)
    expect(dialog.getByRole('button', button('Send pull request'))).toBeVisible()
  })

  it('PAC-34, PAC-35, PAC-36, PAC-37 warns why a pull request failed, links the app, and can send it again', async () => {
    const failed = pac({ state: 'error', 'error-message': 'GitHub Application is not installed' })
    const view = await renderRoute(page, { objects: [application, component('api', failed)] })
    const dialog = await openDialog(view)
    const warning = (await dialog.findByText('Pull request failed to reach its destination')).closest('.pf-v6-c-alert')
    expect(warning).toHaveClass('pf-m-warning')
    expect(warning).toHaveTextContent('GitHub Application is not installed')
    expect(dialog.queryByRole('link', { name: /^Install GitHub Application/ })).not.toBeInTheDocument()
    // A first read that is still in flight would be shared instead of repeated.
    await waitFor(() => expect(queryClient.getQueryData(publicInfo.get().queryKey)).toBeDefined())
    const { name, namespace: place } = publicInfoLocation
    const info = await view.cluster.system.get(configMapType, name, { namespace: place })
    const changedInfo = { integrations: { github: { application_url: 'https://github.com/apps/acme' } } }
    await view.cluster.system.replace(configMapType, { ...info, data: { 'info.json': JSON.stringify(changedInfo) } })
    await queryClient.invalidateQueries({ queryKey: publicInfo.get().queryKey })
    const install = await dialog.findByRole('link', { name: /^Install GitHub Application/ })
    expect(install).toHaveAttribute('href', 'https://github.com/apps/acme')
    await view.user.click(dialog.getByRole('button', button('Send pull request')))
    expect(await dialog.findByText('Sending pull request')).toBeVisible()
  })

  it('PAC-38 says that samples cannot be upgraded, and offers no request for them', async () => {
    const sample = component('api', { [annotations.sample]: 'true' })
    const dialog = await openDialog(await renderRoute(page, { objects: [application, sample] }))
    const notice = await dialog.findByText('Samples cannot be upgraded')
    expect(notice.closest('.pf-v6-c-alert')).toHaveClass('pf-m-info')
    expect((await rowOf(dialog, 'api')).queryByRole('button')).not.toBeInTheDocument()
  })

  it('shows why the cluster has rejected a request, next to its component', async () => {
    const view = await renderRoute(page, { objects: [application, component('api'), component('web')] })
    const dialog = await openDialog(view)
    const heal = view.cluster.faults.intercept((_, { method }) =>
      method === 'PATCH' ? Response.json({ message: 'a webhook says no' }, { status: 422 }) : undefined,
    )
    await view.user.click(await dialog.findByRole('button', button('Send pull request')))
    const row = await rowOf(dialog, 'api')
    expect(await row.findByText('An error occurred')).toBeVisible()
    expect(row.getByText('a webhook says no')).toBeVisible()
    heal()
    await view.user.click(row.getByRole('button', button('Send pull request')))
    expect(await row.findByText('Sending pull request')).toBeVisible()
    expect(row.queryByText('a webhook says no')).not.toBeInTheDocument()
  })

  const read = ['get', 'list', 'watch']
  const rights = (...verbs: string[]) =>
    grantTo(
      { apiGroups: [componentType.group], resources: ['applications'], verbs: read },
      { apiGroups: [componentType.group], resources: ['components'], verbs: [...read, ...verbs] },
      { apiGroups: [pipelineRunType.group], resources: ['pipelineruns'], verbs: read },
    )

  it('PAC-32 disables the request with the reason when access is revoked while it is open', async () => {
    const objects = [...rights('patch'), application, component('api')]
    const view = await renderRoute(page, { as: 'outsider', objects })
    const { user, cluster } = view
    const dialog = await openDialog(view)
    const send = await dialog.findByRole('button', button('Send pull request'))
    expect(send).not.toHaveAttribute('aria-disabled', 'true')
    const role = await cluster.system.get(roleType, 'some-rights', { namespace })
    const [revoked] = rights() as [Role]
    await cluster.system.replace(roleType, { ...role, rules: revoked.rules })
    await user.click(send)
    expect(await dialog.findByText('An error occurred')).toBeVisible()
    await waitFor(() => expect(send).toHaveAttribute('aria-disabled', 'true'))
    await seeTooltip(user, send, "You don't have access to send a pull request")
  })

  it('APP-31, PAC-40 opens with permission to patch components', async () => {
    const view = await renderRoute(page, { as: 'outsider', objects: [...rights('patch'), application] })
    const dialog = await openDialog(view)
    expect(await dialog.findByText('There are no components.')).toBeVisible()
    const [close] = dialog.getAllByRole('button', { name: 'Close' })
    await view.user.click(close as HTMLElement)
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  })

  it('APP-31 does not open without permission to patch components, and says why', async () => {
    const { user } = await renderRoute(page, { as: 'outsider', objects: [...rights(), application] })
    const item = await openMenu(user)
    expect(item).toHaveAttribute('aria-disabled', 'true')
    await seeTooltip(user, item, 'You do not have access to manage build pipelines')
  })
})
