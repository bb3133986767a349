import {
  matchesRequirements,
  parseFieldSelector,
  parseLabelSelector,
  SelectorSyntaxError,
  type FieldRequirement,
  type Requirement,
} from '@slipway/kube/selector'
import { badRequest } from '../errors'
import type { AnyObject, ResourceInfo } from './resource'

/** Which objects of a kind a list, watch or collection deletion is about. */
export interface Selection {
  matches(object: AnyObject): boolean
  /** Nothing is selected away. */
  isEverything: boolean
  /** Nothing but metadata decides. */
  isByMetadata: boolean
  /** The one name that can match. */
  name?: string
}

/** @throws StatusError 400 */
export function selectionOf(info: ResourceInfo, query: URLSearchParams): Selection {
  const labels = parse(query.get('labelSelector'), parseLabelSelector)
  const fields = parse(query.get('fieldSelector'), parseFieldSelector)
  for (const { field } of fields) {
    // The other kinds without a namespace take this one for an empty text.
    const isNowhere = field === 'metadata.namespace' && info.isCustom && !info.type.namespaced
    if (isNowhere || (!isOfMetadata(field) && !isField(info, field))) {
      throw badRequest(
        info.isCustom || info.fieldsOf
          ? `field label not supported: ${field}`
          : `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
      )
    }
  }
  const name = fields.find(({ field, operator }) => field === 'metadata.name' && operator === 'Equals')?.value
  return {
    isEverything: labels.length === 0 && fields.length === 0,
    isByMetadata: fields.every(({ field }) => isOfMetadata(field)),
    name,
    matches: (object) => matchesRequirements(object.metadata.labels, labels) && matchesFields(info, object, fields),
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

const isOfMetadata = (field: string): boolean => field === 'metadata.name' || field === 'metadata.namespace'

const isField = (info: ResourceInfo, field: string): boolean =>
  !!info.fieldsOf && Object.hasOwn(info.fieldsOf({ metadata: {} }), field)

function matchesFields(info: ResourceInfo, object: AnyObject, requirements: FieldRequirement[]): boolean {
  if (requirements.length === 0) return true
  const { name = '', namespace = '' } = object.metadata
  const isByMetadata = requirements.every(({ field }) => isOfMetadata(field))
  const fields: Record<string, string> = {
    ...(!isByMetadata && info.fieldsOf?.(object)),
    'metadata.name': name,
    'metadata.namespace': namespace,
  }
  return requirements.every(({ field, operator, value }) => (fields[field] === value) === (operator === 'Equals'))
}
