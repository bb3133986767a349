import { namespaceType } from '@slipway/kube/core-types'
import { labels } from '@slipway/model/labels'
import { mintMakerNamespace } from '@slipway/model/platform/namespace'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { aComponent, anApplication, aNamespace, aPipelineRun, aRoleBinding, condition } from '@slipway/model/testing'
import { emailOf } from '@slipway/slipway/users'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { namespace } from '../../../test/cluster'
import { renderRoute } from '../../../test/render-route'
import { paths } from '../../paths'

const at = { namespace, application: 'checkout', component: 'api' }
const objects = [anApplication(), aComponent({ metadata: { name: 'api' } })]
const update = (name: string, hour: number, of: { component?: string; namespace?: string } = {}) =>
  aPipelineRun({
    metadata: {
      name,
      namespace: mintMakerNamespace,
      labels: {
        [labels.application]: undefined,
        [labels.component]: undefined,
        [labels.updatedComponent]: of.component ?? 'api',
        [labels.updatedNamespace]: of.namespace ?? namespace,
      },
    },
    status: {
      startTime: `2026-01-31T0${hour}:00:00Z`,
      completionTime: `2026-01-31T0${hour}:02:00Z`,
      conditions: [condition('Succeeded', hour === 2 ? 'False' : 'True')],
    },
  })
const updates = [
  update('renovate-1', 1),
  update('renovate-2', 2),
  update('renovate-web', 3, { component: 'web' }),
  update('renovate-elsewhere', 4, { namespace: 'team-other' }),
]
const mintMaker = aNamespace({ metadata: { name: mintMakerNamespace } })
const reader = aRoleBinding({
  metadata: { name: 'update-readers', namespace: mintMakerNamespace },
  roleRef: { kind: 'ClusterRole', name: 'konflux-contributor-user-actions' },
  subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: emailOf('contributor') }],
})
const open = (given: typeof updates, options: Partial<Parameters<typeof renderRoute>[1]> = {}) =>
  renderRoute(paths.dependencyUpdates(at), {
    as: 'contributor',
    objects: [mintMaker, reader, ...objects, ...given],
    ...options,
  })
const names = () => screen.queryAllByRole('rowheader').map((cell) => cell.textContent)

describe('the dependency updates of a component', () => {
  it('are the runs of MintMaker for it, newest first, with status, start and duration', async () => {
    await open(updates)
    await waitFor(() => expect(names()).toEqual(['renovate-2', 'renovate-1']))
    expect(screen.getAllByRole('columnheader').map((cell) => cell.textContent)).toEqual(
      'Status,Name,Started,Duration'.split(','),
    )
    const row = within(screen.getByRole('row', { name: /renovate-2/ }))
    expect(row.getByText('Failed')).toBeVisible()
    expect(row.getByText('2 minutes')).toBeVisible()
    expect(screen.getByRole('tab', { name: 'Dependency updates' })).toHaveAttribute('aria-selected', 'true')
  })

  it('are requested only when they are shown', async () => {
    const { user, cluster } = await renderRoute(paths.component(at), {
      as: 'contributor',
      objects: [mintMaker, reader, ...objects, ...updates],
    })
    await screen.findByRole('region', { name: 'Component details' })
    // Each path once: the client repeats a read that a slow machine answers late.
    const ofMintMaker = () =>
      new Set(
        cluster.calls.map(({ path }) => path).filter((path) => path.includes(`/namespaces/${mintMakerNamespace}/`)),
      )
    expect(ofMintMaker()).toEqual(new Set())
    await user.click(screen.getByRole('tab', { name: 'Dependency updates' }))
    await waitFor(() => expect(names()).toHaveLength(2))
    expect(ofMintMaker().size).toBe(1)
  })

  it('follow the cluster', async () => {
    const { cluster } = await open([])
    expect(await screen.findByRole('heading', { name: 'No dependency updates yet' })).toBeVisible()
    await screen.findByRole('button', { name: 'Live' })
    await cluster.system.create(pipelineRunType, update('renovate-5', 5))
    await waitFor(() => expect(names()).toEqual(['renovate-5']))
  })

  it('are not said to be none for a user who may not list them', async () => {
    const { cluster } = await open(updates, { objects: [mintMaker, ...objects, ...updates] })
    expect(await screen.findByRole('heading', { name: 'Restricted Access' })).toBeVisible()
    expect(screen.getByText(/You don't have access to this list in namespace mintmaker/)).toBeVisible()
    expect(screen.getByText(/a namespace that does not exist in the same way/)).toBeVisible()
    expect(screen.queryByText(/No dependency updates/)).not.toBeInTheDocument()
    expect(cluster.calls.filter(({ path }) => path.includes('/mintmaker/pipelineruns'))).toHaveLength(1)
  })

  it('do not exist on a platform without their namespace', async () => {
    const { cluster, router } = await renderRoute(paths.component(at), { as: 'contributor', objects })
    // As for a user who may read all namespaces: any other is refused whether or not it exists.
    cluster.faults.intercept((path) => {
      if (path.includes(`/namespaces/${mintMakerNamespace}/`))
        return Response.json({ kind: 'PipelineRunList', apiVersion: 'tekton.dev/v1', metadata: {}, items: [] })
      if (path.endsWith(`/${namespaceType.plural}/${mintMakerNamespace}`))
        return Response.json({ kind: 'Status', status: 'Failure', reason: 'NotFound', code: 404 }, { status: 404 })
      return undefined
    })
    await router.navigate(paths.dependencyUpdates(at))
    expect(await screen.findByRole('heading', { name: 'This platform has no dependency updates' })).toBeVisible()
  })
})
