import type { ResourceType } from '@slipway/kube/resource-type'
import { builtinSchema } from '../openapi/builtin-schemas'
import { allVerbs, type ResourceInfo } from '../registry/resource'
import { compileSchema, type CompiledSchema } from '../schema/structural-schema'

type Given = Pick<ResourceInfo, 'type'> & Partial<Omit<ResourceInfo, 'isCustom' | 'schema' | 'compiled' | 'columns'>>

/** A kind of Kubernetes itself, with what is usual for the rest. */
export function defineBuiltin(given: Given): ResourceInfo {
  const { type } = given
  const schema = builtinSchema(type)
  if (!schema) throw new Error(`no schema for ${type.kind}`)
  let compiled: CompiledSchema | undefined
  return {
    singular: type.kind.toLowerCase(),
    listKind: `${type.kind}List`,
    shortNames: [],
    categories: [],
    verbs: allVerbs,
    hasStatus: false,
    hasGeneration: false,
    nameFormat: 'subdomain',
    ...given,
    isCustom: false,
    schema,
    compiled: () => (compiled ??= compileSchema(schema)),
  }
}

export const coreType = (kind: string, plural: string, namespaced = true): ResourceType => ({
  group: '',
  version: 'v1',
  kind,
  plural,
  namespaced,
})
