import { secretType, serviceAccountType } from '@slipway/kube/core-types'
import { nameOf, namespaceOf } from '@slipway/kube/object'
import { applicationType, type Application } from '@slipway/model/builds/application'
import {
  componentType,
  type Component,
  type ComponentVersion,
  type OnboardedVersion,
} from '@slipway/model/builds/component'
import { imageRepositoryType } from '@slipway/model/builds/image-repository'
import {
  integrationTestScenarioType,
  type IntegrationTestScenario,
} from '@slipway/model/snapshots/integration-test-scenario'
import { annotations, labels } from '@slipway/model/labels'
import { repositoryType } from '@slipway/model/builds/repository'
import { aComponent, anApplication, builder, type Overrides } from '@slipway/model/testing'
import { aRepository, aServiceAccount, anImageRepository } from '@slipway/model/testing/build-services'
import { anIntegrationTestScenario } from '@slipway/model/testing/tests-and-releases'
import { componentOwner } from '../component-owner'
import { ownerReference } from '../controller'
import { integrationFinalizer } from '../controllers/component-deletions'
import { buildFinalizer } from '../controllers/component-onboarding'
import { imageFinalizer } from '../controllers/image-repositories'
import { validScenario } from '../controllers/test-scenarios'
import { componentKey } from '../git-host/build-run'
import { enabledStatus, type BuildStatus } from '../git-host/build-status'
import { providerOf, pullUrl, type GitLocation } from '../git-host/git-url'
import { bot, firstCommits } from '../git-host/people'
import { mergePullRequest, newRepository, openPullRequest, type GitRepository } from '../git-host/repository'
import { imageCredentials, imagePurposes, imageRegistry, imageSecret, namespacePullSecret } from '../image-credentials'
import { withLinks } from '../linked-secrets'
import { paramList } from '../tekton/catalog/pipeline-parts'
import { timestamp } from '../tekton/task-run-status'
import { createReleaseSetup, releaseSetupSeeds, type ReleaseSetup, type ReleaseSetupPlan } from './release-setup'
import { seed, type ScenarioContext, type Seed } from './scenario'
import { uidFor } from './uids'

/** An application that was set up long ago, with its components and tests. */
export interface ProjectPlan {
  name: string
  displayName?: string
  components?: ComponentPlan[]
  tests?: TestPlan[]
  releases?: ReleaseSetupPlan[]
}

export interface ComponentPlan {
  name: string
  /** Its source repository, such as `github.com/payments/checkout-api`. */
  repository: string
  /** Directory in the repository. */
  context?: string
  /** Its build pipeline, if not the default one. */
  pipeline?: string
  nudges?: string[]
  isPrivate?: boolean
  /** How many runs of its repository may run at the same time. */
  concurrencyLimit?: number
  /** Its versions, with what the platform has set up for them. */
  versions?: { spec: ComponentVersion[]; status?: OnboardedVersion[] }
  /** Whether the pull request with its pipelines is not merged yet. */
  isProposed?: boolean
  annotations?: Record<string, string>
}

type TestName = 'unit-tests' | 'e2e-tests' | 'security-tests' | 'enterprise-contract'

export interface TestPlan {
  /** Also the name of its pipeline. */
  name: TestName
  /** Suffix of the scenario's name, after the application; needed if several have the same pipeline. */
  suffix?: string
  isOptional?: boolean
  contexts?: string[]
  /** Overrides of its scenario. */
  scenario?: Overrides<IntegrationTestScenario>
}

export interface Project {
  namespace: string
  application: Application
  components: Component[]
  scenarios: IntegrationTestScenario[]
  releases: ReleaseSetup[]
  /** Objects that belong to the components. */
  extraSeeds: Seed[]
}

const dayMs = 24 * 3_600_000
/** How long ago objects were created. */
const setUpBeforeMs = { application: 60 * dayMs, component: 59 * dayMs, tests: 58 * dayMs }

/** Repositories by host and path. Components of all projects share them. */
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
  const created = components.map((plan) => createComponent(application, plan, repositories, context))
  return {
    namespace,
    application,
    components: created.map(({ component }) => component),
    scenarios: tests.map((plan) => createTest(application, plan, context)),
    releases: releases.map((plan) => {
      const names = components.map((component) => component.name)
      return createReleaseSetup(namespace, name, names, plan, context)
    }),
    extraSeeds: created.flatMap(({ seeds }) => seeds),
  }
}

/** All objects of the project, in their current state. */
export const projectSeeds = ({ application, components, scenarios, releases, extraSeeds }: Project): Seed[] => [
  seed(applicationType, application),
  ...components.map((component) => seed(componentType, component)),
  ...scenarios.map((scenario) => seed(integrationTestScenarioType, scenario)),
  ...releases.flatMap(releaseSetupSeeds),
  ...extraSeeds,
]

function createComponent(
  application: Application,
  plan: ComponentPlan,
  repositories: Repositories,
  context: ScenarioContext,
): { component: Component; seeds: Seed[] } {
  const { nowMs, world } = context
  const namespace = namespaceOf(application) ?? ''
  const { name, context: directory, pipeline, nudges, versions, isProposed = false } = plan
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
        ...(versions && { versions: versions.spec }),
      },
      containerImage: `${imageRegistry}/${namespace}/${name}`,
      ...(nudges && { 'build-nudges-ref': nudges }),
    },
    status: { conditions: [createdCondition(setUpMs)], ...(versions?.status && { versions: versions.status }) },
  })
  const status = onboard(component, repository, setUpMs, isProposed, context)
  component.metadata.annotations = {
    ...component.metadata.annotations,
    [annotations.buildStatus]: JSON.stringify(status),
  }
  return { component, seeds: extraSeeds(component, repository, plan, context) }
}

const createdCondition = (atMs: number) => ({
  type: 'Created',
  status: 'True' as const,
  reason: 'OK',
  message: 'Component has been successfully created',
  lastTransitionTime: timestamp(atMs),
})

/** The objects that belong to an onboarded component. */
function extraSeeds(
  component: Component,
  repository: GitRepository,
  { isPrivate = false, concurrencyLimit }: ComponentPlan,
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
        spec: {
          url: repository.url,
          ...gitProviderOf(repository),
          ...(concurrencyLimit && { concurrency_limit: concurrencyLimit }),
        },
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

/** Onboards a component with the service's pull request, which is merged unless the component is only proposed. */
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
  // These events were delivered long ago.
  repository.deliveries = []
  return enabledStatus(pullUrl(withPages(repository, gitHostUrl), pullRequest.number), setUpMs + 60_000)
}

/** Adds the URL of its pages on the git host. */
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
  if (!provider) throw new Error(`Unknown git provider: ${address}.`)
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
      contexts: contexts.map((each) => ({ name: each, description: contextDescriptions[each] ?? '' })),
      resolverRef: {
        params: paramList({ url: repository, revision, pathInRepo: `pipelines/${name}.yaml` }),
      },
    },
    status: {
      conditions: [{ ...validScenario, lastTransitionTime: setUp }],
    },
  })
  return builder<IntegrationTestScenario>(integrationTestScenarioType, () => defaults)(scenario)
}

const contextDescriptions: Record<string, string> = {
  application: 'execute the integration test in all cases - this would be the default state',
  push: 'execute the integration test for all push events',
  pull_request: 'execute the integration test for all pull request events',
  group: 'execute the integration test for a Snapshot of the `group` type',
  override: 'execute the integration test for a Snapshot of the `override` type',
  disabled: 'disables the execution of the given integration test',
}
