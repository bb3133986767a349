import { namespaceType, roleBindingType } from '@slipway/kube/core-types'
import { applicationType } from '@slipway/model/builds/application'
import { componentType } from '@slipway/model/builds/component'
import { QueryClientProvider } from '@tanstack/react-query'
import { render, renderHook, screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { UserName } from '@slipway/slipway/users'
import { namespace, reviewsIn, testCluster } from '../../../test/cluster'
import { startApi } from '../../../test/render-route'
import { accessQuery, prefetchAccess, requireAccess } from './access'
import { disabledReason, useAccess } from './use-access'
import type { AccessCheck } from './access-review'
import { client } from '../client'
import { queryClient } from '../query-client'

async function scene(as: UserName) {
  const cluster = await testCluster({ as })
  startApi()
  const reviews = () => reviewsIn(cluster.calls, 'SelfSubjectAccessReview')
  const rules = () => reviewsIn(cluster.calls, 'SelfSubjectRulesReview')
  return { ...cluster, reviews, rules }
}

const mayCreate: AccessCheck = { verb: 'create', type: applicationType, namespace }
const mayList: AccessCheck = { verb: 'list', type: applicationType, namespace }

function Control({ checks }: { checks: AccessCheck[] }) {
  const { isAllowed, isPending } = useAccess(checks)
  return (
    <button disabled={!isAllowed} aria-busy={isPending}>
      Create
    </button>
  )
}

const show = (...controls: AccessCheck[][]) =>
  render(
    <QueryClientProvider client={queryClient}>
      {controls.map((checks, index) => (
        <Control key={index} checks={checks} />
      ))}
    </QueryClientProvider>,
  )
const checked = () => waitFor(() => expect(screen.getAllByRole('button')[0]).toHaveAttribute('aria-busy', 'false'))

it('ACC-03, ACC-04, ACC-05 a check is a review with the resource attributes and nothing else', async () => {
  const { calls } = await scene('admin')
  await queryClient.fetchQuery(accessQuery(mayCreate))
  // Whether the cluster responds is asked now and then.
  expect(calls.filter(({ path }) => path !== '/api/k8s/version')).toEqual([
    {
      method: 'POST',
      path: '/api/k8s/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      body: {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        metadata: {},
        spec: {
          resourceAttributes: { group: 'appstudio.redhat.com', resource: 'applications', namespace, verb: 'create' },
        },
      },
    },
  ])
})

it('ACC-04 a check of a subresource names it in its review', async () => {
  const { reviews } = await scene('admin')
  await queryClient.fetchQuery(accessQuery({ ...mayCreate, subresource: 'status' }))
  await queryClient.fetchQuery(accessQuery(mayCreate))
  expect(reviews().map(({ spec }) => spec)).toMatchObject([
    { resourceAttributes: { resource: 'applications', subresource: 'status' } },
    { resourceAttributes: { resource: 'applications' } },
  ])
})

it('a decision counts for 30 seconds, and no longer', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  const { reviews } = await scene('admin')
  for (const [afterMs, sent] of [
    [0, 1],
    [29_900, 1],
    [200, 2],
  ] as const) {
    vi.setSystemTime(Date.now() + afterMs)
    await requireAccess([{ verb: 'create', type: applicationType, namespace }])
    await prefetchAccess([mayCreate])
    expect(reviews()).toHaveLength(sent)
  }
})

it('ACC-06 the cluster decides: an admin may create applications', async () => {
  await scene('admin')
  show([mayCreate])
  expect(screen.getByRole('button')).toBeDisabled()
  await checked()
  expect(screen.getByRole('button')).toBeEnabled()
})

it('ACC-06 the cluster decides: a contributor may not create applications', async () => {
  await scene('contributor')
  show([mayCreate])
  await checked()
  expect(screen.getByRole('button')).toBeDisabled()
})

it('ACC-08 a control with several checks is enabled only if all are allowed', async () => {
  await scene('maintainer')
  show([mayCreate, { verb: 'delete', type: roleBindingType, namespace }], [mayCreate, mayList])
  await checked()
  const [both, one] = screen.getAllByRole('button')
  await waitFor(() => expect(one).toBeEnabled())
  expect(both).toBeDisabled()
})

it('ACC-07 a failed review counts as denied', async () => {
  const { faults } = await scene('admin')
  faults.intercept((path) => (path.includes('reviews') ? Response.json({}, { status: 500 }) : undefined))
  show([mayCreate])
  await checked()
  expect(screen.getByRole('button')).toBeDisabled()
})

it('a rejected review is not repeated', async () => {
  const { faults, reviews } = await scene('admin')
  faults.intercept((path) => (path.includes('reviews') ? Response.json({}, { status: 403 }) : undefined))
  show([{ verb: 'list', type: namespaceType }])
  await checked()
  await queryClient.fetchQuery(accessQuery(mayList)).catch(() => undefined)
  expect(reviews()).toHaveLength(2)
})

it('equal checks share one request, however many controls make them', async () => {
  const { reviews } = await scene('admin')
  show([mayCreate], [mayCreate, mayList], [mayList], [mayCreate])
  await checked()
  await waitFor(() => expect(screen.getAllByRole('button')[3]).toBeEnabled())
  expect(reviews()).toHaveLength(2)
})

it('ACC-10 requireAccess resolves with permission and throws a 403 without', async () => {
  await scene('contributor')
  await expect(requireAccess([{ verb: 'list', type: applicationType, namespace }])).resolves.toBeUndefined()
  await expect(requireAccess([{ verb: 'create', type: applicationType, namespace }])).rejects.toMatchObject({
    code: 403,
    message: 'You need permission to create applications.appstudio.redhat.com.',
  })
})

it('ACC-07 requireAccess throws the error of a failed review, and not a 403', async () => {
  const { faults } = await scene('admin')
  faults.intercept((path) => (path.includes('reviews') ? Response.json({}, { status: 503 }) : undefined))
  await expect(requireAccess([{ verb: 'list', type: applicationType, namespace }])).rejects.toMatchObject({ code: 503 })
})

it('checks access again after a 403 in that namespace', async () => {
  const { system, reviews } = await scene('maintainer')
  show([mayCreate], [{ verb: 'create', type: componentType, namespace: 'elsewhere' }])
  await waitFor(() => expect(screen.getAllByRole('button')[0]).toBeEnabled())
  await system.delete(roleBindingType, 'konflux-maintainer-maintainer-user-actions', { namespace })
  const sent = reviews().length
  await expect(client.list(applicationType, { namespace })).rejects.toMatchObject({ code: 403 })
  await waitFor(() => expect(screen.getAllByRole('button')[0]).toBeDisabled())
  expect(reviews()).toHaveLength(sent + 1)
})

describe('a change of permissions', () => {
  it('is noticed by one review for the whole page, which then repeats every check', async () => {
    vi.useFakeTimers({
      toFake: ['setInterval', 'setTimeout', 'clearInterval', 'clearTimeout', 'Date'],
      shouldAdvanceTime: true,
    })
    const { system, reviews, rules } = await scene('maintainer')
    const shownMs = Date.now()
    show([mayCreate], [mayList])
    await waitFor(() => expect(screen.getAllByRole('button')[0]).toBeEnabled())
    await waitFor(() => expect(rules()).not.toEqual([]))
    const sent = reviews().length
    for (let passed = 0; passed < 45; passed++) {
      // On a slow machine, a request that time leaps over would seem lost and the cluster gone: then all is read again.
      await waitFor(() => expect(queryClient.isFetching()).toBe(0))
      await vi.advanceTimersByTimeAsync(1_000)
    }
    expect(reviews()).toHaveLength(sent)
    // Real time passes as well, on a busy machine more than the time between two reviews.
    const mostRepeated = Math.floor((Date.now() - shownMs) / 20_000)
    expect(rules().length).toBeLessThanOrEqual(1 + mostRepeated)
    // The cluster runs on its own clock, and a review in flight is not sent again.
    await waitFor(() => expect(queryClient.isFetching()).toBe(0))

    await system.delete(roleBindingType, 'konflux-maintainer-maintainer-user-actions', { namespace })
    await vi.advanceTimersByTimeAsync(20_500)
    await waitFor(() => expect(screen.getAllByRole('button')[0]).toBeDisabled())
  })

  it('is not assumed when only the order of the rules differs', async () => {
    vi.useFakeTimers({
      toFake: ['setInterval', 'setTimeout', 'clearInterval', 'clearTimeout', 'Date'],
      shouldAdvanceTime: true,
    })
    const { faults, reviews } = await scene('maintainer')
    const rules = ['applications', 'components'].map((resource) => ({ verbs: ['get'], resources: [resource] }))
    let answers = 0
    faults.intercept((path, { body }) => {
      if (path.endsWith('/access-reviews')) return Response.json({}, { status: 404 })
      if (!path.endsWith('selfsubjectrulesreviews') || !body) return undefined
      const resourceRules = answers++ % 2 ? rules.toReversed() : rules
      return Response.json({ status: { resourceRules, nonResourceRules: [], incomplete: false } })
    })
    show([mayCreate])
    await waitFor(() => expect(screen.getAllByRole('button')[0]).toBeEnabled())
    const sent = reviews().length
    await vi.advanceTimersByTimeAsync(65_000)
    await waitFor(() => expect(answers).toBeGreaterThan(3))
    expect(reviews()).toHaveLength(sent)
  })

  it('is noticed within 30 seconds even if the cluster does not reveal its rules', async () => {
    vi.useFakeTimers({
      toFake: ['setInterval', 'setTimeout', 'clearInterval', 'clearTimeout', 'Date'],
      shouldAdvanceTime: true,
    })
    const { system, faults, calls } = await scene('maintainer')
    faults.intercept((path) => {
      if (path.endsWith('/access-reviews')) return Response.json({}, { status: 404 })
      return path.endsWith('selfsubjectrulesreviews') ? Response.json({}, { status: 403 }) : undefined
    })
    show([mayCreate])
    await waitFor(() => expect(screen.getAllByRole('button')[0]).toBeEnabled())
    await vi.advanceTimersByTimeAsync(1_000)
    await system.delete(roleBindingType, 'konflux-maintainer-maintainer-user-actions', { namespace })
    await vi.advanceTimersByTimeAsync(30_500)
    await waitFor(() => expect(screen.getAllByRole('button')[0]).toBeDisabled())
    expect(calls.filter(({ path }) => path.endsWith('selfsubjectrulesreviews'))).toHaveLength(1)
  })
})

it('a control says that access is denied only after the cluster has', () => {
  const unknown = { isAllowed: false, isPending: false, hasFailed: false }
  expect(disabledReason({ ...unknown, isPending: true }, 'No.')).toBe('Checking your access')
  expect(disabledReason({ ...unknown, hasFailed: true }, 'No.')).toBe('Your access could not be checked')
  expect(disabledReason(unknown, 'No.')).toBe('No.')
  expect(disabledReason({ ...unknown, isAllowed: true }, 'No.')).toBe(false)
})

it('ACC-07 a failed check is distinguished from a denied one', async () => {
  const { faults } = await scene('contributor')
  // Sent one by one, a single review can fail.
  faults.intercept((path) => (path.endsWith('/access-reviews') ? Response.json({}, { status: 404 }) : undefined))
  faults.intercept((path, { body }) =>
    path.endsWith('selfsubjectaccessreviews') && String(body).includes('components')
      ? Response.json({}, { status: 500 })
      : undefined,
  )
  const { result } = renderHook(
    () => [
      useAccess([mayList, { ...mayList, type: componentType }]),
      useAccess([mayCreate, { ...mayCreate, type: componentType }]),
    ],
    {
      wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
    },
  )
  await waitFor(() => expect(result.current.map(({ isPending }) => isPending)).toEqual([false, false]))
  expect(result.current.map(({ isAllowed, hasFailed }) => ({ isAllowed, hasFailed }))).toEqual([
    { isAllowed: false, hasFailed: true },
    { isAllowed: false, hasFailed: false },
  ])
})

it('prefetchAccess sends all checks of a page at once, and a failed review does not block it', async () => {
  const { faults, reviews } = await scene('admin')
  faults.intercept((path) => (path.includes('reviews') ? Response.json({}, { status: 500 }) : undefined))
  await prefetchAccess([mayCreate, mayList, mayCreate])
  expect(reviews()).toHaveLength(2)
})
