import { nameOf } from '@slipway/kube/object'
import { expect, it } from 'vitest'
import { createAuthorizer } from '../authorization/authorizer'
import { aBinding, aClusterRole, aRule, aUser } from '../authorization/testing'
import { clusterRoles } from '../builtin/clusterroles'
import { roleBindings } from '../builtin/rolebindings'
import { collectionOf, keyOf, type AnyObject, type ResourceInfo } from '../resource'
import { memoryStorage } from '../storage/memory'
import { accessObjects } from './access-objects'
import { serialize } from './objects'

/** Access objects of a storage, and the number of times that it is listed. */
function open() {
  const storage = memoryStorage()
  const list = storage.list.bind(storage)
  let lists = 0
  storage.list = (...args) => {
    lists++
    return list(...args)
  }
  const write = (resource: ResourceInfo, object: object, type: 'put' | 'delete' = 'put') => {
    const stored = object as AnyObject // Built for the resource.
    const collection = collectionOf(resource.type)
    const key = keyOf(stored.metadata.namespace, nameOf(stored))
    const expected = storage.get(collection, key)?.revision
    return storage.write({ collection, key, expected, type, value: serialize(resource, stored) })
  }
  return { read: accessObjects(storage), write, lists: () => lists }
}

const bindingOf = (name: string, user = 'ada') => aBinding('a', name, 'ClusterRole/r', aUser(user))

it('a write of one role binding parses no other one again', async () => {
  const { read, write, lists } = open()
  for (const name of ['b', 'd']) await write(roleBindings, bindingOf(name))
  const [b, d] = read().roleBindings
  const before = lists()
  await write(roleBindings, bindingOf('c'))
  const created = read().roleBindings
  expect(created.map(nameOf)).toEqual(['b', 'c', 'd'])
  expect([created[0] === b, created[2] === d]).toEqual([true, true])
  await write(roleBindings, bindingOf('d', 'eve'))
  await write(roleBindings, bindingOf('c'), 'delete')
  const changed = read().roleBindings
  expect(changed.map(({ subjects }) => subjects?.[0]?.name)).toEqual(['ada', 'eve'])
  expect(changed[0] === b).toBe(true)
  expect(lists()).toBe(before)
})

it('lists without a change keep their identity', async () => {
  const { read, write } = open()
  await write(clusterRoles, aClusterRole('r', aRule('get', 'pods')))
  const before = read()
  await write(roleBindings, bindingOf('b'))
  const after = read()
  expect(after.clusterRoles === before.clusterRoles).toBe(true)
  expect(after.roleBindings === before.roleBindings).toBe(false)
})

it('a decision reads the roles and bindings once, however many grants it checks', async () => {
  const { read, write } = open()
  for (const name of ['b', 'c', 'd']) await write(roleBindings, bindingOf(name))
  await write(clusterRoles, aClusterRole('r', aRule('get', 'pods')))
  let reads = 0
  const authorizer = createAuthorizer(() => {
    reads++
    return read()
  })
  const user = { name: 'ada', groups: [] }
  expect(authorizer.authorize({ user, verb: 'list', resource: 'pods', namespace: 'a' }).allowed).toBe(false)
  expect(reads).toBe(1)
  authorizer.rulesFor(user, 'a')
  authorizer.missingRoles(user, 'a')
  expect(reads).toBe(3)
})
