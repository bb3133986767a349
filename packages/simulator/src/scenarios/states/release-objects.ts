import type { Condition } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import { enterpriseContractPolicyType } from '@slipway/model/snapshots/enterprise-contract-policy'
import { releasePlanAdmissionType, releasePlanType } from '@slipway/model/releases/release-plan'
import { aReleasePlan, aReleasePlanAdmission } from '@slipway/model/testing/tests-and-releases'
import { timestamp } from '../../tekton/task-run-status'
import { releaseCatalogRef, paramList } from '../../tekton/catalog/pipeline-parts'
import { releaser } from '../release-setup'
import { commonVulnerabilities } from '../../tekton/catalog/scan-reports'
import { seed, type ScenarioContext, type Seed } from '../scenario'
import { storefront, storefrontReleases, strictPolicy } from './storefront'

const dayMs = 24 * 3_600_000

const policy = (
  name: string,
  description: string,
  collections: string[],
  {
    namespace = storefrontReleases,
    exclude = [],
    exceptions = [],
    ruleData,
  }: {
    namespace?: string
    exclude?: string[]
    exceptions?: Record<string, unknown>[]
    ruleData?: Record<string, unknown>
  } = {},
) => ({
  metadata: { name, namespace },
  spec: {
    name,
    description,
    publicKey: 'k8s://openshift-pipelines/public-key',
    configuration: { collections, exclude },
    sources: [
      {
        name: 'Default',
        policy: ['oci::quay.io/conforma/release-policy:latest'],
        data: ['oci::quay.io/konflux-ci/tekton-catalog/data-acceptable-bundles:latest'],
        ...(exceptions.length > 0 && { volatileConfig: { exclude: exceptions } }),
        ...(ruleData && { ruleData }),
      },
    ],
  },
})

/** The policy that admissions name unless they have one of their own. */
export const defaultPolicy = (namespace: string): Seed =>
  seed(
    enterpriseContractPolicyType,
    policy('default', 'The minimum requirements for all teams.', ['minimal'], { namespace }),
  )

export const lenientPolicy = 'lenient'

/** A policy that ignores a vulnerability until a date, and gives some days to fix others. */
export const policyWithLeeway = (namespace: string, { nowMs }: ScenarioContext): Seed =>
  seed(
    enterpriseContractPolicyType,
    policy(lenientPolicy, 'All rules, with time to fix vulnerabilities.', ['redhat'], {
      namespace,
      exceptions: [
        {
          value: `cve.cve_blockers:${commonVulnerabilities.critical?.cve}`,
          effectiveOn: timestamp(nowMs - 3 * dayMs),
          effectiveUntil: timestamp(nowMs + 20 * dayMs),
          reference: 'https://issues.slipway.test/REFUND-7',
        },
      ],
      ruleData: { cve_leeway: { critical: 7, high: 30 } },
    }),
  )

/** Plans, admissions and policies without a match or with an ambiguous one. */
export function releaseObjects({ nowMs }: ScenarioContext): Seed[] {
  const creationTimestamp = timestamp(nowMs - 21 * dayMs)
  const unmatched: Condition = {
    type: 'Matched',
    status: 'False',
    reason: 'Matched',
    message: '',
    lastTransitionTime: creationTimestamp,
  }
  const admission = (name: string, overrides: Parameters<typeof aReleasePlanAdmission>[0]) =>
    seed(
      releasePlanAdmissionType,
      aReleasePlanAdmission({
        ...overrides,
        metadata: { name, namespace: storefrontReleases, creationTimestamp, ...overrides?.metadata },
        status: { conditions: [unmatched], releasePlans: [] },
      }),
    )
  const plan = (name: string, overrides: Parameters<typeof aReleasePlan>[0]) =>
    seed(
      releasePlanType,
      aReleasePlan({
        ...overrides,
        metadata: { name, creationTimestamp, ...overrides?.metadata },
        status: { conditions: [unmatched], releasePlanAdmission: {} },
      }),
    )
  const manual = {
    [labels.autoRelease]: 'false',
    [labels.standingAttribution]: 'false',
    [labels.author]: undefined,
  }
  return [
    // Both match the plan storefront-by-two.
    admission('storefront-eu', { spec: { applications: ['storefront'], origin: storefront.namespace } }),
    admission('storefront-us', { spec: { applications: ['storefront'], origin: storefront.namespace } }),
    // Admissions for other teams.
    admission('checkout-to-storefront', { spec: { applications: ['checkout', 'ledger'], origin: 'team-payments' } }),
    admission('nobody-uses-this', { spec: { applications: ['retired'], origin: 'team-platform', data: {} } }),
    plan('of-a-past-application', {
      metadata: { namespace: storefront.namespace, labels: manual },
      spec: { application: 'retired', target: storefrontReleases },
    }),
    plan('storefront-republish', {
      metadata: { namespace: storefrontReleases, labels: manual },
      spec: { application: 'storefront', target: undefined, releaseGracePeriodDays: 3 },
    }),
    // Shapes of earlier versions of the API, and a pipeline that forms cannot edit.
    plan('storefront-of-the-first-api', {
      metadata: { namespace: storefront.namespace, labels: manual },
      spec: {
        application: 'storefront',
        target: storefront.namespace,
        pipelineRef: releaseCatalogRef('pipelines/tenant/tenant-release.yaml'),
        serviceAccount: releaser,
        data: { releaseNotes: { topic: 'Written by an earlier console.' } },
      },
    }),
    plan('storefront-of-the-second-api', {
      metadata: { namespace: storefront.namespace, labels: manual },
      spec: {
        application: 'storefront',
        target: undefined,
        pipeline: { pipelineRef: releaseCatalogRef('pipelines/tenant/tenant-release.yaml'), serviceAccount: releaser },
      },
    }),
    plan('storefront-by-bundle', {
      metadata: { namespace: storefront.namespace, labels: manual },
      spec: {
        application: 'storefront',
        target: undefined,
        tenantPipeline: {
          pipelineRef: {
            resolver: 'bundles',
            params: paramList({
              bundle: 'registry.slipway.test/catalog/pipeline-tenant-release:0.1',
              name: 'tenant-release',
              kind: 'pipeline',
            }),
          },
          serviceAccountName: releaser,
        },
      },
    }),
    seed(
      enterpriseContractPolicyType,
      policy(strictPolicy, 'All rules, with one exception that ends.', ['redhat'], {
        exceptions: [
          {
            value: 'hermetic_task.hermetic',
            effectiveOn: timestamp(nowMs - 60 * dayMs),
            effectiveUntil: timestamp(nowMs + 12 * dayMs),
            reference: 'https://issues.slipway.test/STORE-118',
          },
        ],
      }),
    ),
    seed(
      enterpriseContractPolicyType,
      policy('fbc-standard', 'For operator catalogs.', ['redhat'], { exclude: ['cve', 'test.no_failed_tests'] }),
    ),
  ]
}
