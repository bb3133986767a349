import { beforeAll, describe, expect, it } from 'vitest'
import { apiOf, type Api, type Json, type Target } from './api-client'
import { aNamespace, configMap, eventually, widget } from './api-fixtures'

/** What a deletion returns, what blocks it, and what else it deletes. */
export function deleteContract(target: () => Target): void {
  let api: Api
  let path: string
  let maps: string
  let widgets: string
  beforeAll(async () => {
    api = apiOf(target())
    ;({ maps, widgets, path } = await aNamespace(api))
  })
  const hold = 'contract.test/hold'
  const held = (name: string): Json => ({ ...configMap(name), metadata: { name, finalizers: [hold] } })
  const letGo = (at: string) => api.patch(at, 'merge', { metadata: { finalizers: null } })
  const ownedBy = (name: string, owner: Json, more: object = {}): Json => ({
    ...configMap(name),
    metadata: {
      name,
      ownerReferences: [
        { apiVersion: 'v1', kind: 'ConfigMap', name: owner.metadata.name, uid: owner.metadata.uid },
      ].map((reference) => ({ ...reference, blockOwnerDeletion: true })),
      ...more,
    },
  })

  it.each([
    ['a built-in kind', () => maps, configMap('gone'), { kind: 'configmaps' }],
    ['a custom kind', () => widgets, widget('gone'), { group: 'contract.test', kind: 'widgets' }],
  ])('%s returns a Status with what was deleted', async (_, list, object, details) => {
    const { body: created } = await api.post(list(), object)
    const { code, body } = await api.delete(`${list()}/gone`)
    expect([code, body]).toEqual([
      200,
      {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Success',
        details: { name: 'gone', ...details, uid: created.metadata.uid },
      },
    ])
    expect((await api.delete(`${list()}/gone`)).code).toBe(404)
  })

  it.each([
    ['pods', { apiVersion: 'v1', kind: 'Pod', spec: { containers: [{ name: 'main', image: 'image' }] } }],
    [
      'persistentvolumeclaims',
      {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Mi' } } },
      },
    ],
    ['serviceaccounts', { apiVersion: 'v1', kind: 'ServiceAccount' }],
  ])('one of the %s returns the object itself', async (plural, object) => {
    const { body: created } = await api.post(`${path}/${plural}`, { ...object, metadata: { name: 'answered' } })
    const { code, body } = await api.delete(`${path}/${plural}/answered`)
    expect([code, body.kind, body.metadata.uid]).toEqual([200, object.kind, created.metadata.uid])
  })

  describe('preconditions', () => {
    it.each([
      ['uid', 'UID', 'The object might have been deleted and then recreated'],
      ['resourceVersion', 'ResourceVersion', 'The object might have been modified'],
    ])('on the %s are reported if they fail', async (member, shown, remark) => {
      const { body: created } = await api.post(widgets, widget(`guarded-${member.toLowerCase()}`))
      const { name } = created.metadata
      const { code, body } = await api.delete(`${widgets}/${name}`, { preconditions: { [member]: '1' } })
      expect([code, body.reason, body.message]).toEqual([
        409,
        'Conflict',
        `Operation cannot be fulfilled on Widget.contract.test "${name}": the ${shown} in the precondition (1) does not match the ${shown} in record (${created.metadata[member]}). ${remark}`,
      ])
      const { [member]: actual } = created.metadata
      expect((await api.delete(`${widgets}/${name}`, { preconditions: { [member]: actual } })).code).toBe(200)
    })

    it('on a namespace fail with their own message', async () => {
      const { path: other } = await aNamespace(api)
      const { body: namespace } = await api.get(other)
      const { code, body } = await api.delete(other, { preconditions: { uid: 'other' } })
      expect([code, body.message]).toEqual([
        409,
        `Operation cannot be fulfilled on namespaces "${namespace.metadata.name}": Precondition failed: UID in precondition: other, UID in object meta: ${namespace.metadata.uid}`,
      ])
    })
  })

  describe('options', () => {
    it('in the query are ignored if there is a body: a dry run deletes', async () => {
      const options = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' }
      for (const [list, object] of [
        [maps, configMap('beside')],
        [widgets, widget('beside')],
      ] as const) {
        await api.post(list, object)
        const { code } = await api.delete(`${list}/beside?dryRun=All&propagationPolicy=Odd&uid=other`, options)
        expect([list, code]).toEqual([list, 200])
        expect((await api.get(`${list}/beside`)).code).toBe(404)
      }
    })

    it('in the query are ignored if a collection deletion has a body, but its selectors are not', async () => {
      for (const name of ['first', 'second']) await api.post(maps, { metadata: { name, labels: { beside: name } } })
      const { code } = await api.delete(`${maps}?dryRun=All&labelSelector=beside%3Dfirst`, { kind: 'DeleteOptions' })
      expect(code).toBe(200)
      expect((await api.get(`${maps}/first`)).code).toBe(404)
      expect((await api.get(`${maps}/second`)).code).toBe(200)
    })

    it('in the query may be preconditions', async () => {
      const { body } = await api.post(maps, configMap('guarded'))
      const { uid, resourceVersion } = body.metadata
      expect((await api.delete(`${maps}/guarded?uid=other`)).code).toBe(409)
      expect((await api.delete(`${maps}/guarded?resourceVersion=1`)).code).toBe(409)
      expect((await api.delete(`${maps}/guarded?uid=${uid}&resourceVersion=${resourceVersion}`)).code).toBe(200)
    })

    it('of other writes are ignored', async () => {
      await api.post(maps, configMap('plain'))
      expect((await api.delete(`${maps}/plain?fieldValidation=Odd&fieldManager=%00`)).code).toBe(200)
    })

    it.each([
      ['a dry run that is not a list', { dryRun: 'All' }],
      ['preconditions that are not an object', { preconditions: 'x' }],
      ['a uid that is not a string', { preconditions: { uid: 1 } }],
      ['an object of another kind', configMap('x')],
      ['a list', []],
      ['whitespace', '  '],
    ])('are rejected with 400 if the body has %s, and nothing is deleted', async (_, options) => {
      await api.post(maps, configMap('spared'))
      expect((await api.delete(`${maps}/spared`, options)).code).toBe(400)
      expect((await api.get(`${maps}/spared`)).code).toBe(200)
    })

    it('may be in the query', async () => {
      const { body: owner } = await api.post(maps, configMap('by-query'))
      await api.post(maps, ownedBy('stays', owner))
      expect((await api.delete(`${maps}/by-query?propagationPolicy=Orphan&gracePeriodSeconds=0`)).code).toBe(200)
      await eventually(async () => (await api.get(`${maps}/by-query`)).code === 404)
      expect((await api.get(`${maps}/stays`)).body.metadata.ownerReferences).toBeUndefined()
    })

    it.each([
      [
        { propagationPolicy: 'Sideways' },
        'propagationPolicy: Unsupported value: "Sideways": supported values: "Foreground", "Background", "Orphan", "nil"',
      ],
      [
        { propagationPolicy: 'Orphan', orphanDependents: true },
        'propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set',
      ],
      [{ dryRun: ['Some'] }, 'dryRun: Unsupported value: ["Some"]: supported values: "All"'],
    ])('are rejected: %j', async (options, message) => {
      await api.post(maps, configMap('kept'))
      const { code, body } = await api.delete(`${maps}/kept`, options)
      expect([code, body.reason, body.message]).toEqual([
        422,
        'Invalid',
        `DeleteOptions.meta.k8s.io "" is invalid: ${message}`,
      ])
      expect((await api.get(`${maps}/kept`)).code).toBe(200)
    })

    it('lead to 202 only if dependents are to be deleted and the object remains', async () => {
      await api.post(maps, held('accepted'))
      expect((await api.delete(`${maps}/accepted`, { propagationPolicy: 'Background' })).code).toBe(200)
      const { code, body } = await api.delete(`${maps}/accepted`, { orphanDependents: false })
      expect([code, body.kind]).toEqual([202, 'ConfigMap'])
      await letGo(`${maps}/accepted`)
    })
  })

  describe('an object with finalizers', () => {
    it('remains until the last one is removed, and is then reported as deleted', async () => {
      await api.post(maps, held('last'))
      const dry = await api.delete(`${maps}/last?dryRun=All`)
      expect(dry.body.metadata.deletionTimestamp).toMatch(/Z$/)
      const { body: before } = await api.get(`${maps}/last`)
      expect(before.metadata.deletionTimestamp).toBeUndefined()
      const watch = await api.watch(`${maps}?watch=true&resourceVersion=${before.metadata.resourceVersion}`)
      await api.delete(`${maps}/last`)
      await letGo(`${maps}/last`)
      expect(await watch.take(2)).toEqual(['MODIFIED last', 'DELETED last'])
      watch.close()
    })

    it('accepts no more of them once it is being deleted, and cannot be restored', async () => {
      await api.post(maps, held('going'))
      const { body: going } = await api.delete(`${maps}/going`)
      const { code, body } = await api.patch(`${maps}/going`, 'merge', {
        metadata: { finalizers: [hold, 'contract.test/more', 'contract.test/and'] },
      })
      expect([code, body]).toEqual([
        422,
        expect.objectContaining({
          message:
            'ConfigMap "going" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"contract.test/and", "contract.test/more"}',
          reason: 'Invalid',
        }),
      ])
      const { deletionTimestamp } = going.metadata
      expect((await api.delete(`${maps}/going`)).body.metadata).toEqual(going.metadata)
      const unset = await api.patch(`${maps}/going`, 'merge', { metadata: { deletionTimestamp: null } })
      expect([unset.code, unset.body.metadata.deletionTimestamp]).toEqual([200, deletionTimestamp])
      const replaced = await api.put(`${maps}/going`, held('going'))
      expect(replaced.body.metadata).toMatchObject({ deletionTimestamp, deletionGracePeriodSeconds: 0 })
      await letGo(`${maps}/going`)
    })
  })

  it('in the foreground waits for blocking dependents', async () => {
    const { body: owner } = await api.post(maps, configMap('owner'))
    await api.post(maps, ownedBy('dependent', owner, { finalizers: [hold] }))
    const { code, body } = await api.delete(`${maps}/owner`, { propagationPolicy: 'Foreground' })
    expect([code, body.metadata.finalizers]).toEqual([200, ['foregroundDeletion']])
    await eventually(async () => !!(await api.get(`${maps}/dependent`)).body.metadata.deletionTimestamp)
    expect((await api.get(`${maps}/owner`)).code).toBe(200)
    await letGo(`${maps}/dependent`)
    await eventually(async () => (await api.get(`${maps}/owner`)).code === 404)
  })

  it('includes indirect dependents', async () => {
    const { body: owner } = await api.post(maps, configMap('first'))
    const { body: second } = await api.post(maps, ownedBy('second', owner))
    await api.post(maps, ownedBy('third', second))
    await api.delete(`${maps}/first`, { propagationPolicy: 'Background' })
    await eventually(async () => (await api.get(`${maps}/third`)).code === 404)
  })

  it.each([
    ['Background', true],
    ['Foreground', true],
    ['Orphan', false],
  ])('with %s propagation deletes dependents: %s', async (propagationPolicy, isCollected) => {
    const name = `owner-${propagationPolicy.toLowerCase()}`
    const { body: owner } = await api.post(widgets, widget(name))
    const ownerReferences = [
      { apiVersion: 'contract.test/v1', kind: 'Widget', name, uid: owner.metadata.uid, blockOwnerDeletion: true },
    ]
    await api.post(maps, { ...configMap(name), metadata: { name, ownerReferences } })
    expect((await api.delete(`${widgets}/${name}`, { propagationPolicy })).code).toBe(200)
    await eventually(async () => (await api.get(`${widgets}/${name}`)).code === 404)
    if (isCollected) await eventually(async () => (await api.get(`${maps}/${name}`)).code === 404)
    else expect((await api.get(`${maps}/${name}`)).body.metadata.ownerReferences ?? []).toEqual([])
  })

  it('collects objects without owners, but not those whose owner is of an unknown kind', async () => {
    const uid = '11111111-2222-4333-8444-555555555555'
    const owned = (name: string, apiVersion: string, kind: string) => ({
      ...configMap(name),
      metadata: { name, ownerReferences: [{ apiVersion, kind, name: 'owner', uid }] },
    })
    await api.post(maps, owned('of-the-unknown', 'nobody.test/v1', 'Unknown'))
    await api.post(maps, owned('of-nobody', 'contract.test/v1', 'Widget'))
    await eventually(async () => (await api.get(`${maps}/of-nobody`)).code === 404)
    expect((await api.get(`${maps}/of-the-unknown`)).code).toBe(200)
  })

  it.each([
    ['name', { name: 'other' }],
    ['kind', { kind: 'Secret' }],
    ['group', { apiVersion: 'events.k8s.io/v1', kind: 'Event' }],
  ])('collects objects whose owner exists, but with another %s', async (what, wrong) => {
    const name = `wrong-${what.slice(0, 3).toLowerCase()}`
    const { body: owner } = await api.post(maps, configMap(`${name}-owner`))
    const owned = ownedBy(name, owner)
    Object.assign(owned.metadata.ownerReferences[0], wrong)
    await api.post(maps, owned)
    await eventually(async () => (await api.get(`${maps}/${name}`)).code === 404)
  })

  it('drops owners with another name, and keeps objects that have a matching owner as well', async () => {
    const { body: owner } = await api.post(maps, configMap('right-owner'))
    const { body: other } = await api.post(maps, configMap('wrong-owner'))
    const owned = ownedBy('half-owned', owner)
    const [right] = owned.metadata.ownerReferences
    owned.metadata.ownerReferences.push({ ...right, uid: other.metadata.uid })
    await api.post(maps, owned)
    await eventually(async () => {
      const { body } = await api.get(`${maps}/half-owned`)
      return body.metadata.ownerReferences?.length === 1
    })
    expect((await api.get(`${maps}/half-owned`)).body.metadata.ownerReferences).toEqual([right])
  })

  it('keeps objects whose owner is named in another version of its kind', async () => {
    const { body: event } = await api.post(`${path}/events`, {
      metadata: { name: 'owning' },
      involvedObject: { kind: 'ConfigMap', name: 'x', namespace: path.split('/').at(-1) },
    })
    const reference = { apiVersion: 'events.k8s.io/v1', kind: 'Event', name: 'owning', uid: event.metadata.uid }
    await api.post(maps, { ...configMap('of-event'), metadata: { name: 'of-event', ownerReferences: [reference] } })
    // Created later and collected before, so the other one has been considered by then.
    await api.post(
      maps,
      ownedBy('of-nothing', { metadata: { name: 'none', uid: '11111111-2222-4333-8444-555555555556' } }),
    )
    await eventually(async () => (await api.get(`${maps}/of-nothing`)).code === 404)
    expect((await api.get(`${maps}/of-event`)).code).toBe(200)
  })

  it('of a namespace empties it first', async () => {
    const other = await aNamespace(api)
    await api.post(other.maps, {
      ...configMap('last'),
      metadata: { name: 'last', finalizers: ['contract.test/hold'] },
    })
    await api.post(other.widgets, widget('inside'))
    const { code, body } = await api.delete(other.path)
    expect([code, body.status.phase]).toEqual([200, 'Terminating'])
    await eventually(async () => (await api.get(`${other.widgets}/inside`)).code === 404)
    const refused = await api.post(other.maps, configMap('late'))
    expect([refused.code, refused.body.details.causes[0].reason]).toEqual([403, 'NamespaceTerminating'])
    await api.patch(`${other.maps}/last`, 'merge', { metadata: { finalizers: null } })
    await eventually(async () => (await api.get(other.path)).code === 404)
  })

  describe('of a collection', () => {
    it('deletes what a label selector matches', async () => {
      for (const [name, app] of [
        ['one', 'x'],
        ['two', 'x'],
        ['three', 'y'],
      ] as const) {
        await api.post(widgets, widget(name, { size: 1 }, { labels: { app } }))
      }
      const { code, body } = await api.delete(`${widgets}?labelSelector=app%3Dx`)
      expect([code, body.items.length]).toEqual([200, 2])
      expect((await api.get(`${widgets}?labelSelector=app`)).body.items).toHaveLength(1)
    })

    it('deletes what a field selector matches, and returns it', async () => {
      for (const name of ['one', 'two']) await api.post(`${path}/serviceaccounts`, { metadata: { name } })
      const { code, body } = await api.delete(`${path}/serviceaccounts?fieldSelector=metadata.name%3Done`)
      expect([code, body.kind, body.items.map(({ metadata }: Json) => metadata.name)]).toEqual([
        200,
        'ServiceAccountList',
        ['one'],
      ])
      expect((await api.get(`${path}/serviceaccounts/two`)).code).toBe(200)
    })

    it('is not supported for namespaces', async () => {
      const { code, body } = await api.delete('/api/v1/namespaces?labelSelector=none%3Dhere')
      expect([code, body.reason]).toEqual([405, 'MethodNotAllowed'])
    })
  })
}
