import { beforeAll, describe, expect, it } from 'vitest'
import { apiOf, type Api, type Json, type Target } from './api-client'
import { aNamespace, aPod, configMap } from './api-fixtures'
import { itOn } from './embedded-only'

/** The merge patch of built-in kinds: which lists are merged, by which key, and its directives. */
export function strategicPatchContract(target: () => Target): void {
  let api: Api
  let path: string
  beforeAll(async () => {
    api = apiOf(target())
    ;({ path } = await aNamespace(api))
  })

  /** The result of patching a new object. */
  async function patched(plural: string, object: Json, patch: object): Promise<Json> {
    const { code, body } = await api.post(`${path}/${plural}`, object)
    if (code !== 201) throw new Error(body.message)
    const response = await api.patch(`${path}/${plural}/${body.metadata.name}`, 'strategic', patch)
    if (response.code !== 200) throw new Error(response.body.message)
    return response.body
  }
  const namesOf = (list: Json[]) => list.map(({ name }) => name)
  const generated = { generateName: 'patched-' }
  const finalizers = ['contract.test/a', 'contract.test/b']

  it('merges secrets of service accounts by name, new ones first, but replaces image pull secrets', async () => {
    const account = { metadata: generated, secrets: [{ name: 'a' }], imagePullSecrets: [{ name: 'a' }] }
    const patch = { secrets: [{ name: 'b' }], imagePullSecrets: [{ name: 'b' }, { name: 'a', $patch: 'delete' }] }
    const { secrets, imagePullSecrets } = await patched('serviceaccounts', account, patch)
    expect([namesOf(secrets), namesOf(imagePullSecrets)]).toEqual([
      ['b', 'a'],
      ['b', 'a'],
    ])
  })

  // Other servers reject changes to most of a pod.
  itOn(target, 'changes to the spec are not rejected')(
    'merges containers by name, and their lists by the key of each list',
    async () => {
      const container = {
        name: 'main',
        image: 'i:1',
        env: [
          { name: 'a', value: '1' },
          { name: 'b', value: '1' },
        ],
        volumeMounts: [{ name: 'v', mountPath: '/v' }],
        command: ['x', 'y'],
      }
      const pod = { ...aPod(''), metadata: generated, spec: { containers: [container], volumes: [{ name: 'v' }] } }
      const change = {
        name: 'main',
        env: [{ name: 'b', value: '2' }],
        volumeMounts: [{ name: 'v', mountPath: '/w' }],
        command: ['z'],
      }
      const { spec } = await patched('pods', pod, { spec: { containers: [change], volumes: [{ name: 'w' }] } })
      expect(spec.containers).toHaveLength(1)
      expect(spec.containers[0]).toMatchObject({ image: 'i:1', command: ['z'] })
      expect(Object.fromEntries(spec.containers[0].env.map(({ name, value }: Json) => [name, value]))).toEqual({
        a: '1',
        b: '2',
      })
      const paths = spec.containers[0].volumeMounts.map(({ mountPath }: Json) => mountPath)
      expect(paths.sort()).toEqual(['/v', '/var/run/secrets/kubernetes.io/serviceaccount', '/w'])
      expect(namesOf(spec.volumes).sort()).toEqual([expect.stringMatching(/^kube-api-access-/), 'v', 'w'])
    },
  )

  it('merges finalizers as a set, and owners by uid', async () => {
    const owners: Json[] = []
    for (const name of ['owner-a', 'owner-b']) {
      const { body } = await api.post(`${path}/configmaps`, configMap(name))
      owners.push({ apiVersion: 'v1', kind: 'ConfigMap', name, uid: body.metadata.uid })
    }
    const metadata = { ...generated, finalizers: finalizers.slice(0, 1), ownerReferences: owners }
    const change = { finalizers, ownerReferences: [{ ...owners[1], controller: true }] }
    const { metadata: after } = await patched('configmaps', { ...configMap(''), metadata }, { metadata: change })
    expect([...after.finalizers].sort()).toEqual(finalizers)
    expect(after.ownerReferences).toEqual([owners[0], { ...owners[1], controller: true }])
  })

  describe('the directive', () => {
    it('$deleteFromPrimitiveList removes items from a list', async () => {
      const object = { ...configMap(''), metadata: { ...generated, finalizers } }
      const patch = { metadata: { '$deleteFromPrimitiveList/finalizers': ['contract.test/a'] } }
      expect((await patched('configmaps', object, patch)).metadata.finalizers).toEqual(['contract.test/b'])
    })

    const accountWith = (...names: string[]) => ({ metadata: generated, secrets: names.map((name) => ({ name })) })

    it('$setElementOrder sorts a list', async () => {
      const { secrets } = await patched('serviceaccounts', accountWith('a', 'b', 'c'), {
        '$setElementOrder/secrets': [{ name: 'c' }, { name: 'd' }, { name: 'a' }],
        secrets: [{ name: 'd' }],
      })
      expect(namesOf(secrets)).toEqual(['b', 'c', 'd', 'a'])
    })

    itOn(target, 'changes to the spec are not rejected')('$retainKeys keeps only these members', async () => {
      const volume = { name: 'v', emptyDir: { medium: 'Memory' } }
      const pod = { ...aPod('', ['a'], { volumes: [volume] }), metadata: generated }
      const { spec } = await patched('pods', pod, {
        spec: { volumes: [{ name: 'v', $retainKeys: ['name', 'configMap'], configMap: { name: 'c' } }] },
      })
      expect(spec.volumes[0].emptyDir).toBeUndefined()
      expect(spec.volumes[0].configMap).toMatchObject({ name: 'c' })
    })

    it('$patch replaces a map, or deletes it', async () => {
      const object = { ...configMap('', { a: '1' }), metadata: { ...generated, labels: { x: 'y' } } }
      const { data, metadata } = await patched('configmaps', object, {
        data: { $patch: 'replace', b: '2' },
        metadata: { labels: { $patch: 'delete' } },
      })
      expect([data, metadata.labels]).toEqual([{ b: '2' }, undefined])
    })

    it('$patch replaces a list, or removes items from it', async () => {
      const replaced = await patched('serviceaccounts', accountWith('a', 'b'), {
        secrets: [{ name: 'c' }, { $patch: 'replace' }],
      })
      expect(namesOf(replaced.secrets)).toEqual(['c'])
      const { secrets } = await patched('serviceaccounts', accountWith('a', 'b'), {
        secrets: [{ name: 'a', $patch: 'delete' }],
      })
      expect(namesOf(secrets)).toEqual(['b'])
    })
  })
}
