import { qualifiedNameErrors } from '@slipway/kube/label-syntax'
import { isRecord } from '@slipway/kube/object'
import { asRecord } from '@slipway/kube/parse'
import type { StatusCause } from '@slipway/kube/status'
import { duplicate, forbidden, invalid, required } from '../field-error'
import type { AnyObject } from '../resource'
import { coreType, defineBuiltin } from './define-builtin'
import { recordsIn } from './pod-defaults'
import { parseQuantity } from './quantity'

/** Limit ranges are stored as written: no pod is checked against them. */
export const limitRanges = defineBuiltin({
  type: coreType('LimitRange', 'limitranges'),
  shortNames: ['limits'],
  prepare: (range) => limitsOf(range).forEach(applyDefaults),
  fill(range) {
    const { spec = {} } = range
    range['spec'] = isRecord(spec) ? { limits: null, ...spec } : spec
  },
  validate: limitRangeCauses,
})

type Item = Record<string, unknown>

const limitsOf = ({ spec }: AnyObject): Item[] => recordsIn(asRecord(spec)['limits'])

/** Source: pkg/apis/core/v1 of Kubernetes, SetDefaults_LimitRangeItem. */
function applyDefaults(item: Item): void {
  if (item['type'] !== 'Container') return
  const { max, min } = item
  const limits = { ...asRecord(max), ...asRecord(item['default']) }
  const requests = { ...asRecord(min), ...limits, ...asRecord(item['defaultRequest']) }
  if (Object.keys(limits).length > 0) item['default'] = limits
  if (Object.keys(requests).length > 0) item['defaultRequest'] = requests
}

const itemTypes = ['Container', 'PersistentVolumeClaim', 'Pod']
const containerResources = ['cpu', 'ephemeral-storage', 'memory']
const countedResources = [
  'configmaps',
  'persistentvolumeclaims',
  'pods',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'services',
  'services.loadbalancers',
  'services.nodeports',
]
const standardResources = [
  ...containerResources,
  ...containerResources.flatMap((name) => [`requests.${name}`, `limits.${name}`]),
  ...countedResources,
  'requests.storage',
  'storage',
]
const isHugePages = (name: string) => name.startsWith('hugepages-')
const isStandard = (name: string) =>
  standardResources.includes(name) || isHugePages(name) || name.startsWith('requests.hugepages-')

/** Source: pkg/apis/core/validation of Kubernetes, ValidateLimitRange. */
function limitRangeCauses(range: AnyObject): StatusCause[] {
  const types = new Set<unknown>()
  return limitsOf(range).flatMap((item, index) => {
    const at = `spec.limits[${index}]`
    const { type } = item
    const causes = typeCauses(`${at}.type`, String(type ?? ''))
    if (types.has(type)) causes.push(duplicate(`${at}.type`, type))
    types.add(type)
    return [...causes, ...itemCauses(at, item)]
  })
}

function typeCauses(field: string, type: string): StatusCause[] {
  const errors = qualifiedNameErrors(type)
  if (errors.length === 0 && !type.includes('/') && !itemTypes.includes(type)) {
    errors.push('must be a standard limit type or fully qualified')
  }
  return errors.map((detail) => invalid(field, type, detail))
}

function itemCauses(at: string, item: Item): StatusCause[] {
  const isOfPod = item['type'] === 'Pod'
  const causes: StatusCause[] = []
  const named = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const
  const values = Object.fromEntries(named.map((name) => [name, asRecord(item[name])])) as Record<
    (typeof named)[number],
    Record<string, unknown>
  >
  for (const name of named) {
    const keys = Object.keys(values[name])
    if (isOfPod && name.startsWith('default')) {
      if (keys.length > 0) causes.push(forbidden(`${at}.${name}`, "may not be specified when `type` is 'Pod'"))
      values[name] = {}
      continue
    }
    for (const key of keys) causes.push(...resourceNameCauses(`${at}.${name}[${key}]`, key, item['type']))
  }
  const { max, min, default: limits, defaultRequest: requests, maxLimitRequestRatio: ratios } = values
  if (item['type'] === 'PersistentVolumeClaim' && !('storage' in min) && !('storage' in max)) {
    causes.push(
      required(`${at}.limits`, 'either minimum or maximum storage value is required, but neither was provided'),
    )
  }
  const quantity = (of: Record<string, unknown>, key: string): number => parseQuantity(of[key]) ?? NaN
  for (const key of new Set(Object.values(values).flatMap(Object.keys))) {
    // A comparison with a missing quantity is false.
    const isGreater = (a: Record<string, unknown>, b: Record<string, unknown>) => quantity(a, key) > quantity(b, key)
    const add = (name: string, value: unknown, detail: string) =>
      void causes.push(invalid(`${at}.${name}[${key}]`, value, detail))
    if (isGreater(min, max)) add('min', min[key], `min value ${min[key]} is greater than max value ${max[key]}`)
    if (isGreater(min, requests)) {
      const detail = `min value ${min[key]} is greater than default request value ${requests[key]}`
      add('defaultRequest', requests[key], detail)
    }
    if (isGreater(requests, max)) {
      const detail = `default request value ${requests[key]} is greater than max value ${max[key]}`
      add('defaultRequest', requests[key], detail)
    }
    if (isGreater(requests, limits)) {
      const detail = `default request value ${requests[key]} is greater than default limit value ${limits[key]}`
      add('defaultRequest', requests[key], detail)
    }
    if (isGreater(min, limits)) {
      add('default', min[key], `min value ${min[key]} is greater than default value ${limits[key]}`)
    }
    if (isGreater(limits, max)) {
      add('default', max[key], `default value ${limits[key]} is greater than max value ${max[key]}`)
    }
    const ratio = quantity(ratios, key)
    const maxRatio = quantity(max, key) / quantity(min, key)
    if (ratio < 1) add('maxLimitRequestRatio', ratios[key], `ratio ${ratios[key]} is less than 1`)
    if (ratio > maxRatio) {
      const detail = `ratio ${ratios[key]} is greater than max/min = ${maxRatio.toFixed(6)}`
      add('maxLimitRequestRatio', ratios[key], detail)
    }
    const mayOvercommit = (!key.includes('/') || key.includes('kubernetes.io/')) && !isHugePages(key)
    const differs = Math.abs(quantity(limits, key) - quantity(requests, key)) > 0
    if (!mayOvercommit && differs) {
      const detail = `default value ${limits[key]} must equal to defaultRequest value ${requests[key]} in ${key}`
      add('defaultRequest', requests[key], detail)
    }
  }
  return causes
}

function resourceNameCauses(field: string, name: string, type: unknown): StatusCause[] {
  const errors = qualifiedNameErrors(name)
  const isQualified = name.includes('/')
  if (errors.length === 0 && !isQualified && !isStandard(name)) {
    errors.push('must be a standard resource type or fully qualified')
  }
  const isOfContainers = type === 'Pod' || type === 'Container'
  if (isOfContainers && !isQualified && !containerResources.includes(name) && !isHugePages(name)) {
    errors.push('must be a standard resource for containers')
  }
  return errors.map((detail) => invalid(field, name, detail))
}
