import { roleBindingType, type RoleBinding } from '@slipway/kube/core-types'
import { nameOf, uidOf, type KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import { applicationType } from '@slipway/model/supply-chain/application'
import { componentType } from '@slipway/model/supply-chain/component'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import type { GrantableRole } from '@slipway/model/platform/public-info'
import { clusterRoleName } from '@slipway/model/access/roles/user-actions'
import { snapshotType } from '@slipway/model/supply-chain/snapshot'
import { anApplication, aComponent, aPipelineRun } from '@slipway/model/testing'
import { aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { performWrites, type WriteStrategy } from '../../src/api/writes/perform-writes'
import { remove, sendWrite, type Write } from '../../src/api/writes/writes'
import { editWrites, grantWrites } from '../../src/features/access/access-form'
import { toWrites as createApplicationWrites } from '../../src/features/applications/CreateApplicationPage'
import { stopRun, rerun } from '../../src/resources/run-requests'
import { openServers, type TestServer } from './servers'

/** Kinds that the console writes, in the order in which tests create them. */
const types: ResourceType[] = [applicationType, componentType, snapshotType, pipelineRunType, roleBindingType]

const roles: GrantableRole[] = (['admin', 'maintainer', 'contributor'] as const).map((role) => ({
  displayName: role,
  description: '',
  roleRef: { apiGroup: roleBindingType.group, kind: 'ClusterRole', name: clusterRoleName(role) },
}))

interface Case {
  write: string
  /** What the namespace contains before. */
  given: (namespace: string) => [ResourceType, KubeObject][]
  /** The writes, if the test can try them one by one with dry runs first. */
  writes?: (namespace: string, read: Read) => Promise<Write[]>
  strategy?: WriteStrategy
  /** Instead of `writes`, for functions that perform their own. */
  make?: (namespace: string, read: Read) => Promise<unknown>
}

type Read = <T extends KubeObject>(type: ResourceType<T>, name: string) => Promise<T>

const granted = (namespace: string) =>
  grantWrites(namespace, { usernames: ['ann@slipway.test'], role: 'Contributor' }, roles)
const bindingIn = (namespace: string): RoleBinding => {
  const [write] = granted(namespace)
  if (!write || !('object' in write)) throw new Error('No role binding would be created.')
  return write.object as RoleBinding
}
const deletionOf = (object: KubeObject, type: ResourceType, namespace: string) =>
  remove(type, { namespace, name: nameOf(object) }, { preconditions: { uid: uidOf(object) } })

const application = (namespace: string): [ResourceType, KubeObject] => [
  applicationType,
  anApplication({ metadata: { name: 'shop', namespace } }),
]
const component = (namespace: string): [ResourceType, KubeObject] => [
  componentType,
  aComponent({ metadata: { name: 'web', namespace }, spec: { application: 'shop' } }),
]
const run = (namespace: string): [ResourceType, KubeObject] => [
  pipelineRunType,
  aPipelineRun({ metadata: { name: 'web-on-push', namespace }, status: undefined }),
]

const cases: Case[] = [
  {
    write: 'create an application',
    given: () => [],
    writes: async (namespace) => createApplicationWrites(namespace, { name: 'shop' }),
  },
  {
    write: 'delete an application',
    given: (namespace) => [application(namespace), component(namespace)],
    writes: async (namespace, read) => [deletionOf(await read(applicationType, 'shop'), applicationType, namespace)],
  },
  {
    write: 'delete a component',
    given: (namespace) => [application(namespace), component(namespace)],
    writes: async (namespace, read) => [deletionOf(await read(componentType, 'web'), componentType, namespace)],
  },
  {
    write: 'grant access',
    given: () => [],
    writes: async (namespace) => granted(namespace),
    strategy: 'parallel',
  },
  {
    write: 'change a role',
    given: (namespace) => [[roleBindingType, bindingIn(namespace)]],
    writes: async (namespace, read) => {
      const old = await read(roleBindingType, nameOf(bindingIn(namespace)))
      return editWrites(old, { usernames: ['ann@slipway.test'], role: 'Maintainer' }, roles, [old])
    },
    strategy: 'all-or-nothing',
  },
  {
    write: 'revoke access',
    given: (namespace) => [[roleBindingType, bindingIn(namespace)]],
    writes: async (namespace, read) => {
      const binding = await read(roleBindingType, nameOf(bindingIn(namespace)))
      return [deletionOf(binding, roleBindingType, namespace)]
    },
  },
  ...(['stop', 'cancel'] as const).map((request): Case => ({
    write: `${request} a pipeline run`,
    given: (namespace) => [run(namespace)],
    make: async (_namespace, read) => stopRun(await read(pipelineRunType, 'web-on-push'), request),
  })),
  {
    write: 'start a build',
    given: (namespace) => [application(namespace), component(namespace)],
    make: (namespace) => rerun(namespace, { kind: 'build', component: 'web' }),
  },
  {
    write: 'test a snapshot again',
    given: (namespace) => [
      application(namespace),
      [snapshotType, aSnapshot({ metadata: { name: 'shop-1', namespace } })],
    ],
    make: (namespace) => rerun(namespace, { kind: 'test', snapshot: 'shop-1', scenario: 'contract' }),
  },
]

describe('a write of the console, on the embedded and on a real API server', () => {
  let servers: TestServer[]
  beforeAll(async () => void (servers = await openServers(types)))
  afterAll(async () => {
    for (const server of servers) await server.close()
  })

  it.each(cases)(
    '$write: a dry run changes nothing, and both servers store the same',
    async ({ given, writes, strategy, make }) => {
      const outcomes = []
      for (const server of servers) {
        const namespace = await server.newNamespace()
        for (const [type, object] of given(namespace)) await server.system.create(type, object)
        server.connectConsole()
        const contents = async () => contentsOf(server, namespace)
        const read: Read = (type, name) => server.system.get(type, name, { namespace })

        const before = await contents()
        const planned = (await writes?.(namespace, read)) ?? []
        for (const write of planned) await sendWrite(write, { dryRun: true })
        expect(await contents()).toEqual(before)

        if (make) await make(namespace, read)
        else await performWrites(planned, { strategy })
        const after = await contents()
        expect(after).not.toEqual(before)
        outcomes.push(after.map((object) => comparable(object, namespace)))
      }
      const [embedded, real] = outcomes
      expect(embedded).toEqual(real)
    },
  )
})

async function contentsOf({ system }: TestServer, namespace: string): Promise<KubeObject[]> {
  const lists = await Promise.all(types.map((type) => system.list(type, { namespace })))
  return lists.flatMap(({ items }) => items)
}

/** Removes what differs between any two servers: identity, time and history. */
function comparable({ metadata, ...rest }: KubeObject, namespace: string): unknown {
  const { uid: _uid, resourceVersion: _version, creationTimestamp: _time, managedFields: _fields, ...kept } = metadata
  return JSON.parse(JSON.stringify({ ...rest, metadata: kept }).replaceAll(namespace, 'NAMESPACE'))
}
