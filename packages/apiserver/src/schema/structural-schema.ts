import type { StatusCause } from '@slipway/kube/status'
import type { JsonSchema } from './json-schema'

/** A schema made ready for many objects. The object is the whole resource, with apiVersion, kind and metadata. */
export interface CompiledSchema {
  /** Removes what the schema does not know, in place. */
  prune(object: object): void
  /** Paths that `prune` would remove: `spec.foo`, `spec.list[0].bar`, sorted. */
  unknownFields(object: object): string[]
  /** Fills in defaults, in place; a null where null is not allowed counts as absent. */
  applyDefaults(object: object): void
  /**
   * @param old the stored object, on an update: what did not change is not blamed (ratcheting), and CEL rules with
   * `oldSelf` are checked
   */
  validate(object: object, old?: object): StatusCause[]
}

/** @throws SchemaError when the schema has a pattern or a rule that cannot be evaluated here */
export declare function compileSchema(schema: JsonSchema): CompiledSchema
