import { applicationType } from '@slipway/model/builds/application'
import { componentType } from '@slipway/model/builds/component'
import { anApplication } from '@slipway/model/testing'
import { act, screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { describe, expect, it } from 'vitest'
import { namespace } from '../../../test/cluster'
import { renderRoute } from '../../../test/render-route'
import { queryClient } from '../../api/query-client'
import { paths } from '../../paths'
import { applications } from '../../resources/applications'

const page = paths.createApplication({ namespace })
const nameField = () => screen.findByRole('textbox', { name: 'Application name' })
const overviewOf = (name: string) => screen.findByRole('heading', { name, level: 1 })
const submit = () => screen.getByRole('button', { name: /Create application/ })
const posts = (calls: { method: string; path: string }[]) =>
  calls.filter(({ method, path }) => method === 'POST' && /applications/.test(path)).map(({ path }) => path)

describe('the form', () => {
  it('IMP-01, IMP-03, IMP-21, FORM-01 has a title, and a button that is disabled until a name is entered', async () => {
    const { user } = await renderRoute(page)
    expect(await screen.findByRole('heading', { name: 'Create an Application', level: 1 })).toBeVisible()
    expect(document.title).toBe('Create an Application | Slipway')
    expect(submit()).toHaveAttribute('aria-disabled', 'true')
    await user.type(await nameField(), 'checkout')
    await waitFor(() => expect(submit()).not.toHaveAttribute('aria-disabled', 'true'))
  })

  it('IMP-24, IMP-51, FORM-04 creates an application without a component and leads to its overview', async () => {
    const { user, cluster, router } = await renderRoute(page)
    await user.type(await nameField(), 'checkout')
    await waitFor(() => expect(submit()).not.toHaveAttribute('aria-disabled', 'true'))
    await user.click(submit())
    expect(await overviewOf('checkout')).toBeVisible()
    expect(router.state.location.pathname).toBe(paths.application({ namespace, application: 'checkout' }))
    const path = `/api/k8s/apis/appstudio.redhat.com/v1alpha1/namespaces/${namespace}/applications`
    expect(posts(cluster.calls)).toEqual([`${path}?dryRun=All`, path])
    const created = await cluster.system.get(applicationType, 'checkout', { namespace })
    expect(created.spec).toEqual({ displayName: 'checkout' })
    expect((await cluster.system.list(componentType, { namespace })).items).toEqual([])
  })

  it('IMP-25, FORM-02 accepts only names that the cluster accepts', async () => {
    const { user } = await renderRoute(page)
    const name = await nameField()
    await user.type(name, 'a')
    expect(await screen.findByText(/^Must be 2 to 45 characters long/)).toBeVisible()
    await user.clear(name)
    expect(await screen.findByText('Required')).toBeVisible()
    await user.type(name, 'Checkout')
    expect(await screen.findByText(/^Must start with a letter and end with a letter or number/)).toBeVisible()
    expect(name).toBeInvalid()
    expect(submit()).toHaveAttribute('aria-disabled', 'true')
  })

  it('IMP-71 can be submitted only while it is changed and valid, and not again meanwhile', async () => {
    const { user, cluster } = await renderRoute(page)
    const name = await nameField()
    const isDisabled = () => submit().getAttribute('aria-disabled') === 'true'
    expect(isDisabled()).toBe(true)
    await user.type(name, 'Checkout')
    await waitFor(() => expect(name).toBeInvalid())
    expect(isDisabled()).toBe(true)
    await user.clear(name)
    await user.type(name, 'checkout')
    await waitFor(() => expect(isDisabled()).toBe(false))
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    cluster.faults.intercept((path, init) =>
      init.method === 'POST' && /\/applications\?/.test(path)
        ? held.then(() => cluster.faults.pass(path, init))
        : undefined,
    )
    await user.click(submit())
    await waitFor(() => expect(isDisabled()).toBe(true))
    await user.click(submit())
    release()
    expect(await overviewOf('checkout')).toBeVisible()
    expect(posts(cluster.calls)).toHaveLength(2)
  })

  it('says that the name is required when its field is left empty', async () => {
    const { user } = await renderRoute(page)
    await user.click(await nameField())
    await user.tab()
    expect(await screen.findByText('Required')).toBeVisible()
    expect(await nameField()).toBeInvalid()
  })

  it('reports a taken name while it is typed, also if another tab takes it', async () => {
    const { user, cluster } = await renderRoute(page, { objects: [anApplication({ metadata: { name: 'checkout' } })] })
    await user.type(await nameField(), 'checkout')
    expect(await screen.findByText('Application checkout already exists')).toBeVisible()
    expect(await nameField()).toBeInvalid()
    await user.type(await nameField(), '-2')
    await waitFor(() => expect(submit()).not.toHaveAttribute('aria-disabled', 'true'))
    await cluster.system.create(applicationType, anApplication({ metadata: { name: 'checkout-2' } }))
    expect(await screen.findByText('Application checkout-2 already exists')).toBeVisible()
    expect(submit()).toHaveAttribute('aria-disabled', 'true')
  })

  it('FORM-05, IMP-69 a name that only the cluster knows to be taken is reported at its field and in the alert, and keeps the input', async () => {
    const { user, cluster } = await renderRoute(page, { objects: [anApplication({ metadata: { name: 'checkout' } })] })
    cluster.faults.intercept((path, { method = 'GET' }) =>
      method === 'GET' && /\/applications\?/.test(path) ? Response.json({}, { status: 403 }) : undefined,
    )
    await act(() => queryClient.resetQueries({ queryKey: applications.list(namespace).queryKey }))
    await user.type(await nameField(), 'checkout')
    await waitFor(() => expect(submit()).not.toHaveAttribute('aria-disabled', 'true'))
    await user.click(submit())
    expect(await screen.findByText('Application checkout already exists')).toBeVisible()
    expect(await nameField()).toBeInvalid()
    expect(await nameField()).toHaveFocus()
    expect(await nameField()).toHaveValue('checkout')
    expect(screen.getByText('An error occurred')).toBeVisible()
    expect(screen.getByText(/applications\.appstudio\.redhat\.com "checkout" already exists/)).toBeVisible()
    expect(posts(cluster.calls)).toHaveLength(1)
    await user.type(await nameField(), '-2')
    expect(await nameField()).toBeValid()
    await user.click(submit())
    expect(await overviewOf('checkout-2')).toBeVisible()
  })

  it('FORM-05, FORM-07, ERR-30 any other rejected dry run is reported in the footer and keeps the input', async () => {
    const { user, cluster } = await renderRoute(page)
    cluster.faults.intercept((path, { method }) =>
      method === 'POST' && path.includes('/applications')
        ? Response.json({ message: 'the quota is used up' }, { status: 403 })
        : undefined,
    )
    await user.type(await nameField(), 'checkout')
    await waitFor(() => expect(submit()).not.toHaveAttribute('aria-disabled', 'true'))
    await user.click(submit())
    // In the footer, where the button is.
    const footer = { selector: '.slipway-page__footer .pf-m-danger *' }
    expect(await screen.findByText('An error occurred', footer)).toBeVisible()
    expect(screen.getByText('the quota is used up', footer)).toBeVisible()
    expect(await nameField()).toHaveValue('checkout')
    expect(posts(cluster.calls)).toHaveLength(1)
  })

  it('FORM-03 is submitted once, however often the button is pressed', async () => {
    const { user, cluster } = await renderRoute(page)
    let answer: (response: Response | undefined) => void = () => undefined
    cluster.faults.intercept((path) =>
      path.includes('dryRun') ? new Promise<Response>((resolve) => (answer = resolve as typeof answer)) : undefined,
    )
    await user.type(await nameField(), 'checkout')
    await user.click(submit())
    await waitFor(() => expect(posts(cluster.calls)).toHaveLength(1))
    expect(submit()).toHaveAttribute('aria-disabled', 'true')
    await user.click(submit())
    await user.type(await nameField(), '{Enter}')
    answer(Response.json({}, { status: 503 }))
    expect(await screen.findByText('Service Unavailable')).toBeVisible()
    expect(posts(cluster.calls)).toHaveLength(1)
  })

  it('FORM-08 Cancel leaves without writing', async () => {
    const { user, cluster, router } = await renderRoute(page)
    await user.type(await nameField(), 'checkout')
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    await screen.findByRole('heading', { name: 'Applications', level: 1 })
    expect(router.state.location.pathname).toBe(paths.applications({ namespace }))
    expect(posts(cluster.calls)).toEqual([])
  })

  it('FORM-08 does not navigate if the user left while it was being submitted', async () => {
    const { user, cluster, router } = await renderRoute(page)
    let answer: () => void = () => undefined
    cluster.faults.intercept((path, { method }) =>
      method === 'POST' && path.endsWith('/applications')
        ? new Promise<Response>(
            (resolve) => (answer = () => resolve(Response.json({ metadata: { name: 'checkout' } }))),
          )
        : undefined,
    )
    await user.type(await nameField(), 'checkout')
    await user.click(submit())
    await waitFor(() => expect(posts(cluster.calls)).toHaveLength(2))
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    await screen.findByRole('heading', { name: 'Applications', level: 1 })
    await act(() => router.navigate(paths.overview()))
    await screen.findByRole('heading', { name: 'Overview', level: 1 })
    const isRead = () => queryClient.getQueryState(applications.list(namespace).queryKey)?.isInvalidated
    expect(isRead()).toBe(false)
    answer()
    await waitFor(() => expect(isRead()).toBe(true))
    await act(() => Promise.resolve())
    expect(router.state.location.pathname).toBe(paths.overview())
    expect(router.state.navigation.state).toBe('idle')
  })

  it('FORM-03 two simultaneous clicks submit it once', async () => {
    const { user, cluster } = await renderRoute(page)
    await user.type(await nameField(), 'checkout')
    await waitFor(() => expect(submit()).not.toHaveAttribute('aria-disabled', 'true'))
    await user.dblClick(submit())
    expect(await overviewOf('checkout')).toBeVisible()
    expect(posts(cluster.calls)).toHaveLength(2)
  })

  it('ACC-10 the page is forbidden without permission to create', async () => {
    await renderRoute(page, { as: 'contributor' })
    expect(await screen.findByRole('heading', { name: "Let's get you access" })).toBeVisible()
    expect(screen.queryByRole('textbox')).not.toBeInTheDocument()
  })

  it('asks before a link in the console discards the input', async () => {
    const { user, router } = await renderRoute(page)
    await user.type(await nameField(), 'checkout')
    const breadcrumbs = within(screen.getByRole('navigation', { name: 'Breadcrumb' }))
    await user.click(breadcrumbs.getByRole('link', { name: 'Applications' }))
    await user.click(await screen.findByRole('button', { name: 'Go back' }))
    expect(router.state.location.pathname).toBe(page)
    expect(await nameField()).toHaveValue('checkout')
  })

  it('previews what it would create', async () => {
    const { user, cluster, container } = await renderRoute(page)
    await user.click(await screen.findByRole('button', { name: 'Show change' }))
    expect(await screen.findByText('Complete the form to see what it would change.')).toBeVisible()
    await user.type(await nameField(), 'checkout')
    const changes = await screen.findByRole('region', { name: 'Changes: Create Application checkout' })
    expect(changes).toHaveTextContent('Added: displayName: checkout')
    const { violations } = await axe.run(container.querySelector('main') ?? container, {
      rules: { 'color-contrast': { enabled: false } },
    })
    expect(violations.map(({ id }) => id)).toEqual([])
    await user.click(screen.getByRole('tab', { name: 'Requests' }))
    expect(await screen.findByRole('region', { name: 'Request: Create Application checkout' })).toHaveTextContent(
      `POST /api/k8s/apis/appstudio.redhat.com/v1alpha1/namespaces/${namespace}/applications`,
    )
    await user.click(screen.getByRole('tab', { name: 'kubectl' }))
    expect(await screen.findByRole('region', { name: 'kubectl commands' })).toHaveTextContent(
      /^kubectl create -f - <<'EOF'/,
    )
    await user.click(screen.getByRole('button', { name: 'Copy kubectl commands' }))
    expect(await navigator.clipboard.readText()).toMatch(/^kubectl create -f - <<'EOF'\napiVersion: appstudio.*EOF$/s)
    expect(posts(cluster.calls).every((path) => path.endsWith('dryRun=All'))).toBe(true)
  })
})
