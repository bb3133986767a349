import { beforeAll, expect, it } from 'vitest'
import { createKubeClient, type KubeClient } from '@slipway/kube/client'
import {
  configMapType,
  selfSubjectReviewType,
  serviceAccountType,
  subjectAccessReviewType,
  tokenReviewType,
  type ConfigMap,
} from '@slipway/kube/core-types'
import { nameOf, uidOf, type KubeObject } from '@slipway/kube/object'
import { defineResource } from '@slipway/kube/resource-type'
import { ApiError, isNotFound } from '@slipway/kube/status'
import { apiOf, type Target } from './api-client'
import { aNamespace } from './api-fixtures'

const widgetType = defineResource<KubeObject & { spec: object; status?: { phase?: string } }>({
  group: 'contract.test',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  namespaced: true,
})

/** Every method of the client that the servers share. */
export function clientContract(target: () => Target): void {
  let client: KubeClient
  let namespace: string
  beforeAll(async () => {
    namespace = (await aNamespace(apiOf(target()))).name
    const { url, token } = target()
    client = createKubeClient({ baseUrl: url, headers: { authorization: `Bearer ${token}` } })
  })
  const create = (name: string, labels = {}, data = {}) =>
    client.create<ConfigMap>(configMapType, { metadata: { name, namespace, labels }, data })

  it('creates, gets, replaces and deletes an object', async () => {
    const created = await create('whole')
    await client.replace(configMapType, { ...created, data: { a: '1' } })
    expect(await client.get(configMapType, 'whole', { namespace })).toMatchObject({
      kind: 'ConfigMap',
      data: { a: '1' },
    })
    await client.delete(configMapType, 'whole', { namespace, preconditions: { uid: uidOf(created) } })
    expect(await client.get(configMapType, 'whole', { namespace }).catch(isNotFound)).toBe(true)
  })

  it('writes only the status', async () => {
    const metadata = { name: 'status', namespace }
    const { metadata: written } = await client.create(widgetType, { metadata, spec: { size: 1 } })
    const changed = await client.replaceStatus(widgetType, {
      metadata: written,
      spec: { size: 2 },
      status: { phase: 'x' },
    })
    expect(changed).toMatchObject({ spec: { size: 1 }, status: { phase: 'x' } })
  })

  it('sends a list of operations as a JSON patch, and an object as a merge patch', async () => {
    await create('patched', {}, { a: '1', b: '2' })
    await client.patch(configMapType, 'patched', [{ op: 'remove', path: '/data/a' }], { namespace })
    const merged = await client.patch(configMapType, 'patched', { data: { b: null, c: '3' } }, { namespace })
    expect(merged.data).toEqual({ c: '3' })
    const patch = { metadata: { annotations: { d: '4' } } }
    const metadata = await client.patch(configMapType, 'patched', patch, { namespace, metadataOnly: true })
    expect(metadata).toMatchObject({ kind: 'PartialObjectMetadata', ...patch })
    expect(metadata.data).toBeUndefined()
  })

  it('lists all pages', async () => {
    const labels = { app: 'paged' }
    for (const name of ['a', 'b', 'c']) await create(name, labels)
    const pages: string[][] = []
    for await (const { items } of client.pages(configMapType, {
      namespace,
      labels: { matchLabels: labels },
      limit: 2,
    })) {
      expect(items.every(({ kind }) => kind === 'ConfigMap')).toBe(true)
      pages.push(items.map(nameOf))
    }
    expect(pages).toEqual([['a', 'b'], ['c']])
  })

  it('watches from the version of a list', async () => {
    const { metadata } = await client.list(configMapType, { namespace })
    const options = { namespace, resourceVersion: metadata.resourceVersion, fields: { 'metadata.name': 'watched' } }
    const event = new Promise((resolve) => {
      const watch = client.watch(configMapType, options, {
        onOpen: () => void create('watched'),
        onMessage(text) {
          watch.close()
          resolve(JSON.parse(text))
        },
        onClose: (code) => resolve(code),
      })
    })
    expect(await event).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'watched' } } })
  })

  it('reviews a user, a token and the caller', async () => {
    const resourceAttributes = { verb: 'get', version: 'v1', resource: 'namespaces', name: namespace, namespace }
    for (const [group, allowed] of [['system:masters', true] as const, ['guests', false] as const]) {
      const spec = { user: 'ann', groups: [group], resourceAttributes }
      expect((await client.review(subjectAccessReviewType, spec))?.allowed).toBe(allowed)
    }
    expect((await client.review(tokenReviewType, { token: 'unknown' }))?.authenticated).toBeFalsy()
    const self = await client.review(selfSubjectReviewType, undefined)
    expect((await client.review(tokenReviewType, { token: target().token }))?.user?.username).toBe(
      self?.userInfo?.username,
    )
  })

  it('creates a token of a service account', async () => {
    await client.create(serviceAccountType, { metadata: { name: 'robot', namespace } })
    const token = await client.createToken(namespace, 'robot', 3_600)
    expect(await client.review(tokenReviewType, { token })).toMatchObject({
      authenticated: true,
      user: { username: `system:serviceaccount:${namespace}:robot` },
    })
  })

  it.each<[string, () => Promise<unknown>]>([
    ['log', () => client.log('missing', { namespace, container: 'main' })],
    ['followLog', () => client.followLog('missing', { namespace, container: 'main' })],
  ])('%s rejects for a pod that does not exist', async (_, call) => {
    const error: unknown = await call().catch((each: unknown) => each)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ code: 404, message: 'pods "missing" not found' })
  })
}
