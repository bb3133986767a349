import { nameOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import { releaseType } from '@slipway/model/releases/release'
import { anApplication, aRelease, condition } from '@slipway/model/testing'
import { aReleasePlan, aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { beforeEach, describe, expect, it, test } from 'vitest'
import { namespace } from '../../../test/cluster'
import { renderRoute } from '../../../test/render-route'
import { startViews } from '../../api/views/open-view'
import { paths } from '../../paths'

beforeEach(() => startViews())

const application = 'checkout'
const at = { namespace, application }
const plan = { namespace, releasePlan: 'to-production' }
const [oldSha, newSha] = ['a'.repeat(40), 'b'.repeat(40)]
const time = (hour: number) => `2026-01-31T${String(hour).padStart(2, '0')}:00:00Z`

/** Those of one second are as old as their names say. */
const snapshot = (name: string, hour: number, sha: string, passed: 'True' | 'False') =>
  aSnapshot({
    metadata: { name, namespace, creationTimestamp: time(hour), labels: { [labels.commitSha]: sha } },
    spec: {
      components: [
        {
          name: 'checkout-api',
          containerImage: `registry.test/checkout-api@sha256:${sha.slice(0, 32).repeat(2)}`,
          source: { git: { url: 'https://github.com/acme/checkout-api', revision: sha } },
        },
      ],
    },
    status: {
      conditions: [
        condition('AppStudioTestSucceeded', passed),
        condition('AppStudioIntegrationStatus', 'True', 'Finished'),
      ],
    },
  })
const release = (name: string, of: string, hour: number, outcome: 'Succeeded' | 'Failed' = 'Succeeded') =>
  aRelease({
    metadata: { name, namespace, creationTimestamp: time(hour) },
    spec: { releasePlan: plan.releasePlan, snapshot: of },
    status: {
      conditions: [condition('Released', outcome === 'Succeeded' ? 'True' : 'False', outcome)],
      completionTime: time(hour),
      attribution: { author: 'ann.example.com' },
    },
  })
const objects = [
  anApplication({ metadata: { name: application, namespace } }),
  aReleasePlan({
    metadata: { name: plan.releasePlan, namespace },
    spec: { application },
    status: { releasePlanAdmission: { name: 'release-managed/prod', active: true } },
  }),
  snapshot('checkout-s1', 8, oldSha, 'True'),
  snapshot('checkout-s2', 10, newSha, 'False'),
  release('checkout-r1', 'checkout-s1', 9),
]

const cells = async (table: string) => {
  await waitFor(() => expect(screen.getByRole('table', { name: table })).not.toHaveTextContent(/^.*Loading/))
  return within(screen.getByRole('table', { name: table }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent)
}

describe('the page of a release plan', () => {
  it('says which commit of each component is released, since when and by whom', async () => {
    await renderRoute(paths.releasePlan(plan), { objects })
    const components = await screen.findByRole('table', { name: 'Components' })
    expect(within(components).getByRole('link', { name: oldSha.slice(0, 7) })).toHaveAttribute(
      'href',
      paths.commit({ ...at, commit: oldSha }),
    )
    const facts = within(screen.getByRole('region', { name: 'Released now' }))
    expect(facts.getByRole('link', { name: 'checkout-r1' })).toHaveAttribute(
      'href',
      paths.release({ ...at, release: 'checkout-r1' }),
    )
    expect(await facts.findByText('ann.example.com')).toBeVisible()
    expect(facts.getByText('Since').closest('div')?.querySelector('time')).toHaveAttribute('datetime', time(9))
  })

  it('says what is newer and why it is held back, as the page of the snapshot does', async () => {
    await renderRoute(paths.releasePlan(plan), { objects })
    await screen.findByRole('table', { name: 'Newer snapshots' })
    const [newer] = await cells('Newer snapshots')
    expect(newer).toContain('Held back')
    expect(newer).toContain('Required tests have not passed.')
    expect(screen.getByRole('link', { name: 'Trigger release with to-production' })).toHaveAttribute(
      'href',
      paths.triggerReleaseOf({ ...plan, snapshot: 'checkout-s2' }),
    )
  })

  it('says that nothing is newer once the newest snapshot is released', async () => {
    await renderRoute(paths.releasePlan(plan), { objects: [...objects, release('checkout-r2', 'checkout-s2', 11)] })
    expect(await screen.findByText(/^Nothing is newer/)).toBeVisible()
  })

  it('says that no release has succeeded', async () => {
    const failed = release('checkout-r1', 'checkout-s1', 9, 'Failed')
    await renderRoute(paths.releasePlan(plan), { objects: [...objects.slice(0, -1), failed] })
    expect(await screen.findByText('No known release of this plan has succeeded.')).toBeVisible()
  })

  it('shows why the releases could not be read', async () => {
    await renderRoute(paths.releasePlan(plan), {
      objects,
      prepare: (faults) =>
        faults.intercept((path) =>
          path.includes('/releases?')
            ? Response.json({ kind: 'Status', code: 400, message: 'etcd is down' }, { status: 400 })
            : undefined,
        ),
    })
    expect((await screen.findAllByText(/etcd is down/))[0]).toBeVisible()
  })

  it('opens from the name of the plan; editing is an action', async () => {
    const { user, router } = await renderRoute(paths.releasePlans({ namespace }), { objects })
    await user.click(await screen.findByRole('link', { name: plan.releasePlan }))
    expect(await screen.findByRole('heading', { name: plan.releasePlan, level: 1 })).toBeVisible()
    await user.click(await screen.findByRole('button', { name: `Actions for ${plan.releasePlan}` }))
    await user.click(await screen.findByRole('menuitem', { name: 'Edit release plan' }))
    await waitFor(() => expect(router.state.location.pathname).toBe(paths.editReleasePlan(plan)))
  })

  it('REL-11 runs a release of its history again', async () => {
    const { user, cluster } = await renderRoute(paths.releasePlanReleases(plan), { objects })
    await user.click(await screen.findByRole('button', { name: 'Actions for checkout-r1' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Re-run' }))
    await user.click(await screen.findByRole('button', { name: 'Re-run' }))
    await waitFor(async () => {
      const { items } = await cluster.system.list(releaseType, { namespace })
      expect(items.filter((each) => nameOf(each).startsWith('checkout-r1-rerun-'))).toHaveLength(1)
    })
  })

  it('compares what is released with what would be next, or any two', async () => {
    const { user, router } = await renderRoute(paths.releasePlanComparison(plan), { objects })
    const [change] = await cells('Changes')
    expect(change).toContain('Changed')
    expect(change).toContain(oldSha.slice(0, 7))
    expect(change).toContain(newSha.slice(0, 7))
    await user.click(screen.getByRole('button', { name: 'Switch newer snapshot, now checkout-s2' }))
    await user.click(await screen.findByRole('menuitem', { name: /^checkout-s1/ }))
    await waitFor(() => expect(router.state.location.search).toBe('?to=checkout-s1'))
    expect(await screen.findByText('Unchanged')).toBeVisible()
  })

  it('has nothing to compare before a first release', async () => {
    await renderRoute(paths.releasePlanComparison(plan), { objects: objects.slice(0, 2) })
    expect(await screen.findByText('Nothing to compare')).toBeVisible()
  })

  it('is accessible', async () => {
    const { container } = await renderRoute(paths.releasePlan(plan), { objects })
    await screen.findByRole('table', { name: 'Newer snapshots' })
    await screen.findByRole('table', { name: 'Components' })
    expect((await axe.run(container)).violations).toEqual([])
  })
})

test.each([
  ['its overview', paths.application(at), 'Released now'],
  ['its releases', paths.releases(at), 'Held back'],
])('an application says in %s what each plan has released and what is held back', async (_, path, table) => {
  await renderRoute(path, { objects })
  const [state] = await cells(table)
  expect(state).toContain(plan.releasePlan)
  expect(state).toContain(oldSha.slice(0, 7))
  expect(state).toContain('Held back')
  expect(state).toContain('Required tests have not passed.')
})

it('says nothing of plans among the releases of an application while nothing is held back', async () => {
  await renderRoute(paths.releases(at), { objects: [...objects, release('checkout-r2', 'checkout-s2', 11)] })
  expect(await screen.findByRole('link', { name: 'checkout-r2' })).toBeVisible()
  expect(screen.queryByRole('table', { name: 'Held back' })).not.toBeInTheDocument()
})
