import { configMapType, namespaceType, secretType, type ConfigMap } from '@slipway/kube/core-types'
import { aConfigMap, aNamespace } from '@slipway/model/testing'
import { expect, test } from 'vitest'
import { startWorld } from '../test/world'
import { defineController, on, type ControllerContext, type Wake } from './controller'

const namespace = 'team-payments'
const object = { metadata: { name: 'other', namespace } }

test.each<[string, (context: ControllerContext) => unknown, string]>([
  ['reads', ({ informer }) => informer(secretType), 'that it reads secrets'],
  ['gets', ({ client }) => client.get(secretType, 'other', { namespace }), 'that it gets secrets'],
  ['creates', ({ client }) => client.create(secretType, object), 'that it writes (create) secrets'],
  ['updates', ({ client }) => client.replace(configMapType, object), 'that it writes (update) configmaps'],
  [
    'updates the status of',
    ({ client }) => client.replaceStatus(configMapType, object),
    'that it writes (updateStatus) configmaps',
  ],
  [
    'patches',
    ({ client }) => client.patch(configMapType, 'other', [], { namespace }),
    'that it writes (patch) configmaps',
  ],
  [
    'deletes',
    ({ client }) => client.delete(configMapType, 'other', { namespace }),
    'that it writes (delete) configmaps',
  ],
])('a controller that %s a kind without declaring it fails at once', async (_, use, message) => {
  const world = await startWorld({
    controllers: [
      defineController<ConfigMap>({
        name: 'careless',
        type: configMapType,
        writes: [[configMapType, 'create']],
        filter: ({ metadata }) => metadata.namespace === namespace,
        reconcile: async (_object, context) => void (await use(context)),
      }),
    ],
    objects: [
      [namespaceType, aNamespace()],
      [configMapType, aConfigMap({ metadata: { name: 'one', namespace } })],
    ],
  })
  await expect(world.close()).rejects.toThrow(`The controller careless does not declare ${message}`)
})

test('a controller may read the kinds that it reconciles, owns, reads and is woken by', async () => {
  const wake: Wake = on(namespaceType, () => [])
  const { reads } = defineController<ConfigMap>({
    name: 'careful',
    type: configMapType,
    owns: [configMapType, secretType],
    reads: [secretType],
    wakes: [wake],
    writes: [],
    reconcile: async () => {},
  })
  expect(reads).toEqual([configMapType, secretType, namespaceType])
})
