import {
  parseFieldSelector,
  parseLabelSelector,
  SelectorSyntaxError,
  type FieldRequirement,
} from '@slipway/kube/parse-selector'
import { matchesRequirements, type Requirement } from '@slipway/kube/selector'
import { badRequest } from '../errors'
import type { AnyObject, ResourceInfo } from '../resource'

/** The objects of a kind that a list, watch or collection deletion selects. */
export interface Selection {
  matches(object: AnyObject): boolean
  /** True if there are no selectors. */
  isEverything: boolean
  /** True if only metadata is needed to decide. */
  isByMetadata: boolean
  /** The only name that can match. */
  name?: string
}

/** @throws StatusError 400 */
export function selectionOf(resource: ResourceInfo, query: URLSearchParams): Selection {
  const labels = parse(query.get('labelSelector'), parseLabelSelector)
  const fields = parse(query.get('fieldSelector'), parseFieldSelector)
  for (const { field } of fields) {
    // Built-in cluster-scoped kinds accept this field and treat it as empty.
    const isUnsupported = field === 'metadata.namespace' && resource.isCustom && !resource.type.namespaced
    if (isUnsupported || (!isMetadataField(field) && !isField(resource, field))) {
      throw badRequest(
        resource.isCustom || resource.fieldsOf
          ? `field label not supported: ${field}`
          : `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
      )
    }
  }
  const name = fields.find(({ field, operator }) => field === 'metadata.name' && operator === 'Equals')?.value
  return {
    isEverything: labels.length === 0 && fields.length === 0,
    isByMetadata: fields.every(({ field }) => isMetadataField(field)),
    name,
    matches: (object) => matchesRequirements(object.metadata.labels, labels) && matchesFields(resource, object, fields),
  }
}

function parse<T extends Requirement | FieldRequirement>(text: string | null, read: (text: string) => T[]): T[] {
  try {
    return read(text ?? '')
  } catch (error) {
    if (error instanceof SelectorSyntaxError) throw badRequest(error.message)
    throw error
  }
}

const isMetadataField = (field: string): boolean => field === 'metadata.name' || field === 'metadata.namespace'

const isField = (resource: ResourceInfo, field: string): boolean =>
  !!resource.fieldsOf && Object.hasOwn(resource.fieldsOf({ metadata: {} }), field)

function matchesFields(resource: ResourceInfo, object: AnyObject, requirements: FieldRequirement[]): boolean {
  if (requirements.length === 0) return true
  const { name = '', namespace = '' } = object.metadata
  const isByMetadata = requirements.every(({ field }) => isMetadataField(field))
  const fields: Record<string, string> = {
    ...(!isByMetadata && resource.fieldsOf?.(object)),
    'metadata.name': name,
    'metadata.namespace': namespace,
  }
  return requirements.every(({ field, operator, value }) => (fields[field] === value) === (operator === 'Equals'))
}
