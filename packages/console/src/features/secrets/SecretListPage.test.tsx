import { secretType, serviceAccountType, type Secret } from '@slipway/kube/core-types'
import type { KubeObject } from '@slipway/kube/object'
import { annotations, labels } from '@slipway/model/labels'
import { aComponent } from '@slipway/model/testing'
import { aSecret, aServiceAccount } from '@slipway/model/testing/build-services'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, test } from 'vitest'
import { isDryRun, namespace, type TestClusterOptions, writeLine } from '../../../test/cluster'
import { grantTo } from '../../../test/grant-to'
import { renderRoute } from '../../../test/render-route'
import { seeTooltip } from '../../../test/tooltip'
import { paths } from '../../paths'

const list = paths.secrets({ namespace })
const registry = 'kubernetes.io/dockerconfigjson'
const collection = /^.*\/secrets\//

const secret = (
  name: string,
  type = 'Opaque',
  { data, ...metadata }: Partial<Secret & Secret['metadata']> = {},
): Secret =>
  aSecret({
    metadata: { name, namespace, ...metadata },
    type,
    data: { snyk_token: undefined, ...(data ?? (type === registry ? { '.dockerconfigjson': btoa('{}') } : {})) },
  })
const linked = (component: string, ...secrets: string[]) =>
  aServiceAccount({
    metadata: { name: `build-pipeline-${component}`, namespace },
    secrets: secrets.map((name) => ({ name })),
  })
const component = (name: string) => aComponent({ metadata: { name, namespace }, spec: { application: 'checkout' } })
const linkTask = (status: string, error?: string) => ({
  annotations: { [annotations.linkStatus]: status, ...(error !== undefined && { [annotations.linkError]: error }) },
})

const linkStatusPath = `/metadata/annotations/${annotations.linkStatus.replace('/', '~1')}`

const rowOf = async (name: string) => {
  const header = await screen.findByRole('rowheader', { name: new RegExp(`^${name}( Being deleted)?$`) })
  const row = header.closest('tr')
  if (!row) throw new Error(`${name} is not in a row.`)
  return row
}
const rowNames = () => screen.queryAllByRole('rowheader').map((cell) => cell.textContent)
const cell = (row: HTMLElement, column: string) => {
  const found = row.querySelector<HTMLElement>(`[data-label="${column}"]`)
  if (!found) throw new Error(`There is no column ${column}.`)
  return found
}
const render = (objects: KubeObject[], options: Partial<TestClusterOptions> = {}) =>
  renderRoute(list, { ...options, objects: [...objects, ...(options.objects ?? [])] })
/** In the toolbar: a column with the same name has a button, too. */
const filterButton = (name: string) => {
  const [button] = screen.getAllByRole('button', { name })
  if (!button) throw new Error(`There is no filter ${name}.`)
  return button
}
type User = Awaited<ReturnType<typeof renderRoute>>['user']

async function openAction(user: User, name: string, action: string) {
  await user.click(within(await rowOf(name)).getByRole('button', { name: `Actions for ${name}` }))
  return screen.findByRole('menuitem', { name: new RegExp(`^${action}`) })
}

describe('the list', () => {
  it('SEC-01, SEC-08, SEC-70, SEC-74 shows the secrets of the namespace by name', async () => {
    const { cluster } = await render([secret('snyk'), secret('base-registry', registry)])
    expect(await screen.findByRole('heading', { name: 'Secrets', level: 1 })).toBeVisible()
    await waitFor(() => expect(rowNames()).toEqual(['base-registry', 'snyk']))
    expect(screen.getByRole('table', { name: 'Secrets' })).toBeVisible()
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      'Status',
      'Name',
      'Secret type',
      'Components',
      'Labels',
      'Actions',
    ])
    expect(document.title).toBe('Secrets | Slipway')
    const lists = cluster.calls.map(({ path }) => path).filter((path) => /\/(secrets|serviceaccounts)\?/.test(path))
    expect([...new Set(lists.map((path) => path.split('?')[0]))]).toEqual([
      `/api/k8s/api/v1/namespaces/${namespace}/secrets`,
      `/api/k8s/api/v1/namespaces/${namespace}/serviceaccounts`,
    ])
  })

  it('SEC-07, SEC-71 names the type of each secret, with the number of keys of key/value pairs', async () => {
    const pair = { username: btoa('slipway'), password: btoa('made-up') }
    await render([
      secret('json', registry),
      secret('cfg', 'kubernetes.io/dockercfg', { data: { '.dockercfg': btoa('{}') } }),
      secret('basic', 'kubernetes.io/basic-auth', { data: pair }),
      secret('ssh', 'kubernetes.io/ssh-auth', { data: { 'ssh-privatekey': btoa('made-up') } }),
      secret('opaque', 'Opaque', { data: { a: btoa('1'), b: btoa('2'), c: btoa('3') } }),
      secret('empty'),
      secret('tls', 'kubernetes.io/tls', { data: { 'tls.crt': btoa('a'), 'tls.key': btoa('b') } }),
    ])
    const typeOf = async (name: string) => cell(await rowOf(name), 'Secret type').textContent
    expect(await typeOf('json')).toBe('Image pull')
    expect(await typeOf('cfg')).toBe('Image pull')
    expect(await typeOf('basic')).toBe('Key/value (2)')
    expect(await typeOf('ssh')).toBe('Key/value (1)')
    expect(await typeOf('opaque')).toBe('Key/value (3)')
    expect(await typeOf('empty')).toBe('Key/value (0)')
    expect(await typeOf('tls')).toBe('kubernetes.io/tls')
  })

  it('updates when other users make changes', async () => {
    const { cluster } = await render([secret('snyk')])
    await rowOf('snyk')
    await screen.findByRole('button', { name: 'Live' })
    await cluster.system.create(secretType, secret('another'))
    await waitFor(() => expect(rowNames()).toEqual(['another', 'snyk']))
    await cluster.system.delete(secretType, 'snyk', { namespace })
    await waitFor(() => expect(rowNames()).toEqual(['another']))
  })

  it('SEC-16 filters by a part of the name and by type, and keeps both in the URL', async () => {
    const { user } = await render([secret('snyk'), secret('base-registry', registry), secret('old-registry', registry)])
    await rowOf('snyk')
    await user.type(screen.getByRole('textbox', { name: 'Filter by name' }), 'REG{Enter}')
    await waitFor(() => expect(rowNames()).toEqual(['base-registry', 'old-registry']))
    await user.clear(screen.getByRole('textbox', { name: 'Filter by name' }))
    await user.click(filterButton('Secret type'))
    const choices = await screen.findAllByRole('menuitem')
    expect(choices.map(({ textContent }) => textContent)).toEqual(['Image pull 2', 'Key/value 1'])
    await user.click(screen.getByRole('checkbox', { name: /^Key\/value/ }))
    await waitFor(() => expect(rowNames()).toEqual(['snyk']))
    await waitFor(() => expect(new URLSearchParams(location.search).get('type')).toBe('Key/value'))
  })

  it('SEC-69 marks a secret that is being deleted, which can be neither edited nor deleted', async () => {
    const { cluster, user } = await render([secret('snyk', 'Opaque', { finalizers: ['slipway.test/wait'] })])
    await rowOf('snyk')
    await cluster.system.delete(secretType, 'snyk', { namespace })
    expect(await within(await rowOf('snyk')).findByText('Being deleted')).toBeVisible()
    for (const action of ['Edit secret', 'Delete']) {
      const item = await openAction(user, 'snyk', action)
      expect(item).toHaveAttribute('aria-disabled', 'true')
      await seeTooltip(user, item, 'This secret is being deleted')
      await user.keyboard('{Escape}')
    }
  })
})

describe('the components of a secret', () => {
  const three = [
    component('api'),
    component('web'),
    secret('base', registry),
    secret('spare', registry),
    secret('opaque'),
    linked('api', 'base'),
    linked('web', 'base'),
  ]

  it('SEC-09 are counted, and shown with links on demand', async () => {
    const { user } = await render(three)
    const count = await within(await rowOf('base')).findByRole('button', { name: '2 linked components of base' })
    expect(cell(await rowOf('spare'), 'Components')).toHaveTextContent(/^0$/)
    expect(cell(await rowOf('opaque'), 'Components')).toHaveTextContent(/^-$/)
    // As a tap does, without anything before it.
    fireEvent.click(count)
    const popover = within(await screen.findByRole('dialog'))
    await waitFor(() =>
      expect(popover.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['api', 'web']),
    )
    expect(popover.getByRole('link', { name: 'web' })).toHaveAttribute(
      'href',
      paths.component({ namespace, application: 'checkout', component: 'web' }),
    )
    await user.click(count)
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    await user.click(count)
    expect(await screen.findByRole('dialog')).toBeVisible()
  })

  it('SEC-09 are read with one list of service accounts, however many secrets there are, which is watched', async () => {
    const { cluster } = await render(three)
    const row = await rowOf('spare')
    await waitFor(() => expect(cell(row, 'Components')).toHaveTextContent(/^0$/))
    await screen.findByRole('button', { name: 'Live' })
    await cluster.system.patch(
      serviceAccountType,
      'build-pipeline-web',
      [{ op: 'add', path: '/secrets/-', value: { name: 'spare' } }],
      { namespace },
    )
    await waitFor(() => expect(cell(row, 'Components')).toHaveTextContent(/^1$/))
    // A list may be repeated after a lost connection, but there is none for a single secret.
    const reads = cluster.calls.map(({ path }) => path).filter((path) => path.includes('/serviceaccounts'))
    expect(new Set(reads).size).toBe(1)
  })

  it('LINK-37 of a secret with a link task follow the watched service accounts, which are not listed again', async () => {
    const components = ['api', 'cart', 'web']
    const { cluster } = await render([
      secret('registry', registry, linkTask('Running')),
      secret('other', registry),
      ...components.map((name) => linked(name, 'own')),
    ])
    const row = await rowOf('registry')
    await waitFor(() => expect(cell(row, 'Components')).toHaveTextContent(/^0$/))
    await screen.findByRole('button', { name: 'Live' })
    const lists = () => cluster.calls.filter(({ path }) => /\/serviceaccounts\?(?!.*watch)/.test(path)).length
    const listsBefore = lists()
    // As a tab of another browser links it: one component after another, then the status of the task.
    for (const [index, name] of components.entries()) {
      const step = { op: 'add', path: '/secrets/-', value: { name: 'registry' } } as const
      await cluster.system.patch(serviceAccountType, `build-pipeline-${name}`, [step], { namespace })
      await waitFor(() => expect(cell(row, 'Components')).toHaveTextContent(new RegExp(`^${index + 1}$`)))
      expect(cell(row, 'Status')).toHaveTextContent('Running')
    }
    const status = { op: 'replace', path: linkStatusPath, value: 'Succeeded' } as const
    await cluster.system.patch(secretType, 'registry', [status], { namespace })
    await waitFor(() => expect(cell(row, 'Status')).toHaveTextContent('Succeeded'))
    expect(cell(await rowOf('other'), 'Components')).toHaveTextContent(/^0$/)
    expect(lists()).toBe(listsBefore)
  })

  test.each([
    [403, 'service accounts are for admins'],
    [422, 'the selector is too long'],
  ])(
    'SEC-10 an error %i of service accounts is shown in their cells alone, and named by the badge',
    async (code, message) => {
      const { cluster, router, user } = await renderRoute(paths.about(), { objects: three })
      cluster.faults.intercept((path) =>
        path.includes('/serviceaccounts')
          ? Response.json({ kind: 'Status', code, message }, { status: code })
          : undefined,
      )
      await screen.findByRole('heading', { name: 'About Slipway' })
      await router.navigate(list)
      const error = await within(await rowOf('base')).findByRole('button', { name: 'Error: linked components of base' })
      expect(cell(await rowOf('opaque'), 'Components')).toHaveTextContent(/^-$/)
      expect(screen.queryByText(/Error while fetching/)).not.toBeInTheDocument()
      expect(screen.queryByText('Unused')).not.toBeInTheDocument()
      await user.click(error)
      const popover = await screen.findByRole('dialog', { name: 'Unable to load linked components' })
      expect(popover).toHaveTextContent(`${message}.`)
      await user.keyboard('{Escape}')
      await user.click(await screen.findByRole('button', { name: 'Partial' }))
      expect(await screen.findByText(`service accounts: ${message}`)).toBeVisible()
    },
  )

  it('are counted although components cannot be read, without links', async () => {
    const { cluster, router, user } = await renderRoute(paths.about(), { objects: three })
    cluster.faults.intercept((path) =>
      path.includes('/components') ? Response.json({ message: 'not for you' }, { status: 403 }) : undefined,
    )
    await screen.findByRole('heading', { name: 'About Slipway' })
    await router.navigate(list)
    await user.click(await within(await rowOf('base')).findByRole('button', { name: '2 linked components of base' }))
    const popover = within(await screen.findByRole('dialog'))
    expect(await popover.findByText('web')).toBeVisible()
    expect(popover.queryByRole('link')).not.toBeInTheDocument()
    expect(screen.queryByText('Component deleted')).not.toBeInTheDocument()
  })

  it('SEC-09 include service accounts that do not belong to a component', async () => {
    const runner = aServiceAccount({ metadata: { name: 'runner', namespace }, secrets: [{ name: 'base' }] })
    const { user } = await render([secret('base', registry), component('web'), linked('web', 'base'), runner])
    const count = await within(await rowOf('base')).findByRole('button', { name: '2 linked service accounts of base' })
    expect(count).toHaveTextContent(/^2$/)
    await user.click(count)
    expect(await screen.findByRole('link', { name: 'web' })).toBeVisible()
    expect(screen.getByText('Service account runner')).toBeVisible()
  })
})

describe('the labels of a secret', () => {
  it('SEC-11, SEC-12 are the first three, and all of them on demand', async () => {
    const own = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`label-${at + 10}`, 'on']))
    const { user } = await render([secret('many', 'Opaque', { labels: own }), secret('none')])
    const row = await rowOf('many')
    const shown = () =>
      within(cell(row, 'Labels'))
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent)
    expect(shown()).toEqual(['label-10=on', 'label-11=on', 'label-12=on'])
    await user.click(within(row).getByText('Show more'))
    expect(shown()).toHaveLength(40)
    await user.click(within(row).getByText('Show less'))
    expect(shown()).toHaveLength(3)
    expect(cell(await rowOf('none'), 'Labels')).toHaveTextContent(/^-$/)
  })

  it('SEC-11 have nothing more to show if there are three', async () => {
    await render([secret('three', 'Opaque', { labels: { a: '1', b: '2', c: '' } })])
    const row = await rowOf('three')
    expect(cell(row, 'Labels')).toHaveTextContent('a=1b=2c')
    expect(within(row).queryByText('Show more')).not.toBeInTheDocument()
  })
})

describe('the status of a secret', () => {
  it('SEC-13, LINK-39 is that of its link task, from its annotations, and changes with it', async () => {
    const { cluster } = await render([
      secret('waiting', registry, linkTask('Pending')),
      secret('running', registry, linkTask('Running')),
      secret('done', registry, { ...linkTask('Succeeded'), labels: { [labels.commonSecret]: 'true' } }),
      secret('never'),
    ])
    const statusOf = async (name: string) => cell(await rowOf(name), 'Status').textContent
    expect(await statusOf('waiting')).toBe('Pending')
    expect(await statusOf('running')).toBe('Running')
    expect(await statusOf('done')).toBe('Succeeded')
    expect(await statusOf('never')).toBe('-')
    await screen.findByRole('button', { name: 'Live' })
    await cluster.system.patch(secretType, 'waiting', [{ op: 'replace', path: linkStatusPath, value: 'Running' }], {
      namespace,
    })
    await waitFor(async () => expect(await statusOf('waiting')).toBe('Running'))
  })

  it('SEC-17, SEC-18, SEC-19, LINK-39 offers to view the error of a failed link task', async () => {
    const message = 'serviceaccounts "build-pipeline-web" is forbidden'
    const { user } = await render([secret('base', registry, linkTask('Failed', message))])
    await user.click(within(await rowOf('base')).getByText('View Error'))
    const dialog = await screen.findByRole('dialog', { name: 'Secret link task failed:' })
    expect(dialog).toHaveTextContent(message)
    await user.click(within(dialog).getByText('Close'))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(within(await rowOf('base')).getByRole('button', { name: 'View Error of base' })).toHaveFocus()
  })

  it('says that no reason was recorded if a failed link task has none', async () => {
    const { user } = await render([secret('base', registry, linkTask('Failed'))])
    await user.click(within(await rowOf('base')).getByText('View Error'))
    expect(await screen.findByText('Unkown Error')).toBeVisible()
  })
})

describe('secrets that need attention', () => {
  const hourMs = 3_600_000
  const expiring = (inMs: number) => ({
    annotations: { [annotations.credentialExpires]: new Date(Date.now() + inMs).toISOString() },
    labels: { [labels.commonSecret]: 'true' },
  })
  const objects = [
    component('web'),
    linked('web', 'used', 'left'),
    linked('removed', 'left'),
    secret('used', registry),
    secret('left', registry),
    secret('spare', registry),
    secret('expired', registry, expiring(-hourMs)),
    secret('fresh', registry, expiring(hourMs)),
    secret('broken', registry, linkTask('Failed', 'no')),
  ]

  it('are marked with a short text, and the reason as its description', async () => {
    await render(objects)
    const mark = async (name: string, text: string) => within(await rowOf(name)).findByText(text)
    expect(await mark('spare', 'Unused')).toHaveAttribute(
      'title',
      expect.stringMatching(/^Not linked to any component/),
    )
    expect(await mark('left', 'Component deleted')).toHaveAttribute(
      'title',
      'Linked to service accounts of deleted components: removed.',
    )
    expect(await mark('expired', 'Expired')).toHaveAttribute(
      'title',
      expect.stringMatching(/^Its credentials expired on/),
    )
    for (const name of ['used', 'fresh']) expect(cell(await rowOf(name), 'Status')).toHaveTextContent(/^-$/)
  })

  it('can be filtered by the reason, in the URL', async () => {
    const { user } = await render(objects)
    await within(await rowOf('spare')).findByText('Unused')
    await user.click(filterButton('Needs attention'))
    const choices = await screen.findAllByRole('menuitem')
    expect(choices.map(({ textContent }) => textContent)).toEqual([
      'Link failed 1',
      'Expired 1',
      'Component deleted 1',
      'Unused 1',
    ])
    await user.click(screen.getByRole('checkbox', { name: /^Unused/ }))
    await user.click(screen.getByRole('checkbox', { name: /^Link failed/ }))
    await waitFor(() => expect(rowNames()).toEqual(['broken', 'spare']))
    await waitFor(() => expect(new URLSearchParams(location.search).get('attention')).toBe('Unused,Link failed'))
  })
})

describe('deleting a secret', () => {
  const objects = [component('web'), linked('web', 'base'), secret('base', registry), secret('snyk')]

  it('SEC-14, SEC-20, SEC-21, SEC-68 asks for its name and says what is lost, then sends DELETE', async () => {
    const { cluster, user } = await render(objects)
    await user.click(await openAction(user, 'snyk', 'Delete'))
    const dialog = within(await screen.findByRole('dialog', { name: /Delete secret\?$/ }))
    expect(
      dialog.getByText(/The secret and its value will be deleted from all environments it is attached to\./),
    ).toBeVisible()
    const confirm = dialog.getByRole('button', { name: 'Delete' })
    await user.type(dialog.getByRole('textbox', { name: 'Type snyk to confirm' }), 'Snyk')
    expect(confirm).toHaveAttribute('aria-disabled', 'true')
    await user.clear(dialog.getByRole('textbox'))
    await user.type(dialog.getByRole('textbox'), 'snyk')
    await user.click(confirm)
    await waitFor(() => expect(rowNames()).toEqual(['base']))
    const writes = cluster.calls.filter(({ method }) => method === 'DELETE').map((call) => writeLine(call, collection))
    expect(writes).toEqual(['DELETE snyk (dry run)', 'DELETE snyk'])
  })

  it('says to which components it is linked, and that the links stay', async () => {
    const { user } = await render(objects)
    await within(await rowOf('base')).findByRole('button', { name: '1 linked component of base' })
    await user.click(await openAction(user, 'base', 'Delete'))
    expect(await screen.findByText(/It is linked to web: builds that need it will fail\. The links stay/)).toBeVisible()
  })

  it('shows a failure in the dialog', async () => {
    const { cluster, user } = await render(objects)
    cluster.faults.intercept((_, init) =>
      init.method === 'DELETE'
        ? Response.json({ kind: 'Status', code: 403, message: 'secrets "snyk" is forbidden' }, { status: 403 })
        : undefined,
    )
    await user.click(await openAction(user, 'snyk', 'Delete'))
    await user.type(await screen.findByRole('textbox', { name: 'Type snyk to confirm' }), 'snyk')
    await user.click(screen.getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText(/secrets "snyk" is forbidden/)).toBeVisible()
    expect(cluster.calls.filter((call) => call.method === 'DELETE' && !isDryRun(call))).toEqual([])
  })
})

describe('permissions', () => {
  const apiGroups = ['']
  const readers = grantTo({ apiGroups, resources: ['secrets'], verbs: ['get', 'list', 'watch'] })

  it('SEC-02, ACC-11 the list is forbidden without permission to list secrets', async () => {
    await render([secret('snyk')], { as: 'contributor' })
    expect(await screen.findByRole('heading', { name: "Let's get you access", level: 1 })).toBeVisible()
  })

  it('SEC-05, SEC-15 adding, editing and deleting stay visible without permission, and say why not', async () => {
    const { user } = await render([secret('snyk')], { as: 'outsider', objects: readers })
    const name = await rowOf('snyk')
    expect(within(name).queryByRole('link')).not.toBeInTheDocument()
    const add = screen.getByRole('button', { name: 'Add secret' })
    expect(add).toHaveAttribute('aria-disabled', 'true')
    await seeTooltip(user, add, "You don't have access to create a secret")
    for (const [action, reason] of [
      ['Edit secret', "You don't have access to edit this secret"],
      ['Delete', "You don't have access to delete this secret"],
    ] as const) {
      const item = await openAction(user, 'snyk', action)
      expect(item).toHaveAttribute('aria-disabled', 'true')
      await seeTooltip(user, item, reason)
      await user.keyboard('{Escape}')
    }
  })

  it('SEC-14 has its own action first, and editing behind a separator', async () => {
    const { user } = await render([secret('snyk')])
    await rowOf('snyk')
    await user.click(screen.getByRole('button', { name: 'Actions for snyk' }))
    const items = await screen.findAllByRole('menuitem')
    expect(items.map(({ textContent }) => textContent)).toEqual(['Delete', 'Edit secret'])
    expect(screen.getByRole('separator').nextElementSibling).toHaveTextContent('Edit secret')
  })

  it('linking again stays visible without permission, and says why not', async () => {
    const failed = secret('base', registry, linkTask('Failed', 'web: no'))
    const common = { ...failed, metadata: { ...failed.metadata, labels: { [labels.commonSecret]: 'true' } } }
    const { user } = await render([common], { as: 'outsider', objects: readers })
    const retry = within(await rowOf('base')).getByRole('button', { name: 'Retry linking base' })
    expect(retry).toHaveAttribute('aria-disabled', 'true')
    await seeTooltip(user, retry, "You don't have access to link this secret")
  })

  it('the name and Edit secret lead to the form for users who may edit', async () => {
    const { user, router } = await render([secret('snyk')])
    const edit = paths.editSecret({ namespace, secret: 'snyk' })
    expect(within(await rowOf('snyk')).getByRole('link', { name: 'snyk' })).toHaveAttribute('href', edit)
    await user.click(await openAction(user, 'snyk', 'Edit secret'))
    await waitFor(() => expect(router.state.location.pathname).toBe(edit))
  })
})

describe('without secrets', () => {
  it('SEC-03, SEC-05, SEC-06 the page says what they are for, and leads to Add secret', async () => {
    await render([])
    expect(
      await screen.findByRole('heading', { name: 'Easily manage your build and deployment secrets' }),
    ).toBeVisible()
    expect(screen.getByRole('link', { name: 'Add secret' })).toHaveAttribute('href', paths.createSecret({ namespace }))
  })

  it('a failed list is not shown as an empty one', async () => {
    const { cluster, router } = await renderRoute(paths.about())
    cluster.faults.intercept((path) =>
      path.includes('/secrets?') ? Response.json({ message: 'the query is too large' }, { status: 422 }) : undefined,
    )
    await screen.findByRole('heading', { name: 'About Slipway' })
    await router.navigate(list)
    expect(await screen.findByText('Unable to load secrets')).toBeVisible()
    expect(screen.getByText('the query is too large')).toBeVisible()
    expect(screen.queryByText('Easily manage your build and deployment secrets')).not.toBeInTheDocument()
  })
})
