import { createApiServer, type ApiServer } from '@slipway/apiserver/api-server'
import { memoryStorage } from '@slipway/apiserver/storage/memory'
import { createKubeClient, type KubeClient } from '@slipway/kube/client'
import type { KubeObject } from '@slipway/kube/object'
import { resourcePath } from '@slipway/kube/path'
import { manualClock, type ManualClock } from '@slipway/kube/testing'
import { platformObjects } from '@slipway/model/platform-objects'
import {
  customResourceDefinitionType,
  clusterRoleBindingType,
  clusterRoleType,
  configMapType,
  namespaceType,
  roleBindingType,
  roleType,
  serviceAccountType,
} from '@slipway/kube/core-types'
import { apiVersionOf, qualifiedPlural, type ResourceType } from '@slipway/kube/resource-type'
import type { Controller } from '../src/controller'
import { keyedRandom } from '../src/keyed-random'
import { createSimulator, type Simulator } from '../src/simulator'

export interface World {
  server: ApiServer
  /** Calls as the cluster administrator. */
  client: KubeClient
  clock: ManualClock
  simulator: Simulator
  /** Stops the controllers at once and starts new ones, which find the cluster as it is. */
  restart(): Promise<void>
  /** Advances the clock and waits for everything that happens in that time. */
  advance(ms: number): Promise<void>
  close(): Promise<void>
}

interface WorldOptions {
  controllers: Controller[]
  seed?: string
  speed?: number
  /** Objects to create after the platform and before the controllers start. */
  objects?: [ResourceType, KubeObject][]
  /**
   * Service accounts to create in each of those namespaces. Default: the one used by the runs of
   * `@slipway/model/testing`.
   */
  accounts?: string[]
  /** Kinds of the platform that this cluster does not serve. */
  unservedTypes?: ResourceType[]
  /** Responses of this cluster that differ from those of our API server; `undefined` for the same response. */
  respond?(request: Request): Response | undefined
  /** Called with each response to the controllers, which it must not read. */
  onControllerResponse?(request: Request, response: Response): void
}

const platformTypes: ResourceType[] = [
  customResourceDefinitionType,
  clusterRoleType,
  clusterRoleBindingType,
  roleType,
  roleBindingType,
  namespaceType,
  configMapType,
]

/** An in-process cluster with the platform, these controllers and a manual clock. */
export async function startWorld({
  controllers,
  seed = 'test',
  speed = 1,
  objects = [],
  accounts = ['build-pipeline-checkout-api'],
  unservedTypes = [],
  respond,
  onControllerResponse = () => {},
}: WorldOptions): Promise<World> {
  const clock = manualClock(undefined, async () => {
    await simulator.idle()
    await server.settled()
    await simulator.idle()
  })
  const server = await createApiServer({
    storage: memoryStorage(),
    clock,
    random: keyedRandom(seed, 'server'),
    authenticate: () => ({ name: 'system:admin', groups: ['system:masters'] }),
  })
  const connect = (onResponse: (request: Request, response: Response) => void) =>
    createKubeClient({
      baseUrl: 'http://cluster.test',
      headers: { authorization: 'Bearer admin' },
      timeoutMs: Infinity,
      fetch: async (input, init) => {
        const request = new Request(input, init)
        const response = respond?.(request) ?? (await server.fetch(request))
        onResponse(request, response)
        return response
      },
    })
  const client = connect(() => {})
  const controllerClient = connect(onControllerResponse)
  const isUnserved = ({ metadata }: KubeObject) => unservedTypes.some((type) => qualifiedPlural(type) === metadata.name)
  for (const object of platformObjects()) {
    if (isUnserved(object)) continue
    const type = platformTypes.find((each) => each.kind === object.kind && apiVersionOf(each) === object.apiVersion)
    if (!type) throw new Error(`No resource type for ${object.apiVersion} ${object.kind}.`)
    await client.request(resourcePath(type, { namespace: object.metadata.namespace }), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(object),
    })
  }
  for (const [type, object] of objects) {
    await client.create(type, object)
    if (type !== namespaceType) continue
    for (const name of accounts) {
      await client.create(serviceAccountType, { metadata: { name, namespace: object.metadata.name } })
    }
  }
  const warnings: string[] = []
  const start = () =>
    createSimulator({
      client: controllerClient,
      controllers,
      clock,
      seed,
      speed,
      warn: (message) => warnings.push(message),
    })
  let simulator = start()
  await simulator.idle()
  return {
    server,
    client,
    clock,
    get simulator() {
      return simulator
    },
    async restart() {
      await simulator.close()
      simulator = start()
      await simulator.idle()
    },
    advance: (ms) => clock.advance(ms),
    async close() {
      await simulator.close()
      await server.close()
      if (warnings.length > 0) throw new Error(`The controllers failed:\n${warnings.join('\n')}`)
    },
  }
}
