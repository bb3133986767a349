import { createKubeClient, type KubeClient } from '@slipway/kube/client'
import {
  configMapType,
  namespaceType,
  selfSubjectAccessReviewType,
  selfSubjectRulesReviewType,
} from '@slipway/kube/core-types'
import type { KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import { applicationType } from '@slipway/model/supply-chain/application'
import { componentType } from '@slipway/model/supply-chain/component'
import { labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { bannerLocation, publicInfoLocation } from '@slipway/model/platform/public-info'
import { releaseType } from '@slipway/model/supply-chain/release'
import { taskRunType } from '@slipway/model/runs/task-run'
import { type AccessCheck, accessReview, rulesReview } from '../api/access/access-review'
import { preload } from './responses'
import { type ListScope, pageOf } from '../api/list-pages'
import { withConsoleHeaders } from '../api/console-headers'
import { batchReviews, isReview } from '../api/access/access-review-batch'
import { type ApplicationParams, paths, pattern } from '../paths'
import {
  applicationFields,
  countedComponentFields,
  releaseOutcomeFields,
  runFields,
  taskRunFields,
} from '../resources/listed-fields'
import { runActionChecks, toCreateApplication, toDeleteApplication } from '../resources/rights'

/**
 * What the page at an address will ask for as soon as it runs, asked before it does. That this is the same is proved by
 * tests; where it once is not, a call is made in vain, and the page makes its own.
 */
export function sendFirstRequests(pathname: string): void {
  void gateway.request('/oauth2/userinfo')
  for (const [build, ask, isAlsoBelow] of pages) {
    const params = paramsOf(build, pathname, isAlsoBelow)
    if (params) ask(params)
  }
  get(configMapType, bannerLocation)
}

/** Keeps the answers, and never answers itself: the kube client is here to spell the calls. */
const keep: typeof fetch = (input, init) => {
  const path = String(input)
  preload(path, withConsoleHeaders(init), isReview(path, init) ? askReview : undefined)
  return new Promise(() => {})
}
const askReview = batchReviews((path, init) => globalThis.fetch(path, init))
const client: KubeClient = createKubeClient({ baseUrl: '/api/k8s', fetch: keep })
const gateway: Pick<KubeClient, 'request'> = createKubeClient({ baseUrl: '', fetch: keep })

const get = <T extends KubeObject>(type: ResourceType<T>, { name, namespace }: { name: string; namespace?: string }) =>
  void client.get(type, name, { ...(namespace && { namespace }) })
/** After all the rest, reviews included: it has the most to answer, and a server may do one thing at a time. */
const list = (type: ResourceType, scope: ListScope, isGradual = false) => {
  setTimeout(() => void client.list(type, pageOf(scope, { isGradual })))
}
const review = (checks: AccessCheck[]) => {
  for (const check of checks) void client.create(selfSubjectAccessReviewType, accessReview(check))
}
const reviewRules = (namespace: string) => void client.create(selfSubjectRulesReviewType, rulesReview(namespace))

/** The parameters of any address. */
type Params = Record<'namespace' | 'application' | 'pipelineRun' | 'taskRun', string>
type Page = [build: (params: Params) => string, ask: (params: Params) => void, isAlsoBelow?: boolean]

const askApplication = ({ namespace, application }: ApplicationParams) => {
  get(applicationType, { namespace, name: application })
  review(toDeleteApplication(namespace))
  reviewRules(namespace)
}
const askActivity = (at: ApplicationParams) => {
  const { namespace, application } = at
  askApplication(at)
  review(runActionChecks(namespace))
  list(pipelineRunType, { namespace, labels: { [labels.application]: application }, mask: runFields }, true)
}

const pages: Page[] = [
  [paths.overview, () => get(configMapType, publicInfoLocation)],
  [paths.namespace, ({ namespace }) => get(namespaceType, { name: namespace }), true],
  [
    paths.applications,
    ({ namespace }) => {
      review([
        { verb: 'list', type: applicationType, namespace },
        ...toCreateApplication(namespace),
        ...toDeleteApplication(namespace),
      ])
      reviewRules(namespace)
      list(applicationType, { namespace, mask: applicationFields })
      list(componentType, { namespace, mask: countedComponentFields })
      list(releaseType, { namespace, mask: releaseOutcomeFields })
    },
  ],
  [paths.application, askApplication],
  [paths.components, askApplication],
  [paths.activity, askActivity, true],
  [
    paths.pipelineRun,
    ({ namespace, pipelineRun }) => {
      review([
        { verb: 'list', type: pipelineRunType, namespace },
        { verb: 'list', type: taskRunType, namespace },
        ...runActionChecks(namespace),
      ])
      reviewRules(namespace)
      get(pipelineRunType, { namespace, name: pipelineRun })
      list(taskRunType, { namespace, labels: { [labels.pipelineRun]: pipelineRun }, mask: taskRunFields }, true)
    },
    true,
  ],
  [
    paths.taskRun,
    ({ namespace, taskRun }) => {
      review([{ verb: 'list', type: taskRunType, namespace }])
      get(taskRunType, { namespace, name: taskRun })
    },
    true,
  ],
]

/** `undefined` for an address of another page, and for one that cannot be read. */
function paramsOf(build: Page[0], pathname: string, isAlsoBelow = false): Params | undefined {
  const filterValues = pattern(build).split('/')
  const given = pathname.replace(/(.)\/$/, '$1').split('/')
  if (isAlsoBelow ? given.length < filterValues.length : given.length !== filterValues.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, part] of filterValues.entries()) {
    const value = given[index] ?? ''
    if (!part.startsWith(':')) {
      if (part !== value) return undefined
      continue
    }
    try {
      params[part.slice(1)] = decodeURIComponent(value)
    } catch {
      return undefined
    }
    if (value === '') return undefined
  }
  // Those of its pattern, which are all that its page reads.
  return params as Params
}
