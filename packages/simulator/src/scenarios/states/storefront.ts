import { labels } from '@slipway/model/labels'
import type { TeamPlan } from '../play-projects'
import { releaseCatalogRef, paramList } from '../../tekton/catalog/pipeline-parts'
import { releaser, type ReleaseSetupPlan } from '../release-setup'

/** Managed namespaces. Not all users who can see the applications can see these. */
export const storefrontReleases = 'storefront-releases'
export const mobileReleases = 'mobile-releases'
export const strictPolicy = 'registry-strict'

const collector = (name: string, type: string) => ({
  name,
  type,
  timeout: 120,
  params: [{ name: 'query', value: 'project = STORE and fixVersion = 2.4' }],
})
const tenantPipeline = {
  pipelineRef: releaseCatalogRef('pipelines/tenant/tenant-release.yaml'),
  serviceAccountName: releaser,
}
const finalPipeline = {
  pipelineRef: releaseCatalogRef('pipelines/tenant/final-release.yaml'),
  serviceAccountName: releaser,
  params: [{ name: 'channel', value: '#storefront' }],
}

/** A plan and an admission for each of their features. */
const releases: ReleaseSetupPlan[] = [
  {
    name: 'storefront-advisory',
    target: storefrontReleases,
    pipeline: 'rh-advisories',
    isAutomatic: false,
    plan: {
      spec: {
        collectors: { items: [collector('tracker', 'jira')], secrets: ['tracker-token'], serviceAccountName: releaser },
        releaseGracePeriodDays: 30,
        data: { releaseNotes: { topic: 'The monthly release of the storefront.', type: 'RHSA' } },
      },
    },
    admission: {
      spec: {
        applications: ['storefront', 'design-system', 'storefront-mobile'],
        policy: strictPolicy,
        environment: 'production',
        collectors: { items: [collector('vulnerabilities', 'cve')], serviceAccountName: 'release-collectors' },
        pipeline: { serviceAccountName: 'release-advisories' },
        data: {
          releaseNotes: {
            product_name: 'Storefront',
            product_version: '2.4',
            product_id: [611],
            cpe: 'cpe:/a:slipway:2.4',
          },
          sign: { configMapName: 'signing-keys', cosignSecretName: 'cosign-keys' },
          cdn: { env: 'production' },
          pyxis: { server: 'production', secret: 'pyxis-token' },
        },
      },
    },
  },
  {
    name: 'storefront-index',
    target: storefrontReleases,
    pipeline: 'fbc-release',
    isAutomatic: false,
    admission: {
      spec: {
        policy: 'fbc-standard',
        data: {
          fbc: { fromIndex: 'registry.slipway.test/index:v4.20', targetIndex: 'registry.slipway.test/index:v4.21' },
          mapping: undefined,
        },
      },
    },
  },
  {
    name: 'storefront-to-registry',
    target: storefrontReleases,
    pipeline: 'rh-push-to-registry-redhat-io',
    isAutomatic: false,
    admission: {
      spec: {
        policy: strictPolicy,
        environment: 'production',
        pipeline: { serviceAccountName: 'release-registry-prod' },
        data: {
          releaseNotes: { product_name: 'Storefront', product_version: '2.4', type: 'RHBA' },
          mapping: {
            components: ['web', 'cart', 'search'].map((part) => ({
              name: `storefront-${part}`,
              repositories: [{ url: `registry.redhat.io/storefront/${part}-rhel9` }],
              pushSourceContainer: true,
            })),
            defaults: { tags: ['2.4', '{{ git_short_sha }}', '{{ digest_sha }}'] },
            registrySecret: 'konflux-release-service-registry',
          },
          pyxis: { server: 'production', secret: 'pyxis-prod-secret' },
          sign: {
            configMapName: 'hacbs-signing-pipeline-config-redhatrelease2',
            cosignSecretName: 'konflux-cosign-signing-production',
          },
          intention: 'production',
        },
      },
    },
  },
  { name: 'storefront-to-github', target: storefrontReleases, pipeline: 'release-to-github', isAutomatic: false },
  {
    name: 'storefront-frozen',
    target: storefrontReleases,
    pipeline: 'push-to-external-registry',
    isAutomatic: true,
    admission: { metadata: { labels: { [labels.blockReleases]: 'true' } } },
  },
  {
    name: 'storefront-to-nobody',
    target: 'nobody-releases',
    pipeline: 'push-to-external-registry',
    isAutomatic: false,
    isUnmatched: true,
  },
  {
    name: 'storefront-by-two',
    target: storefrontReleases,
    pipeline: 'push-to-external-registry',
    isAutomatic: false,
    isUnmatched: true,
  },
  {
    name: 'storefront-unattributed',
    pipeline: 'tenant-release',
    isAutomatic: true,
    plan: { metadata: { labels: { [labels.standingAttribution]: 'false', [labels.author]: undefined } } },
  },
  { name: 'storefront-to-staging', pipeline: 'tenant-release', isAutomatic: false, plan: { spec: { finalPipeline } } },
  {
    name: 'storefront-with-notes',
    pipeline: 'tenant-release',
    isAutomatic: false,
    plan: {
      spec: { tenantPipeline, collectors: { items: [collector('tracker', 'jira')] }, releaseGracePeriodDays: 1 },
    },
  },
]

/** A test whose pipeline is found by these parameters: in a Git repository, unless another resolver is given. */
const resolvedBy = (params: Record<string, string>, ref: { resolver?: string; resourceKind?: 'pipelinerun' } = {}) => ({
  spec: { resolverRef: { ...ref, params: paramList(params) } },
})

/** A team with every kind of test and release, and without simulated activity. */
export const storefront: TeamPlan = {
  namespace: 'team-storefront',
  isQuiet: true,
  projects: [
    {
      name: 'storefront',
      displayName: 'Storefront',
      components: [
        {
          name: 'storefront-web',
          repository: 'github.com/storefront/web',
          nudges: ['storefront-cart', 'storefront-search'],
        },
        {
          name: 'storefront-cart',
          repository: 'github.com/storefront/cart',
          nudges: ['storefront-search', 'storefront-gone'],
        },
        { name: 'storefront-search', repository: 'gitlab.com/storefront/search' },
      ],
      tests: [
        { name: 'unit-tests' },
        {
          name: 'enterprise-contract',
          contexts: ['component_storefront-web'],
          scenario: {
            spec: {
              params: paramList({ POLICY_CONFIGURATION: `${storefrontReleases}/${strictPolicy}`, STRICT: 'false' }),
            },
          },
        },
        {
          name: 'e2e-tests',
          suffix: 'checkout-journeys',
          isOptional: true,
          contexts: ['group', 'override'],
          scenario: { spec: { params: [{ name: 'browsers', values: ['chromium', 'firefox', 'webkit'] }] } },
        },
        { name: 'security-tests', suffix: 'penetration-tests', contexts: ['disabled'] },
        {
          name: 'unit-tests',
          suffix: 'smoke-run',
          contexts: ['component_storefront-web'],
          scenario: resolvedBy(
            { url: 'https://github.com/storefront/web', revision: 'main', pathInRepo: '.tekton/smoke-run.yaml' },
            { resourceKind: 'pipelinerun' },
          ),
        },
        {
          name: 'unit-tests',
          suffix: 'lost-run',
          contexts: ['component_storefront-search'],
          scenario: resolvedBy(
            { url: 'https://gitlab.com/storefront/search', revision: 'main', pathInRepo: '.tekton/missing-run.yaml' },
            { resourceKind: 'pipelinerun' },
          ),
        },
        {
          name: 'unit-tests',
          suffix: 'lost-pipeline',
          isOptional: true,
          contexts: ['component_storefront-search'],
          scenario: resolvedBy({
            url: 'https://gitlab.com/storefront/search',
            revision: 'main',
            pathInRepo: 'pipelines/missing.yaml',
          }),
        },
        {
          name: 'unit-tests',
          suffix: 'by-bundle',
          contexts: ['disabled'],
          scenario: resolvedBy(
            { bundle: 'registry.slipway.test/catalog/pipeline-unit-tests:0.1', name: 'unit-tests', kind: 'pipeline' },
            { resolver: 'bundles' },
          ),
        },
        {
          name: 'unit-tests',
          suffix: 'by-cluster',
          contexts: ['disabled'],
          scenario: resolvedBy(
            { kind: 'pipeline', name: 'unit-tests', namespace: 'team-platform' },
            { resolver: 'cluster' },
          ),
        },
        {
          name: 'unit-tests',
          suffix: 'by-hub',
          contexts: ['disabled'],
          scenario: resolvedBy({ kind: 'pipeline', name: 'unit-tests', version: '0.1' }, { resolver: 'hub' }),
        },
      ],
      releases,
    },
    {
      name: 'design-system',
      displayName: 'Design system',
      components: [
        {
          name: 'design-tokens',
          repository: 'github.com/storefront/design',
          context: 'tokens',
          nudges: ['design-icons'],
        },
        {
          name: 'design-icons',
          repository: 'github.com/storefront/design',
          context: 'icons',
          nudges: ['storefront-web'],
        },
      ],
    },
  ],
  changes: [
    { component: 'storefront-search', hoursAgo: 80, where: 'archive', outcomes: { '*': 'success' } },
    {
      component: 'storefront-web',
      hoursAgo: 26,
      outcomes: { '*': 'success' },
      releasedBy: [
        { plan: 'storefront-advisory', isRetried: true, notes: {} },
        { plan: 'storefront-index', where: 'archive' },
        { plan: 'storefront-to-github', where: 'archive', gracePeriodDays: 90 },
        { plan: 'storefront-frozen' },
        { plan: 'storefront-to-nobody' },
        { plan: 'storefront-to-staging', outcomes: { 'notify-team': 'fail' } },
        { plan: 'storefront-to-staging', isCancelled: true, outcomes: { '*': 'slow' } },
        { plan: 'storefront-with-notes', outcomes: { 'run-collectors': 'fail' } },
        { plan: 'storefront-to-registry' },
      ],
    },
  ],
}

/** A team to which some users have read access only. */
export const mobile: TeamPlan = {
  namespace: 'team-mobile',
  isQuiet: true,
  projects: [
    {
      name: 'storefront-mobile',
      displayName: 'Storefront, mobile',
      components: [{ name: 'mobile-api', repository: 'github.com/mobile/api' }],
      tests: [{ name: 'unit-tests' }],
      releases: [
        {
          name: 'mobile-to-stores',
          target: mobileReleases,
          pipeline: 'push-to-external-registry',
          isAutomatic: true,
        },
        {
          name: 'mobile-to-staging',
          pipeline: 'tenant-release',
          isAutomatic: false,
          // The console sets the plan's own namespace as the target of a tenant pipeline. No admission is needed.
          plan: { spec: { target: 'team-mobile' } },
        },
      ],
    },
  ],
  changes: [{ component: 'mobile-api', hoursAgo: 45, where: 'archive', outcomes: { '*': 'success' } }],
  // Both wait in the queue of the cluster.
  presentChanges: ['mobile-api', 'mobile-api'],
}
