import type { ConfigMap } from '@slipway/kube/core-types'
import { expect, it } from 'vitest'
import { applicationType } from './builds/application'
import { componentType } from './builds/component'
import { customResourceDefinitions, platformObjects } from './platform-objects'
import { parsePublicInfo } from './platform/public-info'
import { releaseType } from './releases/release'

const ofKind = (...kinds: string[]) => platformObjects().filter(({ kind = '' }) => kinds.includes(kind))

it.each([applicationType, componentType, releaseType])('the CRD of $kind matches its resource type', (type) => {
  const definition = customResourceDefinitions.find(({ spec }) => spec.names.kind === type.kind)
  expect(definition?.spec).toMatchObject({ group: type.group, names: { plural: type.plural }, scope: 'Namespaced' })
  expect(definition?.spec.versions.map(({ name }) => name)).toContain(type.version)
})

it('the platform objects can be applied one by one', () => {
  const all = platformObjects().map(({ kind = '', metadata }) => ({ kind, ...metadata }))
  const at = (kind: string, name: string) => all.findIndex((each) => each.kind === kind && each.name === name)
  all.forEach(({ namespace }, index) => {
    if (namespace) expect(at('Namespace', namespace)).toBeLessThan(index)
  })
  expect(all.map(({ kind }) => kind).lastIndexOf('ClusterRole')).toBeLessThan(
    all.findIndex(({ kind }) => kind === 'ClusterRoleBinding'),
  )
  expect(at('Role', 'konflux-public-info-view-role')).toBeLessThan(all.findIndex(({ kind }) => kind === 'RoleBinding'))
})

it('every signed-in user can read the public info and no other config map', () => {
  expect(ofKind('Role')).toMatchObject([
    {
      metadata: { namespace: 'konflux-info' },
      rules: [
        {
          verbs: ['get'],
          resources: ['configmaps'],
          resourceNames: ['konflux-public-info', 'konflux-banner-configmap', 'cluster-config'],
        },
      ],
    },
  ])
  expect(ofKind('RoleBinding')).toMatchObject([{ subjects: [{ kind: 'Group', name: 'system:authenticated' }] }])
})

it('ACC-13 publishes valid public info with the roles from most to least privileged', () => {
  const info = ofKind('ConfigMap').find(({ metadata }) => metadata.name === 'konflux-public-info') as ConfigMap
  expect(parsePublicInfo(info)).toMatchObject({ environment: 'staging', visibility: 'public' })
  const { rbac } = JSON.parse(info.data?.['info.json'] ?? '') as { rbac: { displayName: string; roleRef: object }[] }
  expect(rbac.map(({ displayName }) => displayName)).toEqual(['admin', 'maintainer', 'contributor'])
  expect(ofKind('ClusterRole').map(({ metadata }) => metadata.name)).toEqual(
    expect.arrayContaining(rbac.map(({ roleRef }) => (roleRef as { name: string }).name)),
  )
})
