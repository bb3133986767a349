import { isSameJson } from '@slipway/kube/json'
import { nameOf } from '@slipway/kube/object'
import { asCrd, crdCondition, customResourceDefinitions, withConditions } from '../builtin/customresourcedefinitions'
import { deserialize } from '../registry/objects'
import { collectionOf, type AnyObject } from '../resource'
import { serverWriteOptions } from '../registry/writer'
import type { Controller, ControllerParts } from './controllers'
import { ignoreNotFound } from './definition-cleanup'

/** Accepts the names of definitions and marks them established. Their kinds are already served before that. */
export function definitionNames({ storage, writer, clock }: ControllerParts): Controller {
  const definitions = collectionOf(customResourceDefinitions.type)
  return {
    observe: ({ collection, type }) => collection === definitions && type !== 'deleted',
    async reconcile() {
      for (const stored of storage.list(definitions)) {
        const crd = asCrd(deserialize(customResourceDefinitions, stored))
        if (isSameJson(crd.spec.names, crd.status?.acceptedNames)) continue
        const target = { resource: customResourceDefinitions, namespace: undefined, name: nameOf(crd) }
        const accept = (current: AnyObject) => {
          const { spec, status } = asCrd(current)
          const isEstablished = status?.conditions?.some(({ type }) => type === 'Established') === true
          const conditions = withConditions(status?.conditions, isEstablished ? [] : initialConditions())
          return { ...current, status: { ...status, acceptedNames: spec.names, conditions } }
        }
        const change = (current: () => AnyObject) => accept(current())
        const intent = { type: 'update', change, subresource: 'status' } as const
        await writer.write(target, intent, serverWriteOptions).catch(ignoreNotFound)
      }
    },
  }

  function initialConditions() {
    return [
      crdCondition('NamesAccepted', 'NoConflicts', 'no conflicts found', clock),
      crdCondition('Established', 'InitialNamesAccepted', 'the initial names have been accepted', clock),
    ]
  }
}
