import { clusterRoleName } from '@slipway/model/access/roles/user-actions'
import { annotations, labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import {
  aComponent,
  aNamespace,
  anApplication,
  aPipelineRun,
  aRelease,
  aRoleBinding,
  condition,
} from '@slipway/model/testing'
import { aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { emailOf } from '@slipway/slipway/users'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { namespace } from '../../../test/cluster'
import { renderRoute } from '../../../test/render-route'
import { startViews } from '../../api/views/open-view'
import { paths } from '../../paths'
import { rememberPage } from '../../ui/page/recent-pages'

beforeEach(() => startViews())

const card = (title: string) => screen.findByRole('region', { name: new RegExp(`^${title}`) })

const build = (name: string, startTime: string, status: 'True' | 'False') =>
  aPipelineRun({
    metadata: {
      name,
      namespace,
      labels: {
        [labels.application]: 'checkout',
        [labels.component]: 'checkout-api',
        [labels.pipelineType]: 'build',
        [labels.eventType]: 'push',
      },
      annotations: { [annotations.pacShaTitle]: `Change of ${name}` },
    },
    status: {
      startTime,
      completionTime: startTime,
      conditions: [condition('Succeeded', status, status === 'True' ? 'Completed' : 'Failed')],
    },
  })
const broken = build('checkout-api-broken', '2026-01-31T10:00:00Z', 'False')
const fixed = build('checkout-api-fixed', '2026-01-31T11:00:00Z', 'True')

it('names the newest build of a component if it has failed, by its commit, until a newer one succeeds', async () => {
  const { cluster } = await renderRoute(paths.overview(), { objects: [anApplication(), broken] })
  const failing = await card('Failing now')
  const link = await within(failing).findByRole('link', { name: 'Change of checkout-api-broken' })
  expect(link).toHaveAttribute(
    'href',
    paths.pipelineRun({ namespace, application: 'checkout', pipelineRun: 'checkout-api-broken' }),
  )
  expect(failing).toHaveTextContent(`${namespace} · checkout-api`)
  expect(await card('Your namespaces')).toHaveTextContent('1 failing')
  await cluster.system.create(pipelineRunType, fixed, { namespace })
  expect(await within(failing).findByText('No newest build or test has failed.')).toBeVisible()
  await waitFor(async () => expect(await card('Your namespaces')).not.toHaveTextContent('1 failing'))
})

it('names what fails in one namespace while the runs of another have not arrived', async () => {
  const late = 'team-late'
  await renderRoute(paths.overview(), {
    objects: [
      anApplication(),
      broken,
      aNamespace({ metadata: { name: late } }),
      aRoleBinding({
        metadata: { name: 'admins', namespace: late },
        roleRef: { name: clusterRoleName('admin') },
        subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: emailOf('admin') }],
      }),
    ],
    prepare: (faults) =>
      faults.intercept((path) =>
        path.includes(`/namespaces/${late}/pipelineruns?`) ? new Promise<Response>(() => {}) : undefined,
      ),
  })
  const failing = await card('Failing now')
  expect(await within(failing).findByRole('link', { name: 'Change of checkout-api-broken' })).toBeVisible()
  expect(within(failing).getByText('Others are still being read.')).toBeVisible()
  const line = within(await card('Your namespaces'))
    .getByRole('link', { name: late })
    .closest('li')
  expect(line).toHaveTextContent('Unknown')
})

it('says what is held back and why, and what waits for a merge', async () => {
  const release = aRelease({
    metadata: { name: 'checkout-release', namespace, labels: { [labels.application]: 'checkout' } },
    status: { conditions: [{ ...condition('Released', 'False', 'Failed'), message: 'A rule is violated.' }] },
  })
  const snapshot = aSnapshot({
    metadata: { name: 'checkout-snapshot', namespace },
    status: { conditions: [condition('AppStudioTestSucceeded', 'False', 'Failed')] },
  })
  const component = aComponent({
    metadata: {
      name: 'checkout-web',
      namespace,
      annotations: {
        [annotations.buildStatus]: JSON.stringify({
          pac: { state: 'enabled', 'merge-url': 'https://git.test/pull/7' },
        }),
      },
    },
  })
  await renderRoute(paths.overview(), { objects: [anApplication(), release, snapshot, component] })
  const held = await card('Held back')
  expect(await within(held).findByText('A rule is violated.')).toBeVisible()
  expect(within(held).getByText('Required tests have not passed.')).toBeVisible()
  const merges = await card('Waiting for a merge')
  expect(await within(merges).findByRole('link', { name: /Merge pull request/ })).toHaveAttribute(
    'href',
    'https://git.test/pull/7',
  )
})

it('says what was released last, by its commit, and where to', async () => {
  const released = aRelease({
    metadata: {
      name: 'checkout-release',
      namespace,
      labels: { [labels.application]: 'checkout' },
      annotations: { [annotations.pacShaTitle]: 'Round half to even' },
    },
    spec: { releasePlan: 'to-production' },
    status: { completionTime: '2026-01-31T10:00:00Z', conditions: [condition('Released', 'True', 'Succeeded')] },
  })
  await renderRoute(paths.overview(), { objects: [anApplication(), released] })
  const last = within(await card('Last releases'))
  expect(await last.findByRole('link', { name: 'Round half to even' })).toHaveAttribute(
    'href',
    paths.release({ namespace, application: 'checkout', release: 'checkout-release' }),
  )
  expect(last.getByRole('link', { name: 'to-production' })).toHaveAttribute(
    'href',
    paths.releasePlan({ namespace, releasePlan: 'to-production' }),
  )
})

it('says that it does not know what it may not read', async () => {
  await renderRoute(paths.overview(), {
    objects: [anApplication()],
    prepare: (faults) =>
      faults.intercept((path) =>
        path.includes('/releases?')
          ? Response.json({ kind: 'Status', code: 403, reason: 'Forbidden' }, { status: 403 })
          : undefined,
      ),
  })
  expect(await within(await card('Held back')).findByText(/have access|Forbidden/)).toBeVisible()
  const line = within(await card('Your namespaces'))
    .getByRole('link', { name: namespace })
    .closest('li')
  await waitFor(() => expect(line).toHaveTextContent('Unknown'))
})

it('remembers pinned namespaces and the objects that were opened last', async () => {
  const { user } = await renderRoute(paths.overview(), { objects: [anApplication()] })
  const pin = await within(await card('Your namespaces')).findByRole('button', { name: `Pin ${namespace}` })
  expect(pin).toHaveAttribute('aria-pressed', 'false')
  await user.click(pin)
  expect(pin).toHaveAttribute('aria-pressed', 'true')
  expect(screen.queryByRole('region', { name: 'Recently opened' })).not.toBeInTheDocument()
  rememberPage(paths.components({ namespace, application: 'checkout' }), 'checkout')
  expect(within(await card('Recently opened')).getByRole('link', { name: 'checkout' })).toHaveAttribute(
    'href',
    paths.application({ namespace, application: 'checkout' }),
  )
})
