import { isRecord } from '@slipway/kube/object'
import { asArray, asRecord, asText, parseJson } from '@slipway/kube/parse'
import { type NamespacedName, parseNamespacedName } from '../namespaced-name'
import { verifiedComponent } from './architectures'

/** Exceptions of a policy that have a date. The data is untrusted. */

/** What an exception is limited to; only one member is set, and none of them if it holds for all images. */
export interface WaiverScope {
  /** `sha256:…` */
  digest?: string
  /** An image without tag and digest. */
  repository?: string
  components?: string[]
}

export interface Waiver extends WaiverScope {
  /** Whether the rules are left out, or added. */
  kind: 'exclude' | 'include'
  /** What it names: `cve`, `cve.*`, `cve.blockers`, `cve.blockers:CVE-2026-1`, `@redhat`, `*`. */
  value: string
  /** From when on and until when it holds, both included; `undefined` without such a bound. */
  fromMs: number | undefined
  untilMs: number | undefined
  /** The issue that it belongs to. */
  reference?: string
  /** Whether the same rules stay left out without it, for all images. */
  isLasting: boolean
}

/** What a policy includes and excludes for good: names as in `Waiver.value`. */
export interface LastingCriteria {
  include: readonly string[]
  exclude: readonly string[]
}

/** Rules that are evaluated together. */
export interface PolicySource {
  own: LastingCriteria
  /** Of the policy: they count as long as the source has none of its own, lasting or not. */
  fallback: LastingCriteria
  waivers: readonly Waiver[]
  ruleData: Record<string, unknown>
  /** Whether the data of its rules may come from elsewhere too. */
  hasOtherData: boolean
}

/** @param spec of the policy */
export function sourcesOf(spec: unknown): PolicySource[] {
  const { sources, configuration } = asRecord(spec)
  const fallback = lastingCriteriaIn(configuration)
  return asArray(sources)
    .filter(isRecord)
    .map(({ volatileConfig, config, ruleData, data }) => {
      const own = lastingCriteriaIn(config)
      const lasting = (isEmpty(own) ? fallback : own).exclude
      const { exclude, include } = asRecord(volatileConfig)
      return {
        own,
        fallback,
        waivers: [...waiversIn('exclude', exclude, lasting), ...waiversIn('include', include, [])],
        ruleData: asRecord(ruleData),
        hasOtherData: asArray(data).length > 0,
      }
    })
}

export const isEmpty = ({ include, exclude }: LastingCriteria): boolean => include.length === 0 && exclude.length === 0

function lastingCriteriaIn(config: unknown): LastingCriteria {
  const { include, exclude, collections } = asRecord(config)
  const textsIn = (value: unknown) => asArray(value).flatMap((each) => asText(each) ?? [])
  return {
    // An older way to include collections.
    include: [...textsIn(include), ...textsIn(collections).map((name) => `@${name}`)],
    exclude: textsIn(exclude),
  }
}

/** The exceptions that may have a date, in all sources of a policy. @param spec of the policy */
export const waiversOf = (spec: unknown): Waiver[] => sourcesOf(spec).flatMap(({ waivers }) => waivers)

/** Whether an exception holds at a moment: also at its first and last one. */
export const isInForce = ({ fromMs = -Infinity, untilMs = Infinity }: Waiver, atMs: number): boolean =>
  fromMs <= atMs && atMs <= untilMs

const waiversIn = (kind: Waiver['kind'], criteria: unknown, lasting: readonly string[]): Waiver[] =>
  asArray(criteria)
    .filter(isRecord)
    .flatMap((criterion) => {
      const value = asText(criterion.value)
      const reference = asText(criterion.reference)
      return value === undefined
        ? []
        : {
            kind,
            value,
            fromMs: timeOf(criterion.effectiveOn),
            untilMs: timeOf(criterion.effectiveUntil),
            ...scopeOf(criterion),
            ...(reference !== undefined && { reference }),
            isLasting: lasting.includes(value),
          }
    })

/** The first that is given counts. Source: conforma/cli, internal/evaluator/criteria.go. */
function scopeOf({ imageRef, imageUrl, imageDigest, componentNames }: Record<string, unknown>): WaiverScope {
  const ref = asText(imageRef)
  const repository = asText(imageUrl)
  const digest = asText(imageDigest)
  const components = asArray(componentNames).flatMap((name) => asText(name) ?? [])
  if (ref) return { digest: ref }
  if (repository) return { repository }
  if (digest) return { digest }
  return components.length > 0 ? { components } : {}
}

/** RFC 3339, with any offset; any other text is no bound, as for Conforma. */
const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

function timeOf(value: unknown): number | undefined {
  const text = asText(value)
  const time = text && rfc3339.test(text) ? Date.parse(text) : NaN
  return Number.isNaN(time) ? undefined : time
}

/** Whether a waiver holds for an image of a component. */
export function holdsFor(
  { digest, repository, components }: WaiverScope,
  { component, image = '' }: { component: string; image?: string | undefined },
): boolean {
  if (digest) return image.endsWith(`@${digest}`)
  if (repository) return repositoryOf(image) === repository
  return !components || components.includes(component) || components.includes(verifiedComponent(component).component)
}

const repositoryOf = (image: string): string => image.replace(/@.*$/, '').replace(/:[^/:]*$/, '')

/** The policy that a verification applies. */
export type PolicyRef =
  | { kind: 'object'; namespace: string; name: string }
  /** The task was given the policy itself. */
  | { kind: 'inline'; spec: Record<string, unknown> }
  /** A file in a repository or an image, which the console does not read. */
  | { kind: 'elsewhere'; address: string }

/**
 * Reads the parameter `POLICY_CONFIGURATION` of a verification.
 * @param namespace of the verification, for a policy of that namespace
 * @returns `undefined` if it names none
 */
export function policyRefOf(value: unknown, namespace: string): PolicyRef | undefined {
  const text = asText(value)
  if (text === undefined) return undefined
  if (text.startsWith('{')) {
    const spec = parseJson(text)
    // Some pipelines pass the object, others its specification.
    return isRecord(spec) ? { kind: 'inline', spec: isRecord(spec.spec) ? spec.spec : spec } : undefined
  }
  const named: NamespacedName | undefined = nameLike.test(text) ? parseNamespacedName(text) : undefined
  return named
    ? { kind: 'object', namespace: named.namespace ?? namespace, name: named.name }
    : { kind: 'elsewhere', address: text }
}

const nameLike = /^([a-z0-9-]+\/)?[a-z0-9.-]+$/
