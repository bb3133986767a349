import { qualifiedPlural, type ResourceType } from '@slipway/kube/resource-type'
import {
  UndeclaredError,
  type Controller,
  type ControllerClient,
  type ControllerContext,
  type WriteVerb,
} from './controller'

/**
 * The context, without anything that the controller has not declared. So a kind is never read from a cache that is still
 * empty, and `simulatorRules` is complete.
 */
export function declaredContext(controller: Controller, context: ControllerContext): ControllerContext {
  const read = new Set(controller.reads.map(qualifiedPlural))
  return {
    ...context,
    client: declaredClient(controller, context.client),
    informer(type) {
      if (!read.has(qualifiedPlural(type))) throw new UndeclaredError(controller, 'reads', type)
      return context.informer(type)
    },
  }
}

function declaredClient(controller: Controller, client: ControllerClient): ControllerClient {
  const gets = new Set(controller.gets.map(qualifiedPlural))
  const writes = new Set(
    controller.writes.flatMap(([type, ...verbs]) => verbs.map((verb) => `${verb} ${qualifiedPlural(type)}`)),
  )
  const assertDeclared = (verb: WriteVerb, type: ResourceType) => {
    if (!writes.has(`${verb} ${qualifiedPlural(type)}`)) throw new UndeclaredError(controller, `writes (${verb})`, type)
  }
  return {
    async get(type, ...call) {
      if (!gets.has(qualifiedPlural(type))) throw new UndeclaredError(controller, 'gets', type)
      return client.get(type, ...call)
    },
    async create(type, ...call) {
      assertDeclared('create', type)
      return client.create(type, ...call)
    },
    async replace(type, ...call) {
      assertDeclared('update', type)
      return client.replace(type, ...call)
    },
    async replaceStatus(type, ...call) {
      assertDeclared('updateStatus', type)
      return client.replaceStatus(type, ...call)
    },
    async patch(type, ...call) {
      assertDeclared('patch', type)
      return client.patch(type, ...call)
    },
    async delete(type, ...call) {
      assertDeclared('delete', type)
      return client.delete(type, ...call)
    },
  }
}
