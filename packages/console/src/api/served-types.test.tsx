import { nameOf, uidOf } from '@slipway/kube/object'
import { apiVersionOf, inEachGroup, qualifiedPlural } from '@slipway/kube/resource-type'
import { componentType } from '@slipway/model/builds/component'
import { integrationTestScenarioType } from '@slipway/model/snapshots/integration-test-scenario'
import type { GroupLayout } from '@slipway/model/group-layout'
import { aComponent } from '@slipway/model/testing'
import { groupLayouts, inNewestGroup } from '@slipway/model/testing/group-layouts'
import { anIntegrationTestScenario } from '@slipway/model/testing/tests-and-releases'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import { describe, expect, it, onTestFinished } from 'vitest'
import { namespace, reviewsIn, testCluster } from '../../test/cluster'
import { fastClock } from '../../test/fast-clock'
import { startApi } from '../../test/render-route'
import { components } from '../resources/components'
import { nudgeConfigs } from '../resources/nudge-configs'
import { accessQuery, requireAccess } from './access/access'
import { client } from './client'
import { useFreshness } from './live/freshness'
import { countQuery, firstPageQuery, getQuery, listQuery } from './queries'
import { queryClient } from './query-client'
import { knownTypes, servedTypes, startDiscovery } from './served-types'
import { previewWrites } from './writes/write-preview'
import { create, patch, remove, replace, sendWrite } from './writes/writes'

const [newType, oldType = newType] = inEachGroup(componentType)
const old = (name: string) => aComponent({ metadata: { name, namespace } })
const moved = (name: string) => inNewestGroup(old(name))
/** A component in each group that the layout has. */
const contents = { old: [old('a'), old('b')], both: [old('a'), moved('b')], new: [moved('a'), moved('b')] }

async function scene(groups: GroupLayout, objects = contents[groups]) {
  const cluster = await testCluster({ as: 'admin', groups, objects })
  startApi(fastClock())
  onTestFinished(startDiscovery(client.request))
  const gets = (part: string) => cluster.calls.filter(({ path, method }) => method === 'GET' && path.includes(part))
  return { ...cluster, gets }
}

const at = (name: string) => ({ namespace, name })
const add = (value: string) => [{ op: 'add' as const, path: '/metadata/annotations', value: { changed: value } }]

describe.each(groupLayouts)('on a cluster with the layout %s', (layout) => {
  const groupsOf = { old: [oldType], both: [newType, oldType], new: [newType] }[layout].map(({ group }) => group)

  it('a kind is found in the groups that serve it, the newest first, with one request for each group', async () => {
    const { gets } = await scene(layout)
    const found = await Promise.all([servedTypes(componentType), servedTypes(componentType)])
    for (const types of found) expect(types.map(({ group }) => group)).toEqual(groupsOf)
    expect(knownTypes(componentType)).toEqual(found[1])
    const paths = gets('/apis/').map(({ path }) => path.replace('/api/k8s/apis/', ''))
    expect(paths).toEqual([newType, oldType].slice(0, layout === 'old' ? 1 : 2).map(apiVersionOf))
  })

  it('a list has the objects of every group, each once, and counting and searching include all', async () => {
    await scene(layout)
    const { items } = await queryClient.fetchQuery(listQuery(componentType, { namespace }))
    expect(items.map(nameOf).sort()).toEqual(['a', 'b'])
    expect(await queryClient.fetchQuery(countQuery(componentType, { namespace }))).toBe(2)
    expect((await queryClient.fetchQuery(firstPageQuery(componentType, { namespace }, 2))).items).toHaveLength(2)
  })

  it('an object is read from the group that has it', async () => {
    await scene(layout)
    for (const name of ['a', 'b'])
      expect(await queryClient.fetchQuery(getQuery(componentType, { namespace, name }))).toMatchObject({
        metadata: { name },
      })
    const missing = queryClient.fetchQuery(getQuery(componentType, { namespace, name: 'c' }))
    await expect(missing).rejects.toMatchObject({ code: 404 })
  })

  it('a permission is reviewed in every group, and that to create in the newest', async () => {
    const { calls } = await scene(layout)
    expect(await queryClient.fetchQuery(accessQuery({ verb: 'delete', type: componentType, namespace }))).toBe(true)
    expect(await queryClient.fetchQuery(accessQuery({ verb: 'create', type: componentType, namespace }))).toBe(true)
    const reviewed = reviewsIn(calls, 'SelfSubjectAccessReview').map(
      ({ spec }) => (spec as { resourceAttributes: { verb: string; group: string } }).resourceAttributes,
    )
    expect(reviewed.filter(({ verb }) => verb === 'delete').map(({ group }) => group)).toEqual(groupsOf)
    expect(reviewed.filter(({ verb }) => verb === 'create').map(({ group }) => group)).toEqual(groupsOf.slice(0, 1))
  })

  it('new objects are created in the newest group, others are changed and deleted where they are', async () => {
    const { system } = await scene(layout)
    await sendWrite(create(componentType, old('c')))
    expect(
      (await system.list(groupsOf[0] === newType.group ? newType : oldType, { namespace })).items.map(nameOf),
    ).toContain('c')
    for (const name of ['a', 'b']) {
      await sendWrite(patch(componentType, at(name), add('patched')))
      const { metadata } = await client.get(componentType, name, { namespace })
      expect(metadata.annotations).toEqual({ changed: 'patched' })
      const object = await client.get(componentType, name, { namespace })
      const annotations = { changed: 'replaced' }
      await sendWrite(replace(componentType, { ...object, metadata: { ...object.metadata, annotations } }))
      const replaced = await client.get(componentType, name, { namespace })
      expect([replaced.metadata.annotations, uidOf(replaced)]).toEqual([annotations, uidOf(object)])
      await sendWrite(remove(componentType, at(name)))
      await expect(client.get(componentType, name, { namespace })).rejects.toMatchObject({ code: 404 })
    }
  })

  it('a preview shows the request and the command for the group that serves the kind', async () => {
    await scene(layout)
    const [created, changed] = await previewWrites([
      create(componentType, old('c')),
      patch(componentType, at('a'), add('patched')),
    ])
    const newest = groupsOf[0] ?? ''
    expect(created?.request.path).toContain(`/apis/${newest}/`)
    expect(created?.command).toContain(`apiVersion: ${newest}/v1alpha1`)
    expect(created?.refusal).toBeUndefined()
    const own = layout === 'new' ? newType : oldType
    expect(changed?.request.path).toContain(`/apis/${own.group}/`)
    expect(changed?.command).toContain(`components.v1alpha1.${own.group} a`)
    expect(changed?.refusal).toBeUndefined()
  })

  it('what other clients change appears from every group', async () => {
    const { system, openSockets, gets } = await scene(layout)
    render(<Names />, { wrapper })
    const shows = (text: string) => waitFor(() => expect(screen.getByText(text)).toBeVisible())
    await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('live'))
    await shows('a b')
    const lists = gets('/components?').length
    const watched = openSockets().map((path) => path.split('/')[4])
    expect(watched.toSorted()).toEqual(groupsOf.toSorted())
    await system.delete(layout === 'new' ? newType : oldType, 'a', { namespace })
    await shows('b')
    const type = layout === 'old' ? oldType : newType
    await system.create(type, old('c'))
    await shows('b c')
    expect(gets('/components?')).toHaveLength(lists)
  })
})

function Names() {
  const query = components.listed(namespace)
  const { data } = useQuery(query)
  const { kind } = useFreshness([query])
  return (
    <>
      <p>{data?.items.map(nameOf).toSorted().join(' ') ?? 'waiting'}</p>
      <p role="status">{kind}</p>
    </>
  )
}
const wrapper = ({ children }: { children: React.ReactNode }) => (
  <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
)

describe('where two groups have an object of the same name', () => {
  it('both are listed, the newer one is read and deleted first, and no third is created', async () => {
    const { system } = await scene('both', [old('a'), moved('a')])
    const { items } = await queryClient.fetchQuery(listQuery(componentType, { namespace }))
    expect(items.map(({ apiVersion }) => apiVersion)).toEqual([newType, oldType].map(apiVersionOf))
    expect((await client.get(componentType, 'a', { namespace })).apiVersion).toBe(apiVersionOf(newType))
    await sendWrite(remove(componentType, at('a')))
    expect((await system.list(newType, { namespace })).items).toEqual([])
    expect((await client.get(componentType, 'a', { namespace })).apiVersion).toBe(apiVersionOf(oldType))
    await expect(sendWrite(create(componentType, old('a')))).rejects.toMatchObject({ reason: 'AlreadyExists' })
    const [preview] = await previewWrites([create(componentType, old('a'))])
    expect(preview?.refusal).toContain(`${qualifiedPlural(oldType)} "a" already exists`)
  })

  it('an object that both groups serve is listed once', async () => {
    const { faults } = await scene('both', [old('a')])
    const { items } = await client.list(oldType, { namespace })
    faults.intercept((path) =>
      path.includes(`/apis/${newType.group}/v1alpha1/namespaces/`)
        ? Response.json({ metadata: { resourceVersion: '1' }, items })
        : undefined,
    )
    const list = await queryClient.fetchQuery(listQuery(componentType, { namespace }))
    expect(list.items.map(({ apiVersion }) => apiVersion)).toEqual([apiVersionOf(newType)])
  })
})

it('a denied permission names the groups', async () => {
  const cluster = await testCluster({ as: 'outsider', groups: 'both' })
  startApi(fastClock())
  onTestFinished(startDiscovery(client.request))
  const denied = requireAccess([{ verb: 'list', type: componentType, namespace }])
  const groups = [newType, oldType].map(qualifiedPlural).join(' and ')
  await expect(denied).rejects.toMatchObject({ code: 403, message: `You need permission to list ${groups}.` })
  expect(cluster.calls.length).toBeGreaterThan(0)
})

it('a kind of another version moves, too', async () => {
  await scene('new', [])
  await sendWrite(
    create(integrationTestScenarioType, anIntegrationTestScenario({ metadata: { name: 'e2e', namespace } })),
  )
  const { items } = await queryClient.fetchQuery(listQuery(integrationTestScenarioType, { namespace }))
  expect(items.map(({ apiVersion }) => apiVersion)).toEqual([`${newType.group}/v1beta2`])
})

it.each<[string, number, boolean]>([
  ['a discovery that is denied leaves a kind in its declared group', 403, false],
  ['a discovery that fails fails the read, and the next read tries again', 503, true],
])('%s', async (_, status, fails) => {
  const { faults } = await scene('both')
  const stop = faults.intercept((path) =>
    /\/apis\/[^/]+\/v1alpha1$/.test(path) ? Response.json({}, { status }) : undefined,
  )
  const first = servedTypes(componentType)
  if (fails) await expect(first).rejects.toMatchObject({ code: status })
  else expect(await first).toEqual([componentType])
  stop()
  if (fails) expect(await servedTypes(componentType)).toHaveLength(2)
})

it('a NudgeConfig is not read from a cluster that does not serve the kind, which denies it to most users', async () => {
  const { faults, calls } = await testCluster({ as: 'maintainer' })
  startApi(fastClock())
  onTestFinished(startDiscovery(client.request))
  await expect(queryClient.fetchQuery(nudgeConfigs.of(namespace))).rejects.toMatchObject({ code: 403 })
  queryClient.clear()
  onTestFinished(startDiscovery(client.request))
  faults.intercept((path) => (path.endsWith('/v1beta2') ? Response.json({ resources: [] }) : undefined))
  const before = calls.length
  expect(await queryClient.fetchQuery(nudgeConfigs.of(namespace))).toBeNull()
  expect(calls.slice(before).filter(({ path }) => path.includes('nudgeconfigs'))).toEqual([])
})
