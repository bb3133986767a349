import { beforeAll, expect, it } from 'vitest'
import { apiOf, type Api, type Json, type Target } from './api-client'
import { aNamespace, aPod, configMap, secret, widget, widgetDefinition } from './api-fixtures'

const rbac = '/apis/rbac.authorization.k8s.io/v1'
const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' }

/** For every kind, a dry run returns what the write would, and changes nothing. */
export function dryRunContract(target: () => Target): void {
  let api: Api
  let name: string
  let path: string
  beforeAll(async () => {
    api = apiOf(target())
    ;({ name, path } = await aNamespace(api))
  })

  const inGroup = (group: string, version: string) => path.replace('/api/v1', `/apis/${group}/${version}`)
  // It admits the claim and the pod, although a server may apply it for a while after it was deleted.
  const limit = { type: 'PersistentVolumeClaim', max: { storage: '1Ti' } }
  const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
  const ofDefinition = () => {
    const group = `${name}.test`
    return { ...widgetDefinition, metadata: { name: `widgets.${group}` }, spec: { ...widgetDefinition.spec, group } }
  }
  const named = (rest: object = {}): Json => ({ metadata: { name: `dry-${name}` }, ...rest })
  const event = () => named({ involvedObject: { kind: 'Pod', name: 'p', namespace: name }, reason: 'Tried' })
  const kinds: Record<string, [collection: () => string, object: () => Json]> = {
    ConfigMap: [() => `${path}/configmaps`, () => configMap('dry')],
    Secret: [() => `${path}/secrets`, () => secret('dry', { a: '1' })],
    ServiceAccount: [() => `${path}/serviceaccounts`, named],
    Pod: [() => `${path}/pods`, () => aPod('dry')],
    LimitRange: [() => `${path}/limitranges`, () => named({ spec: { limits: [limit] } })],
    PersistentVolumeClaim: [() => `${path}/persistentvolumeclaims`, () => named({ spec: claim })],
    Event: [() => `${path}/events`, event],
    Lease: [() => `${inGroup('coordination.k8s.io', 'v1')}/leases`, () => named({ spec: { holderIdentity: 'me' } })],
    Role: [() => `${inGroup('rbac.authorization.k8s.io', 'v1')}/roles`, () => named({ rules: [] })],
    RoleBinding: [() => `${inGroup('rbac.authorization.k8s.io', 'v1')}/rolebindings`, () => named({ roleRef })],
    ClusterRole: [() => `${rbac}/clusterroles`, () => named({ rules: [] })],
    ClusterRoleBinding: [() => `${rbac}/clusterrolebindings`, () => named({ roleRef })],
    Namespace: [() => '/api/v1/namespaces', named],
    CustomResourceDefinition: [() => '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', ofDefinition],
    Widget: [() => `${inGroup('contract.test', 'v1')}/widgets`, () => widget('dry')],
  }

  it.each(Object.entries(kinds))('changes nothing of a %s', async (kind, [collection, objectOf]) => {
    const list = collection()
    const object = objectOf()
    const at = `${list}/${object.metadata.name}`
    const all = '?dryRun=All'
    const tried = await api.post(`${list}${all}`, object)
    expect([tried.code, tried.body.kind, tried.body.metadata.resourceVersion]).toEqual([201, kind, undefined])
    expect((await api.get(at)).code).toBe(404)

    const made = await api.post(list, object)
    expect(made.code).toBe(201)
    /** Without what the cluster itself writes in the meantime. */
    const stored = async () => {
      const { code, body } = await api.get(at)
      const { uid, labels, annotations, deletionTimestamp } = body.metadata
      return { code, uid, labels, annotations, deletionTimestamp }
    }
    const before = await stored()
    const labels = { 'contract.test/dry': name }
    let replaced = await api.put(`${at}${all}`, await relabelled(at, labels))
    // Controllers update new objects, which may cause a conflict.
    while (replaced.code === 409) replaced = await api.put(`${at}${all}`, await relabelled(at, labels))
    expect([replaced.code, replaced.body.metadata.labels]).toEqual([200, expect.objectContaining(labels)])
    expect(await stored()).toEqual(before)
    for (const [type, body] of [
      ['merge', { metadata: { labels } }],
      ['json', [{ op: 'add', path: '/metadata/annotations', value: { a: 'b' } }]],
      ['apply', { apiVersion: made.body.apiVersion, kind, metadata: { name: object.metadata.name, labels } }],
    ] as const) {
      const patched = await api.patch(`${at}${all}${type === 'apply' ? '&fieldManager=contract' : ''}`, type, body)
      expect([type, patched.code]).toEqual([type, 200])
      expect(await stored()).toEqual(before)
    }
    expect((await api.delete(`${at}${all}`)).code).toBe(200)
    expect(await stored()).toEqual(before)
    const inBody = { kind: 'DeleteOptions', apiVersion: 'v1', dryRun: ['All'], preconditions: { uid: before.uid } }
    expect((await api.delete(at, inBody)).code).toBe(200)
    expect(await stored()).toEqual(before)
    if (kind !== 'Namespace') {
      const selector = `fieldSelector=metadata.name%3D${object.metadata.name}`
      expect((await api.delete(`${list}?${selector}`, inBody)).code).toBe(200)
      expect(await stored()).toEqual(before)
      expect((await api.delete(`${list}${all}&${selector}`)).code).toBe(200)
      expect(await stored()).toEqual(before)
    }
  })

  /** The current object with different labels. */
  async function relabelled(at: string, labels: object): Promise<Json> {
    const { body } = await api.get(at)
    return { ...body, metadata: { ...body.metadata, labels: { ...body.metadata.labels, ...labels } } }
  }
}
