import { secretType, serviceAccountType, type Secret } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { aComponent } from '@slipway/model/testing'
import { aSecret, aServiceAccount } from '@slipway/model/testing/build-services'
import { act, screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { expect, it } from 'vitest'
import { namespace } from '../../../test/cluster'
import { renderRoute } from '../../../test/render-route'
import { paths } from '../../paths'
import { startLinkTask } from '../../resources/link-tasks'

const names = Array.from({ length: 25 }, (_, index) => `service-${String(index + 1).padStart(2, '0')}`)
const secret = aSecret({
  metadata: { name: 'registry' },
  type: 'kubernetes.io/dockerconfigjson',
  data: { snyk_token: undefined, '.dockerconfigjson': btoa('{"auths":{}}') },
})

async function scene() {
  const objects = [
    ...names.map((name) => aComponent({ metadata: { name } })),
    ...names.map((name) => aServiceAccount({ metadata: { name: `build-pipeline-${name}` } })),
    secret,
  ]
  const rendered = await renderRoute(paths.applications({ namespace }), { objects })
  await screen.findByRole('heading', { level: 1 })
  const { cluster } = rendered
  return {
    ...rendered,
    stored: await cluster.system.get(secretType, 'registry', { namespace }),
    linkedCount: async () => {
      const { items } = await cluster.system.list(serviceAccountType, { namespace })
      return items.filter(({ secrets }) => secrets?.some(({ name }) => name === 'registry')).length
    },
  }
}

const alertOf = (title: HTMLElement) => title.closest<HTMLElement>('.pf-v6-c-alert') as HTMLElement
const start = (of: Secret) => act(() => startLinkTask(of, { option: 'all' }))
const isPatchOfAccount = (path: string, { method }: RequestInit) =>
  method === 'PATCH' && path.includes('/serviceaccounts/')

it('LINK-33 warns to keep the window open while a task runs, with its progress, and then reports the success', async () => {
  const { cluster, stored, linkedCount } = await scene()
  const waiting: (() => void)[] = []
  let sent = 0
  cluster.faults.intercept((path, init) => {
    if (!isPatchOfAccount(path, init) || ++sent <= 12) return undefined
    return new Promise((resolve) => waiting.push(() => resolve(cluster.faults.pass(path, init))))
  })
  start(stored)
  const alert = alertOf(await screen.findByText('Keep this window open while registry is being linked'))
  expect(alert).toHaveClass('pf-m-warning')
  expect(alert.closest('[aria-live=polite]')).not.toBeNull()
  expect(await within(alert).findByText('12 of 25 components')).toBeVisible()
  expect(within(alert).getByRole('progressbar')).toHaveAttribute('aria-valuenow', '48')
  const { violations } = await axe.run(alert, { rules: { 'color-contrast': { enabled: false } } })
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  await waitFor(() => {
    for (const release of waiting.splice(0)) release()
    expect(screen.getByText('The links of registry are up to date')).toBeVisible()
  })
  expect(screen.queryByText(/Keep this window open/)).not.toBeInTheDocument()
  expect(await linkedCount()).toBe(25)
})

it('LINK-35 reports what failed until it is dismissed or tried again', async () => {
  const { cluster, stored, user, linkedCount } = await scene()
  const end = cluster.faults.intercept((path, init) =>
    isPatchOfAccount(path, init) && /service-0[1-7]$/.test(path)
      ? Response.json({ message: 'a policy forbids it' }, { status: 403 })
      : undefined,
  )
  start(stored)
  const alert = alertOf(await screen.findByText('registry could not be linked as requested'))
  expect(alert).toHaveClass('pf-m-danger')
  expect(alert).toHaveTextContent('Failed: 7 of 25 components.')
  expect(
    within(alert)
      .getAllByRole('listitem')
      .map((item) => item.textContent)
      .sort(),
  ).toHaveLength(5)
  expect(alert).toHaveTextContent('a policy forbids it')
  expect(alert).toHaveTextContent('2 more failed.')
  expect(await linkedCount()).toBe(18)
  end()
  await user.click(within(alert).getByRole('button', { name: 'Try again' }))
  await screen.findByText('The links of registry are up to date')
  expect(await linkedCount()).toBe(25)
})

it('LINK-31 lets a second task wait for the first, and dismisses each by itself', async () => {
  const { cluster, stored, user } = await scene()
  const second = await cluster.system.create(secretType, { ...secret, metadata: { name: 'second', namespace } })
  const waiting: (() => void)[] = []
  let isHeld = true
  cluster.faults.intercept((path, init) =>
    isHeld && isPatchOfAccount(path, init)
      ? new Promise((resolve) => waiting.push(() => resolve(cluster.faults.pass(path, init))))
      : undefined,
  )
  start(stored)
  start(second)
  const alert = alertOf(await screen.findByText(`Keep this window open while ${nameOf(second)} is being linked`))
  expect(alert).toHaveTextContent('Waits for the link tasks before it.')
  await waitFor(() => expect(waiting.length).toBeGreaterThan(0))
  isHeld = false
  for (const release of waiting) release()
  const done = alertOf(await screen.findByText('The links of second are up to date'))
  await user.click(within(done).getByRole('button', { name: /Close|Dismiss/ }))
  expect(screen.queryByText('The links of second are up to date')).not.toBeInTheDocument()
})
