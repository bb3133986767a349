import { HttpError } from '@slipway/connect/http-error'
import { isTrue } from '@slipway/kube/api-request'
import type { KubeList } from '@slipway/kube/object'
import {
  parseFieldSelector,
  parseLabelSelector,
  SelectorSyntaxError,
  type FieldRequirement,
} from '@slipway/kube/parse-selector'
import { matchesRequirements, type Requirement } from '@slipway/kube/selector'
import { badRequest } from '../http-error'
import type { Sender } from '../upstreams/outgoing'
import type { ApiTarget, Target } from '../target'

/** Most users may not list namespaces; this returns those that they may get. */
export interface NamespaceLister {
  /**
   * @param query of the user's request; only its label and field selectors are used
   * @throws HttpError
   */
  list(sender: Sender, query: string): Promise<KubeList>
}

export const namespacesPath = '/api/v1/namespaces'

export const isNamespaceList = ({ path }: Target): boolean => path === namespacesPath || path === `${namespacesPath}/`

/** @throws HttpError 405, since the list is computed for each user and there is nothing to watch */
export function rejectWatch({ parameters }: ApiTarget): void {
  // Kubernetes reads only the first value, but the gateway computes the list for none of them.
  if (parameters.getAll('watch').some(isTrue))
    throw new HttpError(405, 'The list of namespaces cannot be watched. List it again instead.')
}

/** Which namespaces a request selects. */
export interface NamespaceSelection {
  /** The query for a Kubernetes API, with its `?`, or empty. */
  query: string
  labels: Requirement[]
  fields: FieldRequirement[]
}

/**
 * Parses the selectors of a request and combines them with the configured one.
 * @param selector matches every namespace that may be listed; empty for all
 * @throws HttpError 400 for an invalid selector or an unsupported field
 */
export function parseSelection(query: string, selector: string): NamespaceSelection {
  const parameters = new URLSearchParams(query)
  const labelSelector = [selector, parameters.get('labelSelector')].filter(Boolean).join(',')
  const fieldSelector = parameters.get('fieldSelector') ?? ''
  const upstreamParameters = new URLSearchParams()
  if (labelSelector) upstreamParameters.set('labelSelector', labelSelector)
  if (fieldSelector) upstreamParameters.set('fieldSelector', fieldSelector)
  try {
    const labels = parseLabelSelector(labelSelector)
    const fields = parseFieldSelector(fieldSelector)
    const unknown = fields.find(({ field }) => field !== 'metadata.name' && field !== 'status.phase')
    if (unknown) throw new SelectorSyntaxError(`field label not supported: ${unknown.field}`)
    return { query: upstreamParameters.size > 0 ? `?${upstreamParameters}` : '', labels, fields }
  } catch (error) {
    if (error instanceof SelectorSyntaxError) throw badRequest(error.message)
    throw error
  }
}

interface Selectable {
  metadata: { name?: string; labels?: Record<string, string> }
  status?: { phase?: string }
}

export const isSelected = ({ metadata, status }: Selectable, { labels, fields }: NamespaceSelection): boolean =>
  matchesRequirements(metadata.labels, labels) &&
  fields.every(({ field, operator, value }) => {
    const actual = field === 'metadata.name' ? metadata.name : status?.phase
    return (actual === value) === (operator === 'Equals')
  })

/**
 * Parses the response as a list and adds the kind and version that some listers omit.
 * @throws HttpError 502 unless it is a list of named objects: a partial list must not look complete
 */
export function parseNamespaceList(response: unknown, name: string): KubeList {
  const { metadata, items } = (response ?? {}) as { metadata?: { resourceVersion?: unknown } | null; items?: unknown }
  if (!Array.isArray(items) || !items.every(isNamed))
    throw new HttpError(502, `${name} did not return a list of namespaces.`)
  const version = metadata?.resourceVersion
  return {
    kind: 'NamespaceList',
    apiVersion: 'v1',
    metadata: typeof version === 'string' ? { resourceVersion: version } : {},
    items,
  }
}

function isNamed(item: unknown): boolean {
  const { metadata } = (item ?? {}) as { metadata?: { name?: unknown; labels?: unknown } | null }
  const { name, labels } = metadata ?? {}
  return typeof name === 'string' && name !== '' && (labels === undefined || typeof labels === 'object')
}
