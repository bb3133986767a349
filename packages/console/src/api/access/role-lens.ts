import {
  clusterRoleType,
  namespaceType,
  selfSubjectAccessReviewType,
  selfSubjectReviewType,
  selfSubjectRulesReviewType,
  type SelfSubjectAccessReview,
} from '@slipway/kube/core-types'
import { inEachGroup, qualifiedPlural, type ResourceType } from '@slipway/kube/resource-type'
import { type ApiRequest, parseApiRequest } from '@slipway/model/access/api-request'
import { gives } from '@slipway/model/access/missing-right'
import { publicInfoLocation } from '@slipway/model/platform/public-info'
import { viewKinds } from '@slipway/model/views/view-kinds'
import { type Lens, navigate, setLens } from '../client'
import { storedUser } from '../session/session'
import { type ViewedRole, viewedRole } from './viewed-role'

/**
 * Shows the console with the rights of another role (ADR 83). Requests that the role does not allow get their response
 * here, and so does everything that changes something; all others are sent as they are. No server is involved.
 */

const api = '/api/k8s'
const kubeArchive = '/plugins/kubearchive'
const tektonResults = /^\/plugins\/tekton-results\/apis\/([^/]+)\/.*\/(results|records|logs)(\/[^/?]+)?(?:\?|$)/
const readVerbs = ['get', 'list', 'watch']

/** Reviews change nothing, although they are posted. */
const reviews: readonly ResourceType[] = [
  selfSubjectAccessReviewType,
  selfSubjectRulesReviewType,
  selfSubjectReviewType,
]

const isOf = ({ type }: ApiRequest['right'], kind: ResourceType) =>
  type.group === kind.group && type.plural === kind.plural

const failure = (message: string): Response =>
  Response.json(
    { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Forbidden', code: 403, message },
    { status: 403 },
  )

const decision = (body: object, allowed: boolean): Response =>
  Response.json({ ...body, status: { allowed } }, { status: 201 })

function lensOf({ name, rules, isExact }: Omit<ViewedRole, 'email'>): Lens {
  /** A role belongs to a namespace. Outside of one, users read what all users do, and the names of their namespaces. */
  const allows = ({ right, namespace }: ApiRequest): boolean => {
    const isRead = readVerbs.includes(right.verb)
    if (isOf(right, namespaceType) || isOf(right, clusterRoleType)) return isRead
    if (namespace === publicInfoLocation.namespace) return isRead
    return namespace !== undefined && gives(rules, right)
  }

  /** `undefined` for a decision that is left to the cluster: what the user may not read cannot be shown. */
  function reviewed({ body }: RequestInit): Response | undefined {
    // The kube client writes it as the JSON of a review.
    const review = JSON.parse(body as string) as SelfSubjectAccessReview
    const { verb = '', group = '', resource = '', subresource, name, namespace } = review.spec.resourceAttributes ?? {}
    const isAllowed = allows({ namespace, right: { verb, type: { group, plural: resource }, subresource, name } })
    return isAllowed && readVerbs.includes(verb) ? undefined : decision(review, isAllowed)
  }

  function refusalOf(path: string, init: RequestInit = {}): Response | undefined {
    const { method = 'GET' } = init
    const request = parseRequest(method, path)
    if (method !== 'GET') {
      const review = request && reviews.find((type) => isOf(request.right, type))
      if (!review) return failure(`You view the console as ${name}: nothing can be changed.`)
      return review === selfSubjectAccessReviewType ? reviewed(init) : undefined
    }
    if (!request || allows(request)) return undefined
    const { right, namespace } = request
    const where = namespace === undefined ? 'in all namespaces' : `in the namespace ${namespace}`
    return failure(`The role ${name} may not ${right.verb} ${qualifiedPlural(right.type)} ${where}.`)
  }

  return {
    role: name,
    isExact,
    refusalOf,
    deniesView(kind, namespaces) {
      const type = viewKinds.find(({ id }) => id === kind)?.type
      // Which of its groups serves the kind does not matter here.
      const mayList = (namespace: string) =>
        !type || inEachGroup(type).some((served) => allows({ namespace, right: { verb: 'list', type: served } }))
      return !namespaces.every(mayList)
    },
  }
}

/** Reads a path of the gateway. Archives have the same rights as the cluster, Tekton Results those of its own kinds. */
function parseRequest(method: string, path: string): ApiRequest | undefined {
  if (!path.startsWith(api)) return undefined
  const inCluster = path.slice(api.length)
  const [, group, plural, item] = tektonResults.exec(inCluster) ?? []
  if (group && plural) {
    const [, namespace = ''] = /\/parents\/([^/]+)\//.exec(inCluster) ?? []
    return { namespace: decodeURIComponent(namespace), right: { verb: item ? 'get' : 'list', type: { group, plural } } }
  }
  return parseApiRequest(method, inCluster.startsWith(kubeArchive) ? inCluster.slice(kubeArchive.length) : inCluster)
}

/** Applies a role to this page until it is left. Returns a function that ends it. */
export function applyRole(role: ViewedRole): () => void {
  setLens(lensOf(role))
  // Signing out ends it, in another tab too.
  const stopListening = storedUser.subscribe(() => {
    if (storedUser.get()?.email !== role.email) viewedRole.clear()
  })
  return () => {
    stopListening()
    setLens(undefined)
  }
}

/** Applies the role that this tab was left with, unless another user has signed in since. */
export function applyViewedRole(): void {
  const { name, rules, isExact = false, email } = viewedRole.get()
  if (name && Array.isArray(rules) && email && email === storedUser.get()?.email)
    applyRole({ name, rules, isExact, email })
  else viewedRole.clear()
}

/**
 * Shows the console as another role, or as the user's own. The page is loaded again, so that nothing stays on it that was
 * read or decided before.
 */
export function viewAs(role: ViewedRole | undefined): void {
  if (role) viewedRole.set(role)
  else viewedRole.clear()
  navigate(location.pathname + location.search)
}
