import { applicationType } from '@slipway/model/builds/application'
import { componentType } from '@slipway/model/builds/component'
import { labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { aComponent, anApplication, aPipelineRun, aRelease, condition } from '@slipway/model/testing'
import { aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { isDryRun, namespace, writeLine, type Call } from '../../../test/cluster'
import { grantTo } from '../../../test/grant-to'
import { renderRoute } from '../../../test/render-route'
import { seeTooltip } from '../../../test/tooltip'
import { formatRelative } from '../../lib/dates'
import { paths } from '../../paths'

const list = paths.applications({ namespace })
const named = (name: string) => anApplication({ metadata: { name } })
const rowOf = (name: string) => screen.findByRole('row', { name: new RegExp(`^${name} `) })
const cellsOf = (row: HTMLElement) =>
  within(row)
    .getAllByRole('cell')
    .map((cell) => cell.textContent)
const rowNames = () => screen.queryAllByRole('rowheader').map((cell) => cell.textContent)

describe('the list', () => {
  it('APP-01, APP-03, APP-14, APP-39 shows the applications of the namespace', async () => {
    const { cluster } = await renderRoute(list, { objects: [named('checkout'), named('ledger')] })
    expect(await screen.findByRole('heading', { name: 'Applications', level: 1 })).toBeVisible()
    expect(
      screen.getByText('An application is 1 or more components running together for building and releasing.'),
    ).toBeVisible()
    await rowOf('checkout')
    expect(rowNames()).toEqual(['checkout', 'ledger'])
    expect(cluster.calls.map(({ path }) => path.split('?')[0])).toContain(
      `/api/k8s/apis/appstudio.redhat.com/v1alpha1/namespaces/${namespace}/applications`,
    )
  })

  it('APP-08, APP-10 shows the number of components and the time of the last successful release', async () => {
    const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3_600_000).toISOString().replace(/\.\d+/, '')
    const release = (name: string, application: string, completionTime: string | undefined, reason = 'Succeeded') =>
      aRelease({
        metadata: { name, labels: { [labels.application]: application } },
        status: {
          completionTime,
          conditions: [condition('Released', reason === 'Succeeded' ? 'True' : 'False', reason)],
        },
      })
    const { cluster } = await renderRoute(list, {
      objects: [
        named('checkout'),
        named('ledger'),
        named('refunds'),
        aComponent({ metadata: { name: 'checkout-api' } }),
        aComponent({ metadata: { name: 'checkout-web' } }),
        release('older', 'checkout', daysAgo(9)),
        release('last', 'checkout', daysAgo(3)),
        release('old', 'checkout', daysAgo(6)),
        release('failed', 'checkout', daysAgo(1), 'Failed'),
        release('failed-too', 'ledger', daysAgo(1), 'Failed'),
        release('without-time', 'refunds', undefined),
        aRelease({ metadata: { name: 'unlabelled', labels: {} } }),
      ],
    })
    const checkout = await rowOf('checkout')
    expect(await within(checkout).findByRole('cell', { name: '2' })).toBeVisible()
    const last = await within(checkout).findByText(formatRelative(daysAgo(3), Date.now()))
    expect(last).toHaveAttribute('datetime', expect.stringContaining(daysAgo(3).slice(0, 10)))
    for (const name of ['ledger', 'refunds']) {
      const row = await rowOf(name)
      await waitFor(() => expect(cellsOf(row).slice(2, 4)).toEqual(['0', '-']))
    }
    await cluster.system.delete(componentType, 'checkout-web', { namespace })
    expect(await within(checkout).findByRole('cell', { name: '1' })).toBeVisible()
  })

  it('shows the state of each, the last build of each component and what is held back, and sorts what fails first', async () => {
    const build = (component: string, status: 'True' | 'False', minute: string) =>
      aPipelineRun({
        metadata: {
          name: `${component}-${minute}`,
          namespace,
          labels: {
            [labels.application]: 'ledger',
            [labels.component]: component,
            [labels.pipelineType]: 'build',
            [labels.eventType]: 'push',
          },
        },
        status: {
          startTime: `2026-01-31T10:${minute}:00Z`,
          completionTime: `2026-01-31T10:${minute}:30Z`,
          conditions: [condition('Succeeded', status, status === 'True' ? 'Completed' : 'Failed')],
        },
      })
    const { cluster, user } = await renderRoute(list, {
      objects: [
        named('atlas'),
        named('ledger'),
        ...['books', 'sums', 'taxes'].map((name) =>
          aComponent({ metadata: { name }, spec: { application: 'ledger' } }),
        ),
        build('books', 'False', '10'),
        build('sums', 'False', '10'),
        build('sums', 'True', '20'),
        aSnapshot({
          metadata: { name: 'held', namespace, labels: { [labels.application]: 'ledger' } },
          spec: { application: 'ledger' },
          status: { conditions: [condition('AppStudioTestSucceeded', 'False', 'Failed')] },
        }),
      ],
    })
    const ledger = await rowOf('ledger')
    await waitFor(() => expect(cellsOf(ledger)[0]).toMatch(/^Failed1 failing since .+ · 1 held back$/))
    expect(cellsOf(ledger)[4]).toBe('Required tests have not passed.')
    const marks = within(ledger).getByRole('link', { name: 'Last builds: 1 failed, 1 no recent build, 1 completed' })
    expect(marks).toHaveAttribute('href', paths.components({ namespace, application: 'ledger' }))
    expect([...marks.children].map((mark) => mark.getAttribute('title'))).toEqual([
      'books: failed',
      'taxes: no recent build',
      'sums: completed',
    ])
    expect(cellsOf(await rowOf('atlas'))[0]).toBe('No failures')
    await user.click(screen.getByRole('button', { name: 'Status' }))
    await waitFor(() => expect(rowNames()).toEqual(['ledger', 'atlas']))
    expect(new URLSearchParams(location.search).get('sort')).toBe('status')
    await cluster.system.create(pipelineRunType, build('books', 'True', '30'), { namespace })
    await waitFor(() => expect(cellsOf(ledger)[0]).toMatch(/^Held back1 held back since /))
    expect(
      await within(ledger).findByRole('link', { name: 'Last builds: 1 running, 1 no recent build, 1 completed' }),
    ).toBeVisible()
  })

  it('does not call an application well of which something could not be read', async () => {
    await renderRoute(list, {
      objects: [named('checkout')],
      prepare: (faults) => void faults.intercept((path) => (/\/snapshots\b/.test(path) ? rejection() : undefined)),
    })
    const row = await rowOf('checkout')
    await waitFor(() => expect(cellsOf(row)).toEqual(['Unknown', '-', '0', '-', 'Not known', '']))
  })

  it('lists of the same page need one request each, however many applications there are', async () => {
    const many = Array.from({ length: 30 }, (_, at) => named(`application-${at}`))
    const { cluster } = await renderRoute(list, { objects: many })
    await rowOf('application-7')
    await waitFor(() => expect(screen.getAllByRole('cell', { name: '-' })).toHaveLength(90))
    const lists = cluster.calls
      .map(({ path }) => path)
      .filter((path) => /\/(applications|components|releases)\?/.test(path))
    expect(lists.map((path) => path.replace(/^.*\/|\?.*/g, '')).sort()).toEqual([
      'applications',
      'components',
      'releases',
    ])
  })

  it('APP-09 reports that components cannot be counted', async () => {
    const { cluster, router } = await renderRoute(paths.about(), { objects: [named('checkout')] })
    cluster.faults.intercept((path) => (/\/components\b/.test(path) ? rejection() : undefined))
    await screen.findByRole('heading', { name: 'About Slipway' })
    await router.navigate(list)
    expect(await within(await rowOf('checkout')).findByText('Failed to load components')).toBeVisible()
  })

  it('APP-04, APP-07, LIST-03 filters by a part of the name, and sorts by name', async () => {
    const { user } = await renderRoute(list, { objects: [named('checkout'), named('ledger'), named('hotel')] })
    await waitFor(() => expect(rowNames()).toEqual(['checkout', 'hotel', 'ledger']))
    await user.click(screen.getByRole('button', { name: 'Name' }))
    await waitFor(() => expect(rowNames()).toEqual(['ledger', 'hotel', 'checkout']))
    await user.type(screen.getByRole('textbox', { name: 'Filter by name' }), 'E{Enter}')
    await user.type(screen.getByRole('textbox', { name: 'Filter by name' }), 'C{Enter}')
    await waitFor(() => expect(rowNames()).toEqual(['checkout']))
  })

  it('LIVE-16, LIVE-17, LIVE-18 updates when other users make changes', async () => {
    const { cluster } = await renderRoute(list, { objects: [named('checkout')] })
    await rowOf('checkout')
    await screen.findByRole('button', { name: 'Live' })
    await cluster.system.create(applicationType, named('atlas'))
    await waitFor(() => expect(rowNames()).toEqual(['atlas', 'checkout']))
    await cluster.system.delete(applicationType, 'checkout', { namespace })
    await waitFor(() => expect(rowNames()).toEqual(['atlas']))
  })
})

describe('the empty list', () => {
  it('APP-13, APP-42 says how to get started', async () => {
    const { user } = await renderRoute(list)
    expect(await screen.findByRole('heading', { name: 'Easily onboard your applications' })).toBeVisible()
    await user.click(await screen.findByRole('link', { name: 'Create application' }))
    expect(await screen.findByRole('heading', { name: 'Create an Application', level: 1 })).toBeVisible()
  })
})

describe('permissions', () => {
  it('APP-05, APP-06, ACC-09 Create application stays visible without permission, and says why it is disabled', async () => {
    await renderRoute(list, { as: 'contributor', objects: [named('checkout')] })
    const create = await screen.findByRole('button', { name: 'Create application' })
    expect(create).toHaveAttribute('aria-disabled', 'true')
    create.focus()
    expect(await screen.findByRole('tooltip')).toHaveTextContent("You don't have access to create an application")
  })

  it('APP-11, APP-12, ACC-09 Delete application stays visible without permission, and says why it is disabled', async () => {
    const { user } = await renderRoute(list, { as: 'contributor', objects: [named('checkout')] })
    const row = await rowOf('checkout')
    await user.click(within(row).getByRole('button', { name: 'Actions for checkout' }))
    const remove = await screen.findByRole('menuitem', { name: 'Delete application' })
    expect(remove).toHaveAttribute('aria-disabled', 'true')
    await seeTooltip(user, remove, "You don't have access to delete this application")
  })

  it('APP-06, ACC-08 creating an application also requires permission to create components', async () => {
    const apiGroups = [applicationType.group]
    const rights = grantTo({ apiGroups, resources: ['applications'], verbs: ['get', 'list', 'watch', 'create'] })
    const { user } = await renderRoute(list, { as: 'outsider', objects: [...rights, named('checkout')] })
    const create = await screen.findByRole('button', { name: 'Create application' })
    await seeTooltip(user, create, "You don't have access to create an application")
  })

  it('APP-06, APP-12 creating and deleting are separate permissions', async () => {
    const read = ['get', 'list', 'watch']
    const create = grantTo(
      { apiGroups: [applicationType.group], resources: ['applications'], verbs: [...read, 'create'] },
      { apiGroups: [applicationType.group], resources: ['components'], verbs: ['create'] },
    )
    const { user, unmount } = await renderRoute(list, { as: 'outsider', objects: [...create, named('checkout')] })
    expect(await screen.findByRole('link', { name: 'Create application' })).toBeVisible()
    const remove = async () => {
      await user.click(within(await rowOf('checkout')).getByRole('button', { name: 'Actions for checkout' }))
      return screen.findByRole('menuitem', { name: 'Delete application' })
    }
    expect(await remove()).toHaveAttribute('aria-disabled', 'true')
    unmount()
    const removal = grantTo({
      apiGroups: [applicationType.group],
      resources: ['applications'],
      verbs: [...read, 'delete'],
    })
    await renderRoute(list, { as: 'outsider', objects: [...removal, named('checkout')] })
    expect(await remove()).not.toHaveAttribute('aria-disabled', 'true')
    expect(screen.getByRole('button', { name: 'Create application' })).toHaveAttribute('aria-disabled', 'true')
  })

  it('ACC-12, ERR-09, ERR-10, ERR-11 shows the access page without permission to list', async () => {
    const { user } = await renderRoute(list, { as: 'outsider', objects: grantTo() })
    expect(await screen.findByRole('heading', { name: "Let's get you access", level: 1 })).toBeVisible()
    expect(
      screen.getByText(`Ask the administrator or the owner of the '${namespace}' namespace for access permissions.`),
    ).toBeVisible()
    await user.click(screen.getByRole('link', { name: 'Go to Overview page' }))
    expect(await screen.findByRole('heading', { name: 'Overview', level: 1 })).toBeVisible()
  })
})

describe('deleting', () => {
  const openDialog = async (user: Awaited<ReturnType<typeof renderRoute>>['user'], name: string) => {
    await user.click(within(await rowOf(name)).getByRole('button', { name: `Actions for ${name}` }))
    const item = await screen.findByRole('menuitem', { name: 'Delete application' })
    await waitFor(() => expect(item).not.toHaveAttribute('aria-disabled', 'true'))
    await user.click(item)
    return screen.findByRole('dialog')
  }
  const deletes = (calls: Call[]) =>
    calls.filter(({ method }) => method === 'DELETE').map((call) => writeLine(call, /^.*applications\//))

  it.each([
    ['FORM-11 another name', 'checkou', 'Application name does not match'],
    ['FORM-26 the name in another case', 'Checkout', 'Application name does not match'],
    ['FORM-10 no name', 'c{Backspace}', 'Application name missing'],
  ])('FORM-09, FORM-12 %s does not confirm the deletion', async (_, typed, message) => {
    const { user, cluster } = await renderRoute(list, { objects: [named('checkout')] })
    const dialog = within(await openDialog(user, 'checkout'))
    await user.type(dialog.getByRole('textbox', { name: 'Type checkout to confirm' }), `${typed}{Enter}`)
    expect(await dialog.findByText(message)).toBeVisible()
    expect(dialog.getByRole('button', { name: 'Delete' })).toHaveAttribute('aria-disabled', 'true')
    expect(deletes(cluster.calls)).toEqual([])
  })

  it('APP-36, APP-37, APP-38 typing the name deletes the application and leads back to the list', async () => {
    const { user, cluster, router } = await renderRoute(list, { objects: [named('checkout'), named('ledger')] })
    const dialog = within(await openDialog(user, 'checkout'))
    const submit = dialog.getByRole('button', { name: 'Delete' })
    expect(submit).toHaveAttribute('aria-disabled', 'true')
    await user.type(dialog.getByRole('textbox', { name: 'Type checkout to confirm' }), 'checkout')
    expect(dialog.queryByText(/Application name/)).not.toBeInTheDocument()
    await user.click(submit)

    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(deletes(cluster.calls)).toEqual(['DELETE checkout (dry run)', 'DELETE checkout'])
    await waitFor(() => expect(rowNames()).toEqual(['ledger']))
    expect(router.state.location.pathname).toBe(list)
    // The menu that opened the dialog was removed with its row.
    expect(screen.getByRole('heading', { level: 1 })).toHaveFocus()
  })

  it('does not delete a new application of the same name', async () => {
    const { user, cluster } = await renderRoute(list, { objects: [named('checkout')] })
    const dialog = within(await openDialog(user, 'checkout'))
    await cluster.system.delete(applicationType, 'checkout', { namespace })
    await cluster.system.create(applicationType, named('checkout'))
    await user.type(dialog.getByRole('textbox'), 'checkout{Enter}')
    expect(await dialog.findByText(/An error occurred/)).toBeVisible()
    await expect(cluster.system.get(applicationType, 'checkout', { namespace })).resolves.toBeDefined()
  })

  it('moves focus to the heading when the row disappears before the response arrives', async () => {
    const { user, cluster } = await renderRoute(list, { objects: [named('checkout'), named('ledger')] })
    const dialog = within(await openDialog(user, 'checkout'))
    await screen.findByRole('button', { name: 'Live', hidden: true })
    cluster.faults.intercept((path, { method, body }) =>
      method === 'DELETE' && !isDryRun({ path, body })
        ? cluster.system.delete(applicationType, 'checkout', { namespace }).then(async () => {
            await waitFor(() => expect(screen.getAllByRole('rowheader', { hidden: true })).toHaveLength(1))
            return Response.json({ kind: 'Status', status: 'Success' })
          })
        : undefined,
    )
    await user.type(dialog.getByRole('textbox'), 'checkout{Enter}')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toHaveFocus())
  })

  it('marks an application that is being deleted, and does not offer to delete it again', async () => {
    const held = anApplication({ metadata: { name: 'held', namespace, finalizers: ['slipway.test/keep'] } })
    const { user, cluster } = await renderRoute(list, { objects: [held, named('ledger')] })
    await cluster.system.delete(applicationType, 'held', { namespace })
    const row = await screen.findByRole('row', { name: /held Being deleted/ })
    await user.click(within(row).getByRole('button', { name: 'Actions for held' }))
    expect(await screen.findByRole('menuitem', { name: /Delete application/ })).toHaveAttribute('aria-disabled', 'true')
    expect(within(screen.getByRole('row', { name: /ledger/ })).queryByText('Being deleted')).not.toBeInTheDocument()
  })

  it('ERR-31, ERR-34 a rejection is reported in the dialog, which can be submitted again', async () => {
    const { user, cluster } = await renderRoute(list, { objects: [named('checkout')] })
    const dialog = within(await openDialog(user, 'checkout'))
    const heal = cluster.faults.intercept((_, init) => (init.method === 'DELETE' ? rejection() : undefined))
    await user.type(dialog.getByRole('textbox'), 'checkout')
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    expect(await dialog.findByText(/An error occurred/)).toBeVisible()
    expect(dialog.getByText('a webhook says no')).toBeVisible()
    expect(dialog.getByRole('textbox')).toHaveValue('checkout')
    heal()
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  })
})

const rejection = () =>
  Response.json(
    { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 422, message: 'a webhook says no' },
    { status: 422 },
  )
