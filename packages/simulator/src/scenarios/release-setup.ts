import { serviceAccountType } from '@slipway/kube/core-types'
import { labels } from '@slipway/model/labels'
import {
  releasePlanAdmissionType,
  releasePlanType,
  type ReleasePlan,
  type ReleasePlanAdmission,
} from '@slipway/model/releases/release-plan'
import { builder, type Overrides } from '@slipway/model/testing'
import { aServiceAccount } from '@slipway/model/testing/build-services'
import { aReleasePlan, aReleasePlanAdmission } from '@slipway/model/testing/tests-and-releases'
import { sanitizeLabelValue } from '@slipway/model/releases/release-author'
import { retryInfoFor } from '../release/retries'
import { releaseCatalogRef } from '../tekton/catalog/pipeline-parts'
import { timestamp } from '../tekton/task-run-status'
import { seed, type ScenarioContext, type Seed } from './scenario'
import { uidFor } from './uids'

/** How an application is released. */
export interface ReleaseSetupPlan {
  name: string
  /** Namespace of the admission; without one the team releases with a tenant pipeline. */
  target?: string
  pipeline:
    | 'push-to-external-registry'
    | 'rh-push-to-registry-redhat-io'
    | 'rh-advisories'
    | 'fbc-release'
    | 'release-to-github'
    | 'tenant-release'
  isAutomatic: boolean
  /** Whether no admission matches it. */
  isUnmatched?: boolean
  /** Overrides of its plan and its admission. */
  plan?: Overrides<ReleasePlan>
  admission?: Overrides<ReleasePlanAdmission>
}

export interface ReleaseSetup {
  plan: ReleasePlan
  admission?: ReleasePlanAdmission
}

const dayMs = 24 * 3_600_000
const setUpBeforeMs = 57 * dayMs

export function createReleaseSetup(
  namespace: string,
  application: string,
  components: string[],
  setup: ReleaseSetupPlan,
  { nowMs, world, users, platform }: ScenarioContext,
): ReleaseSetup {
  const { name, target, pipeline, isAutomatic, isUnmatched = false } = setup
  const creationTimestamp = timestamp(nowMs - setUpBeforeMs)
  const matched = (isMatched: boolean) => ({
    type: 'Matched',
    status: isMatched ? ('True' as const) : ('False' as const),
    reason: 'Matched',
    message: '',
    lastTransitionTime: creationTimestamp,
  })
  const hasAdmission = target !== undefined && !isUnmatched
  const isBlocked = setup.admission?.metadata?.labels?.[labels.blockReleases] === 'true'
  const planDefaults = aReleasePlan({
    metadata: {
      name,
      namespace,
      uid: uidFor(world, 'release plan', namespace, name),
      creationTimestamp,
      labels: {
        [labels.autoRelease]: String(isAutomatic),
        [labels.standingAttribution]: String(isAutomatic),
        // The service records the author of automatic releases only.
        ...(isAutomatic && { [labels.author]: sanitizeLabelValue(users.admin) }),
        // Several admissions of a namespace may match the application.
        ...(hasAdmission && { [labels.releasePlanAdmission]: name }),
      },
    },
    spec: {
      application,
      target,
      data: target ? { releaseNotes: { references: ['https://docs.slipway.test'] } } : undefined,
      ...(!target && {
        tenantPipeline: {
          pipelineRef: releaseCatalogRef(`pipelines/tenant/${pipeline}.yaml`),
          serviceAccountName: releaser,
        },
      }),
    },
    status: {
      conditions: [matched(hasAdmission)],
      releasePlanAdmission: hasAdmission ? { active: !isBlocked, name: `${target}/${name}` } : {},
    },
  })
  const plan = builder<ReleasePlan>(releasePlanType, () => planDefaults)(setup.plan)
  if (!hasAdmission) return { plan }
  const admissionDefaults = aReleasePlanAdmission({
    metadata: {
      name,
      namespace: target,
      uid: uidFor(world, 'admission', target, name),
      creationTimestamp,
      labels: { [labels.blockReleases]: 'false' },
    },
    spec: {
      applications: [application],
      origin: namespace,
      environment: name.endsWith('production') ? 'production' : undefined,
      pipeline: { pipelineRef: releaseCatalogRef(`pipelines/managed/${pipeline}/${pipeline}.yaml`) },
      data: {
        releaseNotes: { product_name: application, product_version: '2.4', type: 'RHEA' },
        mapping: {
          components: components.map((component) => ({
            name: component,
            repository: `registry.slipway.test/released/${component}`,
          })),
          defaults: { tags: ['latest', '{{ git_short_sha }}'] },
        },
      },
    },
    status: {
      conditions: [matched(true)],
      releasePlans: [{ active: isAutomatic, name: `${namespace}/${name}` }],
    },
  })
  const admission = builder<ReleasePlanAdmission>(releasePlanAdmissionType, () => admissionDefaults)(setup.admission)
  if (platform === 'legacy') return { plan, admission }
  const retryInfo = retryInfoFor(admission, [plan])
  return { plan, admission: { ...admission, status: { ...admission.status, retryInfo } } }
}

/** Service account of tenant releases. */
export const releaser = 'release-pipeline'

export const releaseSetupSeeds = ({ plan, admission }: ReleaseSetup): Seed[] => [
  seed(releasePlanType, plan),
  ...(admission ? [seed(releasePlanAdmissionType, admission)] : []),
]

/** The service account of releases in a namespace. */
export const releaserSeed = (namespace: string): Seed =>
  seed(serviceAccountType, aServiceAccount({ metadata: { name: releaser, namespace } }))
