import { configMapType, namespaceType, type ConfigMap } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { aConfigMap, aNamespace } from '@slipway/model/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startWorld, type World } from '../test/world'
import { defineController, on, ownerReference } from './controller'

const namespace = 'team-payments'
const objects: [typeof namespaceType, ReturnType<typeof aNamespace>][] = [[namespaceType, aNamespace()]]
const isSource = ({ metadata }: ConfigMap) => metadata.labels?.role === 'source'

/** Maintains a copy of each source, which grows by a letter per minute up to three. */
const copier = defineController<ConfigMap>({
  name: 'copier',
  type: configMapType,
  owns: [configMapType],
  writes: [[configMapType, 'create', 'update']],
  filter: isSource,
  async reconcile(source, { client, informer, now, scale }) {
    const [copy] = informer(configMapType).ownedBy(source.metadata.uid ?? '')
    const ageMs = now() - Date.parse(source.metadata.creationTimestamp ?? '')
    const letters = 'a'.repeat(Math.min(3, Math.floor(ageMs / scale(60_000))))
    if (!copy) {
      await client.create(
        configMapType,
        aConfigMap({
          metadata: {
            name: `${nameOf(source)}-copy`,
            namespace,
            ownerReferences: [ownerReference(configMapType, source)],
          },
          data: { letters },
        }),
      )
    } else if (copy.data?.letters !== letters) {
      await client.replace(configMapType, { ...copy, data: { letters } })
    }
    return letters.length < 3 ? { afterMs: scale(60_000) } : undefined
  },
})

let world: World
afterEach(() => world.close())

const source = (name: string) => aConfigMap({ metadata: { name, namespace, labels: { role: 'source' } } })
const copyOf = (name: string) => world.client.get(configMapType, `${name}-copy`, { namespace })

it('reconciles existing objects, new objects, and objects whose time has come', async () => {
  world = await startWorld({ controllers: [copier], objects: [...objects, [configMapType, source('early')]] })
  await world.client.create(configMapType, source('late'))
  await world.simulator.idle()
  expect([(await copyOf('early')).data, (await copyOf('late')).data]).toEqual([{ letters: '' }, { letters: '' }])
  await world.advance(60_000)
  expect((await copyOf('late')).data).toEqual({ letters: 'a' })
  await world.advance(600_000)
  expect((await copyOf('late')).data).toEqual({ letters: 'aaa' })
})

it('restores an owned object at once when another client deletes it', async () => {
  world = await startWorld({ controllers: [copier], objects: [...objects, [configMapType, source('one')]] })
  await world.client.delete(configMapType, 'one-copy', { namespace })
  await world.simulator.idle()
  expect((await copyOf('one')).metadata.uid).toBeDefined()
})

it('a reconcile sees the writes of the previous one', async () => {
  const writes: string[] = []
  const counter = defineController<ConfigMap>({
    name: 'counter',
    type: configMapType,
    writes: [[configMapType, 'update']],
    filter: isSource,
    async reconcile(object, { client }) {
      const count = Number(object.data?.count ?? 0)
      writes.push(`${count}`)
      if (count < 20) await client.replace(configMapType, { ...object, data: { count: String(count + 1) } })
    },
  })
  world = await startWorld({ controllers: [counter], objects: [...objects, [configMapType, source('one')]] })
  expect(writes).toEqual(Array.from({ length: 21 }, (_, index) => String(index)))
})

it('reconciles an object when an object that refers to it changes', async () => {
  const seen: string[] = []
  const follower = defineController<ConfigMap>({
    name: 'follower',
    type: configMapType,
    writes: [],
    filter: isSource,
    wakes: [on(namespaceType, (changed) => [{ namespace: nameOf(changed), name: 'one' }])],
    reconcile: async (_object, { informer }) =>
      void seen.push(informer(namespaceType).get(undefined, namespace)?.metadata.labels?.mark ?? ''),
  })
  world = await startWorld({ controllers: [follower], objects: [...objects, [configMapType, source('one')]] })
  await world.client.patch(namespaceType, namespace, [{ op: 'add', path: '/metadata/labels/mark', value: 'x' }])
  await world.simulator.idle()
  expect(seen).toEqual(['', 'x'])
})

it('retries a failed reconcile with increasing delays up to 30 s, and warns', async () => {
  const atMs: number[] = []
  const failing = defineController<ConfigMap>({
    name: 'failing',
    type: configMapType,
    writes: [],
    filter: isSource,
    reconcile: async (_object, { now }) => {
      atMs.push(now() - start)
      if (atMs.length < 8) throw new Error('not yet')
    },
  })
  world = await startWorld({ controllers: [], objects })
  await world.close()
  let start = Infinity
  world = await startWorld({ controllers: [failing], objects })
  start = world.clock.now()
  await world.client.create(configMapType, source('one'))
  await world.advance(120_000)
  expect(atMs).toEqual([0, 1_000, 3_000, 7_000, 15_000, 31_000, 61_000, 91_000])
  await expect(world.close()).rejects.toThrow('failing team-payments/one: not yet')
  world = await startWorld({ controllers: [], objects })
})

describe('a namespace that is being deleted', () => {
  const other = 'team-leaving'
  /** Creates a ConfigMap in the other namespace for each source. */
  const recorder = defineController<ConfigMap>({
    name: 'recorder',
    type: configMapType,
    filter: isSource,
    reads: [namespaceType],
    writes: [[configMapType, 'create']],
    reconcile: async (source, { client }) =>
      void (await client.create(configMapType, aConfigMap({ metadata: { name: nameOf(source), namespace: other } }))),
  })
  const posts: string[] = []
  const start = (respond: () => Response | undefined = () => undefined) =>
    startWorld({
      controllers: [recorder],
      objects: [...objects, [namespaceType, aNamespace({ metadata: { name: other } })]],
      respond({ method, url }) {
        const { pathname } = new URL(url)
        if (method !== 'POST' || pathname !== `/api/v1/namespaces/${other}/configmaps`) return undefined
        posts.push(pathname)
        return respond()
      },
    })
  beforeEach(() => void posts.splice(0))

  it('gets no new objects, not even for objects of other namespaces', async () => {
    world = await start()
    const held = { name: 'held', namespace: other, finalizers: ['test.slipway.dev/held'] }
    await world.client.create(configMapType, aConfigMap({ metadata: held }))
    await world.client.delete(namespaceType, other)
    await world.simulator.idle()
    posts.splice(0)
    await world.client.create(configMapType, source('late'))
    await world.advance(60_000)
    expect(posts).toEqual([])
  })

  it('causes no warning when a write fails because its deletion has just started', async () => {
    const causes = [{ reason: 'NamespaceTerminating', field: 'metadata.namespace' }]
    const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 403, details: { causes } }
    world = await start(() => (posts.length < 8 ? Response.json(status, { status: 403 }) : undefined))
    await world.client.create(configMapType, source('one'))
    await world.advance(300_000)
    // Closing the world would throw if there were a warning.
    expect(posts).toHaveLength(8)
  })
})

it('creates the same world from the same seed, byte for byte', async () => {
  const dump = async () => {
    world = await startWorld({ controllers: [copier], objects: [...objects, [configMapType, source('one')]] })
    await world.advance(300_000)
    return JSON.stringify((await world.client.list(configMapType)).items)
  }
  const first = await dump()
  await world.close()
  expect(await dump()).toBe(first)
})
