import type { ResourceType } from '@slipway/kube/resource-type'
import { builtinSchema } from '../openapi/builtin-schemas'
import { allVerbs, type ResourceInfo } from '../resource'
import { compileSchema, type CompiledSchema } from '../apiextensions/structural-schema'

type BuiltinOptions = Pick<ResourceInfo, 'type'> &
  Partial<Omit<ResourceInfo, 'isCustom' | 'schema' | 'compiled' | 'columns'>>

/** Defines a built-in kind, with defaults for everything that is not given. */
export function defineBuiltin(options: BuiltinOptions): ResourceInfo {
  const { type } = options
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
    ...options,
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
