import type { KubeList } from '@slipway/kube/object'
import {
  matchesRequirements,
  parseFieldSelector,
  parseLabelSelector,
  SelectorSyntaxError,
  type FieldRequirement,
  type Requirement,
} from '@slipway/kube/selector'
import { badRequest, HttpError } from '../http-error'
import type { Caller } from '../upstreams/upstream'
import type { Target } from '../target'

/** Most users may not list namespaces; this answers which ones they may get. */
export interface NamespaceLister {
  /**
   * @param query of the user's request; only its label and field selectors count
   * @throws Refusal
   */
  list(session: Caller, query: string, requestId: string): Promise<KubeList>
}

export const namespacesPath = '/api/v1/namespaces'

export const isNamespaceList = (target: Target): boolean =>
  target.path === namespacesPath || target.path === `${namespacesPath}/`

/** @throws Refusal 405: the list is computed for each user, so that there is nothing to watch */
export function refuseWatch(query: string): void {
  // The API server takes any value but these for true.
  const isWatch = new URLSearchParams(query).getAll('watch').some((value) => !/^(false|0)$/i.test(value))
  if (isWatch) throw new HttpError(405, 'The list of namespaces cannot be watched: list it again instead.')
}

/** Which namespaces a request asks for. */
export interface NamespaceSelection {
  /** To be put to a Kubernetes API; with its `?`, or empty. */
  query: string
  labels: Requirement[]
  fields: FieldRequirement[]
}

/**
 * The selectors of a request, together with the one that every namespace in an answer matches.
 * @param selector empty for all
 * @throws Refusal 400 for a selector that makes no sense, or asks for a field that namespaces cannot be selected by
 */
export function selectionOf(query: string, selector: string): NamespaceSelection {
  const asked = new URLSearchParams(query)
  const labelSelector = [selector, asked.get('labelSelector')].filter(Boolean).join(',')
  const fieldSelector = asked.get('fieldSelector') ?? ''
  const wanted = new URLSearchParams()
  if (labelSelector) wanted.set('labelSelector', labelSelector)
  if (fieldSelector) wanted.set('fieldSelector', fieldSelector)
  try {
    const labels = parseLabelSelector(labelSelector)
    const fields = parseFieldSelector(fieldSelector)
    const unknown = fields.find(({ field }) => field !== 'metadata.name' && field !== 'status.phase')
    if (unknown) throw new SelectorSyntaxError(`field label not supported: ${unknown.field}`)
    return { query: wanted.size > 0 ? `?${wanted}` : '', labels, fields }
  } catch (error) {
    if (error instanceof SelectorSyntaxError) throw badRequest(error.message)
    throw error
  }
}

interface Selected {
  metadata: { name?: string; labels?: Record<string, string> }
  status?: { phase?: string }
}

export const isSelected = ({ metadata, status }: Selected, { labels, fields }: NamespaceSelection): boolean =>
  matchesRequirements(metadata.labels, labels) &&
  fields.every(({ field, operator, value }) => {
    const actual = field === 'metadata.name' ? metadata.name : status?.phase
    return (actual === value) === (operator === 'Equals')
  })

/**
 * The list that an answer is, with the kind and version that some listers leave out.
 * @throws Refusal 502 for what is no list of named objects: half of it must not look whole
 */
export function namespaceListOf(answer: unknown, name: string): KubeList {
  const { metadata, items } = (answer ?? {}) as { metadata?: { resourceVersion?: unknown } | null; items?: unknown }
  if (!Array.isArray(items) || !items.every(isNamed))
    throw new HttpError(502, `${name} answered no list of namespaces.`)
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
