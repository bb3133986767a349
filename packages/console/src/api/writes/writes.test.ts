import { secretType } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { ApiError } from '@slipway/kube/status'
import { applicationType } from '@slipway/model/builds/application'
import { componentType } from '@slipway/model/builds/component'
import { aComponent, anApplication } from '@slipway/model/testing'
import type { UserName } from '@slipway/slipway/users'
import { QueryObserver } from '@tanstack/react-query'
import { expect, it, onTestFinished, vi } from 'vitest'
import { namespace, testCluster } from '../../../test/cluster'
import { startApi } from '../../../test/render-route'
import { applications } from '../../resources/applications'
import { components } from '../../resources/components'
import { writeFailure } from './write-messages'
import { freshnessOf } from '../live/freshness'
import { countQuery, getQuery, listQuery } from '../queries'
import { queryClient } from '../query-client'
import { inOrder, WriteError } from './perform-writes'
import { create, patch, remove, replace, sendWrite } from './writes'

const application = (name: string) => anApplication({ metadata: { name, namespace } })
const component = (name: string) => aComponent({ metadata: { name, namespace } })

async function scene(as: UserName = 'admin') {
  const cluster = await testCluster({ as, objects: [application('checkout')] })
  startApi()
  const written = () =>
    cluster.calls
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path }) => `${method} ${path.replace(/^.*\/namespaces\/[^/]+\//, '')}`)
  const names = async () => (await cluster.system.list(applicationType, { namespace })).items.map(nameOf).toSorted()
  const isStale = (query: { queryKey: readonly unknown[] }) => queryClient.getQueryState(query.queryKey)?.isInvalidated
  return { ...cluster, written, names, isStale }
}

const failureOf = (writing: Promise<unknown>) =>
  writing.then(
    () => expect.fail('the writes succeeded'),
    (error: unknown) => (error instanceof WriteError ? error : expect.fail(String(error))),
  )

it('CALL-20, CALL-26 sends every write as a dry run, and only then each for real, in order', async () => {
  const { written, names } = await scene()
  const [first] = await inOrder([create(applicationType, application('a')), create(componentType, component('b'))])
  expect(written()).toEqual([
    'POST applications?dryRun=All',
    'POST components?dryRun=All',
    'POST applications',
    'POST components',
  ])
  expect(first?.result).toMatchObject({ kind: 'Application', metadata: { name: 'a' } })
  expect(await names()).toEqual(['a', 'checkout'])
})

it('writes nothing when one dry run is rejected', async () => {
  const { written, names } = await scene()
  const failure = await failureOf(
    inOrder([create(applicationType, application('a')), create(applicationType, application('checkout'))]),
  )
  expect(failure.cause).toMatchObject({ code: 409, reason: 'AlreadyExists' })
  expect(failure.applied).toEqual([])
  expect(written()).toHaveLength(2)
  expect(await names()).toEqual(['checkout'])
})

it('ERR-21 a rejection carries the message of the cluster', async () => {
  await scene('contributor')
  const failure = await failureOf(inOrder([create(applicationType, application('a'))]))
  expect(failure.cause).toBeInstanceOf(ApiError)
  expect(writeFailure(failure)).toEqual({
    title: 'An error occurred',
    body: expect.stringContaining('cannot create resource "applications"') as string,
  })
})

it('reports what was already created when a later write fails', async () => {
  const { faults, names } = await scene()
  faults.intercept((path) =>
    path.endsWith('/components') ? Response.json({ message: 'the disk is full' }, { status: 500 }) : undefined,
  )
  const failure = await failureOf(
    inOrder([create(applicationType, application('a')), create(componentType, component('b'))]),
  )
  expect(writeFailure(failure).body).toBe('the disk is full. Already done: Application a was created.')
  expect(await names()).toEqual(['a', 'checkout'])
})

it('CALL-32 a write refetches the lists and counts of that kind in that namespace, and no others', async () => {
  const { isStale } = await scene()
  const everywhere = listQuery(applicationType)
  const read = [
    applications.list(namespace),
    applications.list('other'),
    components.listed(namespace),
    everywhere,
  ] as const
  const count = countQuery(applicationType, { namespace })
  for (const query of read) queryClient.setQueryData(query.queryKey, { metadata: {}, items: [] })
  queryClient.setQueryData(count.queryKey, 1)
  await inOrder([create(applicationType, application('a'))])
  expect([...read, count].map(isStale)).toEqual([true, false, false, true, true])
})

it('a live list is not refetched, since the change arrives through its watch', async () => {
  const { calls } = await scene()
  const list = applications.list(namespace)
  const stop = new QueryObserver(queryClient, list).subscribe(() => {})
  onTestFinished(stop)
  const names = () => queryClient.getQueryData(list.queryKey)?.items.map(nameOf)
  await vi.waitFor(() => expect(freshnessOf(list.queryKey).kind).toBe('live'))
  const readsBefore = reads(calls)
  await inOrder([create(applicationType, application('a'))])
  await vi.waitFor(() => expect(names()).toContain('a'))
  expect(reads(calls)).toBe(readsBefore)
})

const reads = (calls: { method: string; path: string }[]) =>
  calls.filter(({ method, path }) => method === 'GET' && /\/applications(\?|$)/.test(path)).length

it('CALL-33 a dry run invalidates nothing', async () => {
  const { isStale, faults } = await scene()
  const list = applications.list(namespace)
  queryClient.setQueryData(list.queryKey, { metadata: {}, items: [] })
  faults.intercept((path) =>
    path.endsWith('/applications') ? Response.json({ message: 'not now' }, { status: 409 }) : undefined,
  )
  await failureOf(inOrder([create(applicationType, application('a'))]))
  expect(isStale(list)).toBe(false)
})

it('a write without a response refetches the list, since it may have been applied', async () => {
  const { isStale, faults } = await scene()
  const list = applications.list(namespace)
  queryClient.setQueryData(list.queryKey, { metadata: {}, items: [] })
  faults.intercept((path, { method }) =>
    method === 'POST' && !path.includes('dryRun') ? Promise.reject(new TypeError('Failed to fetch')) : undefined,
  )
  const failure = await failureOf(inOrder([create(applicationType, application('a'))]))
  expect(writeFailure(failure).body).toBe('The server cannot be reached.')
  expect(isStale(list)).toBe(true)
})

it('CALL-34 a delete also removes the cached item', async () => {
  const { names } = await scene()
  const item = applications.get(namespace, 'checkout')
  await queryClient.fetchQuery(item)
  await inOrder([remove(applicationType, { namespace, name: 'checkout' })])
  expect(queryClient.getQueryData(item.queryKey)).toBeUndefined()
  expect(await names()).toEqual([])
})

it('CALL-34 the query of an object on screen fails with a 404 after a delete', async () => {
  await scene()
  const item = getQuery(applicationType, { namespace, name: 'checkout' })
  onTestFinished(new QueryObserver(queryClient, item).subscribe(() => {}))
  await vi.waitFor(() => expect(queryClient.getQueryData(item.queryKey)).toBeDefined())
  await inOrder([remove(applicationType, { namespace, name: 'checkout' })])
  await vi.waitFor(() => expect(queryClient.getQueryState(item.queryKey)?.error).toMatchObject({ code: 404 }))
})

it('a delete with a precondition spares a new object of the same name', async () => {
  const { names } = await scene()
  const other = { namespace, name: 'checkout' }
  const failure = await failureOf(
    inOrder([remove(applicationType, other, { preconditions: { uid: 'of-another-one' } })]),
  )
  expect(failure.cause).toMatchObject({ code: 409 })
  expect(await names()).toEqual(['checkout'])
})

it('FORM-05 a delete that was accepted as a dry run deletes nothing when a later dry run is rejected', async () => {
  const { system, names } = await scene()
  const { metadata } = await system.get(applicationType, 'checkout', { namespace })
  const failure = await failureOf(
    inOrder([
      remove(applicationType, { namespace, name: 'checkout' }, { preconditions: { uid: metadata.uid } }),
      remove(applicationType, { namespace, name: 'missing' }),
    ]),
  )
  expect(failure.cause).toMatchObject({ code: 404 })
  expect(await names()).toEqual(['checkout'])
})

it('after a change the cached item is what the cluster returned', async () => {
  await scene()
  const item = applications.get(namespace, 'checkout')
  const before = await queryClient.fetchQuery(item)
  await inOrder([replace(applicationType, { ...before, spec: { displayName: 'Till' } })])
  expect(queryClient.getQueryData(item.queryKey)?.spec.displayName).toBe('Till')
  const steps = [{ op: 'replace' as const, path: '/spec/displayName', value: 'Desk' }]
  await inOrder([patch(applicationType, { namespace, name: 'checkout' }, steps)])
  expect(queryClient.getQueryData(item.queryKey)?.spec.displayName).toBe('Desk')
})

it('a change to an object that another user has changed meanwhile is rejected', async () => {
  const { system } = await scene()
  const before = await queryClient.fetchQuery(applications.get(namespace, 'checkout'))
  const steps = [{ op: 'replace' as const, path: '/spec/displayName', value: 'Theirs' }]
  await system.patch(applicationType, 'checkout', steps, { namespace })
  const failure = await failureOf(inOrder([replace(applicationType, { ...before, spec: { displayName: 'Mine' } })]))
  expect(failure.cause).toMatchObject({ code: 409, reason: 'Conflict' })
})

it('a second attempt sends only what the first one did not apply, and returns everything', async () => {
  const { faults, written, calls } = await scene()
  const writes = () => [create(applicationType, application('a')), create(componentType, component('b'))]
  const heal = faults.intercept((path) =>
    path.endsWith('/components') ? Response.json({ message: 'the disk is full' }, { status: 500 }) : undefined,
  )
  const previous = await failureOf(inOrder(writes()))
  heal()
  calls.length = 0
  const results = await inOrder(writes(), { previous })
  expect(written()).toEqual(['POST components?dryRun=All', 'POST components'])
  expect(results.map(({ result }) => result)).toMatchObject([{ kind: 'Application' }, { kind: 'Component' }])
})

it('a Secret is never replaced, since the values of one that was read are blank', async () => {
  const { system, written } = await scene()
  const stored = await system.create(secretType, {
    metadata: { name: 'token', namespace },
    type: 'Opaque',
    data: { key: 'dmFsdWU=' },
  })
  const blank = { ...stored, data: { key: '' } }
  await expect(sendWrite(replace(secretType, blank))).rejects.toThrow('A Secret cannot be replaced')
  expect(written()).toEqual([])
})
