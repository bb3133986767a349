import { pruneSkip } from '../controllers/pruning'
import { clusterSettings } from './cluster-settings'
import type { ChangePlan } from './changes'
import { paramList } from '../tekton/catalog/pipeline-parts'
import { playProjects, type TeamPlan } from './play-projects'
import type { Scenario, ScenarioContext } from './scenario'
import { componentGroupStates, configVersions, proxyVersions } from './states/component-groups'
import { dependencyUpdates } from './states/dependency-updates'
import { failureStories, failureStoriesNamespace } from './states/failure-stories'
import { onboardingStates } from './states/onboarding'
import { queuedRuns } from './states/queued-runs'
import { defaultPolicy, lenientPolicy, policyWithLeeway, releaseObjects } from './states/release-objects'
import { snapshotStates } from './states/snapshots'
import { mobile, mobileReleases, storefront, storefrontReleases } from './states/storefront'
import { teamNamespace, type Members } from './team'
import { commonLinks, oddLinks, oddSecrets, teamSecrets } from './team-secrets'

const team: Members = { admin: 'admin', maintainer: 'maintainer', contributor: 'contributor' }
const readers: Members = { admin: 'contributor', maintainer: 'admin', contributor: 'contributor' }
const managed = 'platform-releases'

/** Applications with tests and releases of several kinds. */
const payments: TeamPlan = {
  namespace: 'team-payments',
  links: [...commonLinks, ...oddLinks],
  projects: [
    {
      name: 'checkout',
      displayName: 'Checkout',
      components: [
        { name: 'checkout-api', repository: 'github.com/payments/checkout-api', nudges: ['checkout-web'] },
        { name: 'checkout-web', repository: 'github.com/payments/checkout-web' },
        { name: 'checkout-worker', repository: 'github.com/payments/checkout-worker', isPrivate: true },
      ],
      tests: [
        { name: 'unit-tests' },
        { name: 'e2e-tests', isOptional: true, contexts: ['push'] },
        { name: 'enterprise-contract' },
      ],
      releases: [
        { name: 'checkout-to-production', target: managed, pipeline: 'push-to-external-registry', isAutomatic: true },
        { name: 'checkout-to-staging', pipeline: 'tenant-release', isAutomatic: true },
        { name: 'checkout-by-hand', target: managed, pipeline: 'rh-advisories', isAutomatic: false },
      ],
    },
    {
      name: 'ledger',
      displayName: 'Ledger',
      components: [
        { name: 'ledger-api', repository: 'gitlab.com/payments/core/ledger', context: 'api' },
        { name: 'ledger-migrations', repository: 'gitlab.com/payments/core/ledger', context: 'migrations' },
      ],
      tests: [{ name: 'unit-tests' }, { name: 'security-tests', isOptional: true }],
      releases: [
        { name: 'ledger-to-production', target: managed, pipeline: 'push-to-external-registry', isAutomatic: true },
      ],
    },
    {
      name: 'fraud-scoring',
      displayName: 'Fraud scoring',
      components: [
        {
          name: 'fraud-model',
          repository: 'bitbucket.org/payments/fraud-model',
          pipeline: 'docker-build-multi-platform-oci-ta',
        },
      ],
      tests: [{ name: 'unit-tests', contexts: ['push', 'pull_request'] }],
    },
    {
      name: 'refunds',
      displayName: 'Refunds',
      components: [
        { name: 'refunds-api', repository: 'github.com/payments/refunds', context: 'api', concurrencyLimit: 1 },
        { name: 'refunds-web', repository: 'github.com/payments/refunds', context: 'web', concurrencyLimit: 1 },
      ],
      tests: [
        {
          name: 'enterprise-contract',
          isOptional: true,
          scenario: {
            spec: { params: paramList({ POLICY_CONFIGURATION: `team-payments/${lenientPolicy}`, STRICT: 'false' }) },
          },
        },
      ],
      releases: [{ name: 'refunds-to-staging', pipeline: 'tenant-release', isAutomatic: true }],
    },
  ],
  changes: [
    { component: 'checkout-api', hoursAgo: 171, where: 'archive' },
    { component: 'checkout-web', hoursAgo: 122, where: 'archive', outcomes: { 'build-container': 'fail' } },
    { component: 'checkout-worker', hoursAgo: 99, where: 'archive' },
    { component: 'checkout-web', hoursAgo: 98, where: 'archive' },
    { component: 'checkout-api', hoursAgo: 27 },
    {
      component: 'checkout-worker',
      hoursAgo: 21,
      outcomes: { 'clair-scan': 'vulnerable', 'sast-snyk-check': 'warning' },
    },
    // Fixes what the scan of the one before it found.
    { component: 'checkout-worker', hoursAgo: 11, outcomes: { '*': 'success' } },
    { component: 'checkout-web', hoursAgo: 8, outcomes: { 'build-container': 'oom' } },
    { component: 'checkout-web', hoursAgo: 6.5, kind: 'merged' },
    {
      component: 'checkout-api',
      hoursAgo: 3,
      kind: 'pull-request',
      where: 'cluster',
      outcomes: { 'prefetch-dependencies': 'fail' },
    },
    {
      component: 'checkout-api',
      hoursAgo: 2,
      where: 'cluster',
      outcomes: { '*': 'success' },
      releaseOutcomes: { 'verify-conforma': 'fail' },
      releasedBy: [{ plan: 'checkout-by-hand' }],
    },

    { component: 'ledger-api', hoursAgo: 141, where: 'archive' },
    { component: 'ledger-migrations', hoursAgo: 53, where: 'archive', outcomes: { '*': 'success' } },
    {
      component: 'ledger-api',
      hoursAgo: 30,
      outcomes: { 'clone-repository': 'image-pull' },
    },
    { component: 'ledger-api', hoursAgo: 5, kind: 'pull-request' },
    { component: 'ledger-migrations', hoursAgo: 4, where: 'cluster' },

    { component: 'fraud-model', hoursAgo: 75, where: 'archive' },
    { component: 'fraud-model', hoursAgo: 19, outcomes: { 'build-images': 'timeout' } },
    { component: 'fraud-model', hoursAgo: 16, outcomes: { '*': 'success' } },

    { component: 'refunds-api', hoursAgo: 48, where: 'archive' },
    { component: 'refunds-web', hoursAgo: 12, outcomes: { '*': 'success', 'clair-scan': 'vulnerable' } },
    {
      component: 'refunds-api',
      hoursAgo: 1.5,
      where: 'cluster',
      outcomes: { '*': 'success', 'clair-scan': 'vulnerable' },
    },

    // A group of two pull requests.
    ...['checkout-web', 'checkout-api'].map((component, index): ChangePlan => ({
      component,
      hoursAgo: 1.4 - index / 2,
      kind: 'pull-request',
      branch: 'one-currency',
      outcomes: { '*': 'success' },
    })),
  ],
  presentChanges: ['checkout-worker', 'refunds-web'],
}

const platform: TeamPlan = {
  namespace: 'team-platform',
  links: commonLinks,
  projects: [
    {
      name: 'edge-gateway',
      displayName: 'Edge gateway',
      components: [
        { name: 'edge-proxy', repository: 'github.com/platform/edge-proxy', versions: proxyVersions },
        { name: 'edge-config', repository: 'github.com/platform/edge-config', versions: configVersions },
      ],
      tests: [{ name: 'unit-tests' }, { name: 'e2e-tests' }],
      releases: [
        {
          name: 'edge-gateway-to-production',
          target: managed,
          pipeline: 'push-to-external-registry',
          isAutomatic: false,
        },
        // No admission matches it.
        {
          name: 'edge-gateway-to-partners',
          target: 'partners',
          pipeline: 'push-to-external-registry',
          isAutomatic: false,
          isUnmatched: true,
        },
      ],
    },
    {
      name: 'base-images',
      displayName: 'Base images',
      components: [
        { name: 'base-node', repository: 'gitlab.com/platform/base-images', context: 'node', nudges: ['edge-config'] },
        { name: 'base-java', repository: 'gitlab.com/platform/base-images', context: 'java' },
        { name: 'base-python', repository: 'gitlab.com/platform/base-images', context: 'python' },
        { name: 'base-go', repository: 'gitlab.com/platform/base-images', context: 'go', nudges: ['edge-proxy'] },
      ],
      tests: [{ name: 'enterprise-contract' }],
      releases: [
        { name: 'base-images-to-registry', target: managed, pipeline: 'push-to-external-registry', isAutomatic: true },
      ],
    },
    {
      name: 'observability',
      displayName: 'Observability',
      components: [
        { name: 'metrics-collector', repository: 'github.com/platform/metrics-collector' },
        { name: 'log-router', repository: 'bitbucket.org/platform/log-router', isProposed: true },
      ],
    },
    { name: 'identity', displayName: 'Identity' },
  ],
  changes: [
    { component: 'edge-proxy', hoursAgo: 400, where: 'archive', outcomes: { '*': 'success' } },
    { component: 'edge-config', hoursAgo: 33 },
    {
      component: 'edge-proxy',
      hoursAgo: 10,
      kind: 'merged',
      outcomes: { '*': 'success' },
      releasedBy: [{ plan: 'edge-gateway-to-production' }],
    },
    {
      component: 'edge-config',
      hoursAgo: 7,
      where: 'cluster',
      kind: 'closed',
      outcomes: { 'apply-tags': 'config-error' },
    },

    { component: 'base-java', hoursAgo: 90, where: 'archive' },
    { component: 'base-python', hoursAgo: 31, outcomes: { '*': 'success', 'clair-scan': 'error' } },
    { component: 'base-node', hoursAgo: 24, outcomes: { 'build-container': 'quota' } },
    { component: 'base-go', hoursAgo: 8, outcomes: { '*': 'success' } },
    { component: 'base-node', hoursAgo: 5, where: 'cluster', outcomes: { 'build-container': 'long-log' } },

    { component: 'metrics-collector', hoursAgo: 13, outcomes: { 'prefetch-dependencies': 'flaky' } },
  ],
  presentChanges: ['metrics-collector'],
  nudges: [
    { from: 'base-node', to: 'edge-config', mode: 'validated' },
    { from: 'base-go', to: 'edge-proxy', mode: 'immediate' },
  ],
}

/** Teams of different kinds, and the namespaces from which they release. */
const teams = [payments, platform, storefront, mobile]

const played = new WeakMap<ScenarioContext, ReturnType<typeof playProjects>[]>()

/** The history of all teams. Cached, since creating a scenario needs it twice. */
function playedTeams(context: ScenarioContext) {
  const known = played.get(context) ?? teams.map((plan) => playProjects(plan, context))
  played.set(context, known)
  return known
}

export const demo: Scenario = {
  *seeds(context) {
    yield* staticParts(context)
    for (const { seeds } of playedTeams(context)) yield* seeds
  },
  *archived(context) {
    for (const { archived } of playedTeams(context)) yield* archived
  },
}

function* staticParts(context: ScenarioContext) {
  yield* teamNamespace(payments.namespace, team, context)
  yield* teamNamespace(platform.namespace, team, context)
  // Their objects are never pruned.
  yield* teamNamespace(storefront.namespace, team, context, { [pruneSkip]: 'true' })
  const isCurrent = context.platform !== 'legacy'
  yield* teamNamespace(mobile.namespace, readers, context, { [pruneSkip]: 'true' }, isCurrent)
  yield* teamNamespace(failureStoriesNamespace, team, context, { [pruneSkip]: 'true' })
  yield* teamNamespace('team-sandbox', { admin: 'admin', maintainer: 'maintainer' }, context)
  yield* teamNamespace(managed, { admin: 'maintainer' }, context)
  yield* teamNamespace(storefrontReleases, { admin: 'admin', contributor: 'contributor' }, context)
  yield* teamNamespace(mobileReleases, { maintainer: 'admin' }, context)
  yield* clusterSettings(context)
  yield* teamSecrets(payments.namespace, context)
  yield* oddSecrets(payments.namespace, context)
  yield* teamSecrets(platform.namespace, context)
  yield* onboardingStates(context)
  yield* snapshotStates(context)
  yield* releaseObjects(context)
  yield policyWithLeeway(payments.namespace, context)
  yield* dependencyUpdates(context)
  yield* failureStories(context)
  if (isCurrent) yield* queuedRuns(context)
  if (isCurrent) yield* componentGroupStates(platform.namespace, context)
  for (const namespace of [managed, storefrontReleases, mobileReleases]) yield defaultPolicy(namespace)
}
