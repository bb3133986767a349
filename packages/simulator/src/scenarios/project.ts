import { secretType, serviceAccountType } from '@slipway/kube/core-types'
import { nameOf, namespaceOf } from '@slipway/kube/object'
import { applicationType, type Application } from '@slipway/model/supply-chain/application'
import { componentType, type Component } from '@slipway/model/supply-chain/component'
import { imageRepositoryType } from '@slipway/model/supply-chain/image-repository'
import {
  integrationTestScenarioType,
  scenarioValidCondition,
  type IntegrationTestScenario,
} from '@slipway/model/supply-chain/integration-test-scenario'
import { annotations, labels } from '@slipway/model/labels'
import { repositoryType } from '@slipway/model/supply-chain/repository'
import { aComponent, anApplication, builder, type Overrides } from '@slipway/model/testing'
import { aRepository, aServiceAccount, anImageRepository } from '@slipway/model/testing/build-services'
import { anIntegrationTestScenario } from '@slipway/model/testing/tests-and-releases'
import { componentOwner } from '../component-owner'
import { ownerReference } from '../controller'
import { integrationFinalizer } from '../controllers/component-deletions'
import { buildFinalizer } from '../controllers/component-onboarding'
import { imageFinalizer } from '../controllers/image-repositories'
import { componentKey } from '../git-host/build-run'
import { enabledStatus, type BuildStatus } from '../git-host/build-status'
import { providerOf, pullUrl, type GitLocation } from '../git-host/git-url'
import { bot, firstCommits } from '../git-host/people'
import { mergePullRequest, newRepository, openPullRequest, type GitRepository } from '../git-host/repository'
import { imageCredentials, imagePurposes, imageRegistry, imageSecret, namespacePullSecret } from '../image-credentials'
import { withLinks } from '../linked-secrets'
import { timestamp } from '../tekton/task-run-status'
import { createReleaseSetup, releaseSetupSeeds, type ReleaseSetup, type ReleaseSetupPlan } from './release-setup'
import { seed, type ScenarioContext, type Seed } from './scenario'
import { uidFor } from './uids'

/** An application, its components and its tests, as they were set up long ago. */
export interface ProjectPlan {
  name: string
  displayName?: string
  components?: ComponentPlan[]
  tests?: TestPlan[]
  releases?: ReleaseSetupPlan[]
}

export interface ComponentPlan {
  name: string
  /** Where its source is, such as `github.com/payments/checkout-api`. */
  repository: string
  /** Directory of the repository. */
  context?: string
  /** The pipeline that builds it, if not the one that is proposed. */
  pipeline?: string
  nudges?: string[]
  isPrivate?: boolean
  /** Nobody has merged its pipelines yet. */
  isProposed?: boolean
  annotations?: Record<string, string>
}

type TestName = 'unit-tests' | 'e2e-tests' | 'security-tests' | 'enterprise-contract'

export interface TestPlan {
  /** Also of its pipeline. */
  name: TestName
  /** Of the scenario, after that of the application, where several have the same pipeline. */
  suffix?: string
  isOptional?: boolean
  contexts?: string[]
  /** What else its scenario says. */
  scenario?: Overrides<IntegrationTestScenario>
}

export interface Project {
  namespace: string
  application: Application
  components: Component[]
  scenarios: IntegrationTestScenario[]
  releases: ReleaseSetup[]
  /** What belongs to the components. */
  besides: Seed[]
}

const dayMs = 24 * 3_600_000
/** How long before now, and in which order, things were set up. */
const setUpBeforeMs = { application: 60 * dayMs, component: 59 * dayMs, tests: 58 * dayMs }

/** Repositories by their address, as the components of all projects share them. */
export type Repositories = Map<string, GitRepository>

export function createProject(
  namespace: string,
  { name, displayName = name, components = [], tests = [], releases = [] }: ProjectPlan,
  repositories: Repositories,
  context: ScenarioContext,
): Project {
  const { nowMs, world } = context
  const application = anApplication({
    metadata: {
      name,
      namespace,
      uid: uidFor(world, 'application', namespace, name),
      creationTimestamp: timestamp(nowMs - setUpBeforeMs.application),
    },
    spec: { displayName },
  })
  const set = components.map((plan) => createComponent(application, plan, repositories, context))
  return {
    namespace,
    application,
    components: set.map(({ component }) => component),
    scenarios: tests.map((plan) => createTest(application, plan, context)),
    releases: releases.map((plan) => {
      const names = components.map((component) => component.name)
      return createReleaseSetup(namespace, name, names, plan, context)
    }),
    besides: set.flatMap(({ seeds }) => seeds),
  }
}

/** What the project has become: all of it, to be left in the cluster. */
export const projectSeeds = ({ application, components, scenarios, releases, besides }: Project): Seed[] => [
  seed(applicationType, application),
  ...components.map((component) => seed(componentType, component)),
  ...scenarios.map((scenario) => seed(integrationTestScenarioType, scenario)),
  ...releases.flatMap(releaseSetupSeeds),
  ...besides,
]

function createComponent(
  application: Application,
  plan: ComponentPlan,
  repositories: Repositories,
  context: ScenarioContext,
): { component: Component; seeds: Seed[] } {
  const { nowMs, world } = context
  const namespace = namespaceOf(application) ?? ''
  const { name, context: directory, pipeline, nudges, isProposed = false } = plan
  const setUpMs = isProposed ? nowMs - 2 * 3_600_000 : nowMs - setUpBeforeMs.component
  const repository = repositoryOf(plan.repository, repositories, context)
  const component = aComponent({
    metadata: {
      name,
      namespace,
      uid: uidFor(world, 'component', namespace, name),
      creationTimestamp: timestamp(setUpMs),
      finalizers: [buildFinalizer, integrationFinalizer],
      ownerReferences: [componentOwner(application)],
      annotations: {
        [annotations.gitProvider]: repository.provider,
        [annotations.gitProviderUrl]: `https://${repository.host}`,
        ...(pipeline && { [annotations.buildPipeline]: JSON.stringify({ name: pipeline, bundle: 'latest' }) }),
        ...plan.annotations,
      },
    },
    spec: {
      application: nameOf(application),
      source: {
        git: { url: repository.url, revision: repository.defaultBranch, ...(directory && { context: directory }) },
      },
      containerImage: `${imageRegistry}/${namespace}/${name}`,
      ...(nudges && { 'build-nudges-ref': nudges }),
    },
    status: { conditions: [createdCondition(setUpMs)] },
  })
  const status = onboard(component, repository, setUpMs, isProposed, context)
  component.metadata.annotations = {
    ...component.metadata.annotations,
    [annotations.buildStatus]: JSON.stringify(status),
  }
  return { component, seeds: besides(component, repository, plan, context) }
}

const createdCondition = (atMs: number) => ({
  type: 'Created',
  status: 'True' as const,
  reason: 'OK',
  message: 'Component has been successfully created',
  lastTransitionTime: timestamp(atMs),
})

/** What belongs to a component that was onboarded. */
function besides(
  component: Component,
  repository: GitRepository,
  { isPrivate = false }: ComponentPlan,
  { world }: ScenarioContext,
): Seed[] {
  const { namespace = '', creationTimestamp } = component.metadata
  const name = nameOf(component)
  const owner = ownerReference(componentType, component)
  const ownerReferences = [{ ...owner, controller: false }]
  const visibility = isPrivate ? 'private' : 'public'
  const image = `${namespace}/${name}`
  const imageRepositoryName = `imagerepository-for-${component.spec.application ?? ''}-${name}`
  const bare = anImageRepository({
    metadata: {
      name: imageRepositoryName,
      namespace,
      uid: uidFor(world, 'image repository', namespace, imageRepositoryName),
      creationTimestamp,
      finalizers: [imageFinalizer],
      ownerReferences,
      labels: { [labels.imageApplication]: component.spec.application ?? '', [labels.imageComponent]: name },
    },
    spec: { image: { name: image, visibility } },
    status: { image: { url: `${imageRegistry}/${image}`, visibility }, credentials: undefined },
  })
  const credentials = imageCredentials(bare, creationTimestamp ?? '', world.random)
  const imageRepository = { ...bare, status: { ...bare.status, credentials } }
  const secrets = imagePurposes.map((purpose) =>
    imageSecret(imageRepository, purpose, creationTimestamp ?? '', world.random),
  )
  const account = aServiceAccount({
    metadata: { name: `build-pipeline-${name}`, namespace, creationTimestamp, ownerReferences: [owner] },
  })
  const linked = [...secrets.slice(0, 1), namespacePullSecret(namespace, world.random)]
  return [
    seed(imageRepositoryType, imageRepository),
    ...secrets.map((secret) => seed(secretType, { ...secret, metadata: { ...secret.metadata, creationTimestamp } })),
    seed(
      repositoryType,
      aRepository({
        metadata: { name, namespace, creationTimestamp, ownerReferences },
        spec: { url: repository.url, ...gitProviderOf(repository) },
      }),
    ),
    seed(
      serviceAccountType,
      withLinks(
        account,
        linked.map((secret) => ({ secret, forImages: false })),
      ),
    ),
  ]
}

const gitProviderOf = ({ provider, host }: GitRepository) =>
  provider !== 'github' && {
    git_provider: { type: provider === 'bitbucket' ? 'bitbucket-cloud' : provider, url: `https://${host}` },
  }

/** By the pull request of the service, which somebody has merged unless it still waits. */
function onboard(
  component: Component,
  repository: GitRepository,
  setUpMs: number,
  isProposed: boolean,
  { gitHostUrl }: ScenarioContext,
): BuildStatus {
  const title = `Konflux update ${nameOf(component)}`
  const pullRequest = openPullRequest(repository, {
    title,
    body: `# Pipelines as Code configuration proposal\n\nTo start the pipelines of ${nameOf(component)}, merge this pull request.`,
    source: `konflux-${nameOf(component)}`,
    target: repository.defaultBranch,
    author: bot,
    adds: [componentKey(component)],
    time: timestamp(setUpMs + 60_000),
  })
  if (!isProposed) {
    mergePullRequest(repository, pullRequest, {
      author: repository.branches[0]?.commits.at(-1)?.author ?? bot,
      time: timestamp(setUpMs + 3_600_000),
    })
  }
  // What followed from it is long past.
  repository.deliveries = []
  return enabledStatus(pullUrl(withPages(repository, gitHostUrl), pullRequest.number), setUpMs + 60_000)
}

/** With links that lead to the pages of the git host. */
export const withPages = <T extends GitLocation>(repository: T, gitHostUrl: string) => ({
  ...repository,
  webUrl: `${gitHostUrl}/${repository.host}/${repository.organization}/${repository.name}`,
})

/** @param address such as `github.com/payments/checkout-api` */
export function repositoryOf(address: string, repositories: Repositories, context: ScenarioContext): GitRepository {
  const known = repositories.get(address)
  if (known) return known
  const { nowMs, world, gitHostUrl } = context
  const [host = '', ...path] = address.split('/')
  const provider = providerOf(host)
  if (!provider) throw new Error(`The host of ${address} tells no provider.`)
  const location: GitLocation = {
    host,
    organization: path.slice(0, -1).join('/'),
    name: path.at(-1) ?? '',
    url: `${gitHostUrl}/${address}`,
  }
  const commits = firstCommits(world.random(`history ${address}`), nowMs - setUpBeforeMs.application, timestamp)
  const repository = newRepository(location, provider, commits)
  repositories.set(address, repository)
  return repository
}

const testTitles: Record<TestName, { repository: string; revision: string }> = {
  'unit-tests': { repository: 'https://git.slipway.test/catalog/pipelines', revision: 'main' },
  'e2e-tests': { repository: 'https://git.slipway.test/catalog/pipelines', revision: 'main' },
  'security-tests': { repository: 'https://git.slipway.test/catalog/pipelines', revision: 'v1' },
  'enterprise-contract': { repository: 'https://github.com/konflux-ci/build-definitions', revision: 'main' },
}

function createTest(
  application: Application,
  { name, suffix = name, isOptional = false, contexts = ['application'], scenario }: TestPlan,
  { nowMs, world }: ScenarioContext,
): IntegrationTestScenario {
  const { repository, revision } = testTitles[name]
  const setUp = timestamp(nowMs - setUpBeforeMs.tests)
  const namespace = namespaceOf(application) ?? ''
  const fullName = `${nameOf(application)}-${suffix}`
  const owner = { ...ownerReference(applicationType, application), controller: false, blockOwnerDeletion: false }
  const defaults = anIntegrationTestScenario({
    metadata: {
      name: fullName,
      namespace,
      uid: uidFor(world, 'test', namespace, fullName),
      creationTimestamp: setUp,
      ownerReferences: [owner],
      ...(isOptional && { labels: { [labels.optional]: 'true' } }),
      ...(name === 'enterprise-contract' && { annotations: { [annotations.testKind]: name } }),
    },
    spec: {
      application: nameOf(application),
      contexts: contexts.map((each) => ({ name: each, description: describedContexts[each] ?? '' })),
      resolverRef: {
        params: [
          { name: 'url', value: repository },
          { name: 'revision', value: revision },
          { name: 'pathInRepo', value: `pipelines/${name}.yaml` },
        ],
      },
    },
    status: {
      conditions: [
        {
          type: scenarioValidCondition,
          status: 'True',
          reason: 'Valid',
          message: 'Integration test scenario is Valid.',
          lastTransitionTime: setUp,
        },
      ],
    },
  })
  return builder<IntegrationTestScenario>(integrationTestScenarioType, () => defaults)(scenario)
}

const describedContexts: Record<string, string> = {
  application: 'execute the integration test in all cases - this would be the default state',
  push: 'execute the integration test for all push events',
  pull_request: 'execute the integration test for all pull request events',
  group: 'execute the integration test for a Snapshot of the `group` type',
  override: 'execute the integration test for a Snapshot of the `override` type',
  disabled: 'disables the execution of the given integration test',
}
