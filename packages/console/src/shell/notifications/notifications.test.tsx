import { notificationLocation, type NotificationType } from '@slipway/model/platform/notification'
import { aConfigMap } from '@slipway/model/testing'
import { configMapType, roleBindingType, roleType } from '@slipway/kube/core-types'
import { apiVersionOf } from '@slipway/kube/resource-type'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, it, test } from 'vitest'
import { namespace as team } from '../../../test/cluster'
import { renderRoute } from '../../../test/render-route'
import { paths } from '../../paths'

const { namespace, labels } = notificationLocation
const withFlag = `${paths.overview()}?ff_system-notifications=true`

const notification = (name: string, content: object, hoursAgo = 0) =>
  aConfigMap({
    metadata: { name, namespace, labels },
    data: {
      'notification-content.json': JSON.stringify({
        activeTimestamp: new Date(Date.now() - hoursAgo * 3_600_000 - 1_000).toISOString(),
        ...content,
      }),
    },
  })

/** The permission that a platform has to grant before users see notifications. */
const readers = [
  {
    apiVersion: apiVersionOf(roleType),
    kind: roleType.kind,
    metadata: { name: 'notification-readers', namespace },
    rules: [{ apiGroups: [''], resources: [configMapType.plural], verbs: ['list'] }],
  },
  {
    apiVersion: apiVersionOf(roleBindingType),
    kind: roleBindingType.kind,
    metadata: { name: 'notification-readers', namespace },
    roleRef: { apiGroup: roleType.group, kind: roleType.kind, name: 'notification-readers' },
    subjects: [{ kind: 'Group', apiGroup: roleType.group, name: 'system:authenticated' }],
  },
]

const bell = () => screen.findByRole('button', { name: /^Notifications, \d+$/ })
const drawer = () => screen.queryByRole('complementary', { name: 'Notifications' })

it('SHELL-05 the bell appears only with its flag, and notifications are not requested without it', async () => {
  const { cluster, router } = await renderRoute(paths.about())
  await screen.findByRole('heading', { name: 'About Slipway' })
  expect(screen.queryByRole('button', { name: /^Notifications/ })).not.toBeInTheDocument()
  expect(cluster.calls.some(({ path }) => path.includes('system-notification'))).toBe(false)
  await router.navigate(withFlag)
  expect(await bell()).toBeVisible()
})

it('NOTE-01 notifications are read from config maps with their label', async () => {
  const { cluster } = await renderRoute(withFlag, {
    objects: [...readers, notification('now', { type: 'info', summary: 'One' })],
  })
  await screen.findByRole('button', { name: 'Notifications, 1' })
  expect(cluster.calls.map(({ path }) => decodeURIComponent(path))).toContainEqual(
    expect.stringContaining(
      `/namespaces/${namespace}/configmaps?labelSelector=appstudio.openshift.io/system-notification=true`,
    ),
  )
})

it('SHELL-06, NOTE-16, NOTE-20, NOTE-21 notifications are counted on the bell, and new ones in the drawer', async () => {
  const { user } = await renderRoute(withFlag, {
    objects: [
      ...readers,
      notification('now', { type: 'info', summary: 'One' }),
      notification('old', { type: 'info', summary: 'Two' }, 2),
      notification('soon', { type: 'info', summary: 'Three' }, -1),
      aConfigMap({ metadata: { name: 'unlabelled', namespace }, data: { 'notification-content.json': '{}' } }),
    ],
  })
  const bell = await screen.findByRole('button', { name: 'Notifications, 2' })
  expect(bell).toHaveTextContent(/^2$/)
  await user.click(bell)
  expect(await screen.findByText('2 total, 1 new (past hour)')).toBeVisible()
  const itemOf = (text: string) => screen.getByText(text).closest('li')
  expect(itemOf('One')).not.toHaveClass('pf-m-read')
  expect(itemOf('Two')).toHaveClass('pf-m-read')
})

it('NOTE-11 the bell opens and closes the drawer; Escape closes it and returns the focus to the bell', async () => {
  const { user } = await renderRoute(withFlag, { objects: readers })
  await user.click(await bell())
  await waitFor(() => expect(drawer()).toHaveFocus())
  expect(await bell()).toHaveAttribute('aria-expanded', 'true')
  await user.click(await bell())
  expect(drawer()).not.toBeInTheDocument()
  await user.click(await bell())
  await waitFor(() => expect(drawer()).toHaveFocus())
  await user.keyboard('{Escape}')
  expect(drawer()).not.toBeInTheDocument()
  expect(await bell()).toHaveFocus()
  await user.click(await bell())
  await user.click(await screen.findByRole('button', { name: 'Close notifications' }))
  expect(drawer()).not.toBeInTheDocument()
})

it('NOTE-12, NOTE-17 the drawer lists notifications with title, summary and time, newest first', async () => {
  const { user } = await renderRoute(withFlag, {
    objects: [
      ...readers,
      notification('maintenance', { type: 'warning', summary: 'The database moves tonight.' }, 3),
      notification('upgrade', { type: 'info', title: 'Upgrade', summary: 'All is [new](https://example.com).' }, 2),
    ],
  })
  await user.click(await bell())
  const items = within(await screen.findByRole('list', { name: 'Notifications' })).getAllByRole('listitem')
  expect(await screen.findByRole('link', { name: 'new' })).toHaveAttribute('href', 'https://example.com')
  expect(items.map((item) => item.textContent)).toEqual([
    expect.stringMatching(/Info.*Upgrade.*All is new\..*2h ago/),
    expect.stringMatching(/Warning.*maintenance.*The database moves tonight\..*3h ago/),
  ])
})

test.each<[string, NotificationType, string]>([
  ['NOTE-13 info is blue', 'info', 'pf-m-blue'],
  ['NOTE-14 warning is gold', 'warning', 'pf-m-yellow'],
  ['NOTE-15 danger is red', 'danger', 'pf-m-red'],
])('%s', async (_, type, colour) => {
  const { user } = await renderRoute(withFlag, { objects: [...readers, notification('n', { type, summary: 'x' })] })
  await user.click(await bell())
  const word = await screen.findByText(type[0]?.toUpperCase() + type.slice(1))
  expect(word.closest('.pf-v6-c-label')).toHaveClass(colour)
})

it('NOTE-18, NOTE-19, NOTE-20, NOTE-22 a user who may not read notifications sees why in the drawer, and nowhere else', async () => {
  const { user, cluster } = await renderRoute(`${paths.applications({ namespace: team })}?ff=system-notifications`, {
    objects: [notification('n', { type: 'info', summary: 'Secret' })],
  })
  await screen.findByRole('heading', { name: 'Applications', level: 1 })
  await waitFor(() => expect(cluster.calls.some(({ path }) => path.includes('system-notification'))).toBe(true))
  const closed = await screen.findByRole('button', { name: 'Notifications, 0' })
  expect(screen.queryByText('Unable to load system notifications')).not.toBeInTheDocument()
  await user.click(closed)
  await screen.findByText('Unable to load system notifications')
  expect(within(drawer() as HTMLElement).getByText(/configmaps is forbidden/)).toBeVisible()
  expect(screen.getAllByText('Unable to load system notifications')).toHaveLength(1)
  expect(screen.getByRole('heading', { name: 'Applications', level: 1 })).toBeVisible()
})

it('the drawer says that there are no notifications', async () => {
  const { user } = await renderRoute(withFlag, { objects: readers })
  await user.click(await bell())
  expect(await screen.findByRole('heading', { name: 'No notifications' })).toBeVisible()
  expect(screen.getByText('0 total, 0 new (past hour)')).toBeVisible()
})
