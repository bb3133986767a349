import { secretType, serviceAccountType, type Secret, type ServiceAccount } from '@slipway/kube/core-types'
import { type KubeObject, nameOf } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import { applicationType } from '@slipway/model/builds/application'
import { pushBuildsByComponent } from '@slipway/model/builds/build-pipeline-state'
import { componentType, type Component } from '@slipway/model/builds/component'
import {
  type ComponentGroup,
  componentGroupType,
  componentMembers,
  groupTree,
  promotedOf,
  testGraphOf,
} from '@slipway/model/builds/component-group'
import { buildsByVersion, versionFacts, versionsIn } from '@slipway/model/builds/component-versions'
import { findTestCycle, skippedTests, unknownTests } from '@slipway/model/builds/test-graph'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { admissionQueueOf } from '@slipway/model/runs/queue-position'
import { imageRepositoryType, type ImageRepository } from '@slipway/model/builds/image-repository'
import {
  integrationTestScenarioType,
  type IntegrationTestScenario,
} from '@slipway/model/snapshots/integration-test-scenario'
import { annotations, copiedPacKey, labels } from '@slipway/model/labels'
import {
  releasePlanAdmissionType,
  releasePlanType,
  type ReleasePlan,
  type ReleasePlanAdmission,
} from '@slipway/model/releases/release-plan'
import { releaseType, type Release } from '@slipway/model/releases/release'
import { snapshotType, type Snapshot } from '@slipway/model/snapshots/snapshot'
import { taskRunType, type TaskRun } from '@slipway/model/runs/task-run'
import { testStatusesOf } from '@slipway/model/snapshots/snapshot-tests'
import { expect, it } from 'vitest'
import { startMs, worldOf } from '../../../test/tekton'
import { parseBuildStatus } from '../../git-host/build-status'
import { conditionOf } from '../../set-condition'
import { demo } from '../demo'

const users = {
  admin: 'admin@slipway.test',
  maintainer: 'maintainer@slipway.test',
  contributor: 'contributor@slipway.test',
  outsider: 'outsider@slipway.test',
}
const seeds = [
  ...demo.seeds({
    nowMs: startMs,
    world: worldOf('demo'),
    users,
    gitHostUrl: 'https://git.slipway.test',
    consoleUrl: 'https://console.slipway.test',
  }),
]
/** The object of a seed has its type. */
const all = <T extends KubeObject>({ kind }: ResourceType<T>): T[] =>
  seeds.flatMap(({ type, object }) => (type.kind === kind ? [object as T] : []))

type Case<T> = [state: string, holds: (object: T) => boolean]
function shows<T extends KubeObject>(type: ResourceType<T>, cases: Case<T>[]) {
  it.each(cases)(`demo has a ${type.kind} %s`, (_, holds) => {
    expect(all(type).filter(holds).length).toBeGreaterThan(0)
  })
}

const text = (value: unknown) => JSON.stringify(value ?? null)
const applications = new Set(all(applicationType).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`))
const componentNames = new Set(all(componentType).map(({ metadata }) => metadata.name))
const nudges = ({ spec }: Component): string[] => spec['build-nudges-ref'] ?? []
const componentNamed = (name: string) => all(componentType).find(({ metadata }) => metadata.name === name)

const groups = () => all(componentGroupType)
const testsOf = (group: ComponentGroup) =>
  all(integrationTestScenarioType).flatMap((test) => (test.spec.componentGroup === nameOf(group) ? nameOf(test) : []))
const buildsOf = pushBuildsByComponent(all(pipelineRunType))
const versionBuilds = (component: Component) =>
  buildsByVersion(versionsIn(component), buildsOf.get(nameOf(component)) ?? [])

const hasTest = (status: string) => (snapshot: Snapshot) =>
  testStatusesOf(snapshot).some((each) => each.status === status)
const scenarios = new Set(all(integrationTestScenarioType).map(({ metadata }) => metadata.name))
const typeOf = ({ metadata }: Snapshot) => metadata.labels?.[labels.snapshotType]
shows<Snapshot>(snapshotType, [
  ...['TestPassed', 'TestFail', 'TestInvalid', 'Deleted', 'Pending', 'EnvironmentProvisionError'].map(
    (status): Case<Snapshot> => [`with the test status ${status}`, hasTest(status)],
  ),
  ['of a group', (snapshot) => typeOf(snapshot) === 'group'],
  ['of type override', (snapshot) => typeOf(snapshot) === 'override'],
  ['that is invalid', (s) => conditionOf(s, 'AppStudioIntegrationStatus')?.reason === 'Invalid'],
  ['that was released automatically', (snapshot) => conditionOf(snapshot, 'AutoReleased')?.status === 'True'],
  [
    'that was created manually',
    ({ metadata }) => !metadata.labels?.[copiedPacKey(labels.eventType)] && !metadata.labels?.[labels.snapshotType],
  ],
  ['with artifacts', ({ spec }) => spec.artifacts?.unstableFields !== undefined],
  ['without a source', ({ spec }) => spec.components?.some(({ source }) => !source) ?? false],
  [
    'with the result of a deleted test',
    (snapshot) => testStatusesOf(snapshot).some(({ scenario }) => !scenarios.has(scenario)),
  ],
])

const hasContext =
  (pattern: RegExp) =>
  ({ spec }: IntegrationTestScenario) =>
    spec.contexts?.some(({ name }) => pattern.test(name)) ?? false
shows(pipelineRunType, [['that waits in a queue of Kueue', (run) => admissionQueueOf(run) !== undefined]])

shows<ComponentGroup>(componentGroupType, [
  [
    'with two versions of a component',
    (group) => new Set(componentMembers(group).map(({ name }) => name)).size < componentMembers(group).length,
  ],
  ['with a member that was promoted', (group) => componentMembers(group).some((each) => promotedOf(group, each))],
  ['with a member that was not promoted', (group) => componentMembers(group).some((each) => !promotedOf(group, each))],
  [
    'with a component that does not exist',
    (group) => componentMembers(group).some(({ name }) => !componentNames.has(name)),
  ],
  [
    'with a nested group that has a missing one',
    (group) => groupTree(group, groups()).groups.some(({ through, exists }) => through.length > 1 && !exists),
  ],
  ['that contains itself', (group) => groupTree(group, groups()).cycle?.includes(nameOf(group)) ?? false],
  ['with tests that wait for each other', (group) => findTestCycle(testGraphOf(group)) !== undefined],
  ['with a test that does not exist', (group) => unknownTests(testGraphOf(group), testsOf(group)).length > 0],
  [
    'with a test that a failure skips',
    (group) => testsOf(group).some((name) => skippedTests(testGraphOf(group), [name]).length > 1),
  ],
])

shows<Component>(componentType, [
  ['with versions of which one is not built', (c) => versionFacts(c).some(({ isBuilt }) => !isBuilt)],
  ['with a version that could not be set up', (c) => versionFacts(c).some(({ onboarding }) => onboarding?.hasFailed)],
  [
    'with a build that says its version',
    (c) => [...versionBuilds(c).values()].some(({ builds, isByBranch }) => builds.length > 0 && !isByBranch),
  ],
  [
    'with a build of a version found by its branch',
    (c) => [...versionBuilds(c).values()].some(({ isByBranch }) => isByBranch),
  ],
  ['with a version without a build', (c) => [...versionBuilds(c).values()].some(({ builds }) => builds.length === 0)],
])

shows<IntegrationTestScenario>(integrationTestScenarioType, [
  ['that is invalid', (scenario) => conditionOf(scenario, 'IntegrationTestScenarioValid')?.status === 'False'],
  ['with a param', ({ spec }) => spec.params?.some(({ value }) => value !== undefined) ?? false],
  [
    'with a param of several values',
    ({ spec }) => spec.params?.some(({ values }) => (values?.length ?? 0) > 1) ?? false,
  ],
  ...[/^component_/, /^group$/, /^override$/, /^disabled$/, /^push$/, /^pull_request$/].map(
    (pattern): Case<IntegrationTestScenario> => [`for ${String(pattern)}`, hasContext(pattern)],
  ),
  ...['git', 'bundles', 'cluster', 'hub'].map((resolver): Case<IntegrationTestScenario> => [
    `found by ${resolver}`,
    ({ spec }) => spec.resolverRef.resolver === resolver,
  ]),
  ['that refers to a PipelineRun', ({ spec }) => spec.resolverRef.resourceKind === 'pipelinerun'],
  ['that is not found', ({ spec }) => /missing/.test(text(spec.resolverRef.params))],
])

const messageOf = (release: Release, type: string) => conditionOf(release, type)?.message ?? ''
const failedIn = (phase: string) => (release: Release) =>
  conditionOf(release, `${phase}PipelineProcessed`)?.reason === 'Failed'
shows<Release>(releaseType, [
  ['that succeeded', (release) => conditionOf(release, 'Released')?.reason === 'Succeeded'],
  ...['TenantCollectors', 'Managed', 'Final'].map((phase): Case<Release> => [
    `that failed in ${phase}`,
    failedIn(phase),
  ]),
  ['that is not valid', (release) => /no ReleasePlanAdmission|not found/.test(messageOf(release, 'Validated'))],
  ['that is blocked', (release) => messageOf(release, 'Validated').includes('block-releases')],
  ['that was cancelled', (release) => /cancelled/.test(messageOf(release, 'FinalPipelineProcessed'))],
  ...['images', 'index_image', 'github-release', 'advisory'].map((artifact): Case<Release> => [
    `with the artifact ${artifact}`,
    ({ status }) => text(status?.artifacts).includes(`"${artifact}"`),
  ]),
  ['with CVEs found by collectors', ({ status }) => text(status?.collectors).includes('"cves"')],
  ['with issues found by collectors', ({ status }) => text(status?.collectors).includes('"issues"')],
  ['with CVEs in its notes', ({ spec }) => text(spec.data).includes('"cves"')],
  ['that was retried', ({ status }) => status?.managedPipelineAttempts?.[0]?.failureReason === 'OOMKill'],
  ['with a longer grace period', ({ spec }) => (spec.gracePeriodDays ?? 0) > 7],
  ['that was created manually', ({ metadata }) => metadata.labels?.[labels.automated] === 'false'],
])

const scanOf = ({ status }: TaskRun) => status?.results?.find(({ name }) => name === 'SCAN_OUTPUT')?.value
const isScan = ({ metadata }: TaskRun) => metadata.labels?.[labels.pipelineTask] === 'clair-scan'
shows<TaskRun>(taskRunType, [
  [
    'of a scan that found something critical',
    (run) => /"vulnerabilities":\{"critical":[1-9]/.test(String(scanOf(run))),
  ],
  [
    'of a scan with severe unpatched vulnerabilities',
    (run) => /"unpatched_vulnerabilities":\{"critical":\d,"high":[1-9]/.test(String(scanOf(run))),
  ],
  [
    'of a scan that succeeded without counts',
    (run) => isScan(run) && conditionOf(run, 'Succeeded')?.status === 'True' && scanOf(run) === undefined,
  ],
])

const label = (object: KubeObject, key: string) => object.metadata.labels?.[key]
shows<ReleasePlan>(releasePlanType, [
  ['with a final pipeline', ({ spec }) => spec.finalPipeline !== undefined],
  ['with collectors', ({ spec }) => spec.collectors !== undefined],
  [
    'that releases automatically without attribution',
    (p) => label(p, labels.autoRelease) === 'true' && label(p, labels.standingAttribution) === 'false',
  ],
  [
    'of a deleted application',
    ({ metadata, spec }) =>
      metadata.namespace?.startsWith('team-') === true &&
      !applications.has(`${metadata.namespace}/${spec.application}`),
  ],
  ['with its own grace period', ({ spec }) => spec.releaseGracePeriodDays !== 7],
  ['in a managed namespace', ({ metadata }) => metadata.namespace?.endsWith('-releases') === true],
  [
    'of a tenant pipeline, which targets its own namespace and needs no admission',
    ({ metadata, spec, status }) =>
      spec.target === metadata.namespace &&
      spec.tenantPipeline !== undefined &&
      status?.conditions?.[0]?.status === 'False',
  ],
  ['of the first API', ({ spec }) => spec.pipelineRef !== undefined && spec.serviceAccount !== undefined],
  ['of the second API', ({ spec }) => spec.pipeline !== undefined],
  ['of a pipeline from a bundle', ({ spec }) => spec.tenantPipeline?.pipelineRef.resolver === 'bundles'],
  [
    'without a matching admission',
    ({ spec, status }) => spec.target !== undefined && !status?.releasePlanAdmission?.name,
  ],
  [
    'that two admissions match',
    ({ metadata, spec }) =>
      all(releasePlanAdmissionType).filter(
        (a) =>
          a.metadata.namespace === spec.target &&
          a.spec.origin === metadata.namespace &&
          a.spec.applications?.includes(spec.application),
      ).length > 1,
  ],
])

const used = new Set(all(releasePlanType).map(({ spec }) => `${spec.target}/${spec.application}`))
shows<ReleasePlanAdmission>(releasePlanAdmissionType, [
  ['that is blocked', (admission) => label(admission, labels.blockReleases) === 'true'],
  ['of several applications', ({ spec }) => (spec.applications?.length ?? 0) > 1],
  ['with collectors', ({ spec }) => spec.collectors !== undefined],
  ['with its own service account', ({ spec }) => spec.pipeline?.serviceAccountName === 'release-advisories'],
  ['with its own policy', ({ spec }) => spec.policy !== 'default'],
  ['with a product', ({ spec }) => /"product_name":.*"product_version":/.test(text(spec.data))],
  ...['fbc', 'sign', 'cdn'].map((key): Case<ReleasePlanAdmission> => [
    `with data for ${key}`,
    ({ spec }) => text(spec.data).includes(`"${key}"`),
  ]),
  [
    'with data for rh-push-to-registry-redhat-io',
    ({ spec }) =>
      text(spec.pipeline).includes('rh-push') && /"pushSourceContainer".*"pyxis".*"sign"/.test(text(spec.data)),
  ],
  [
    'without a matching plan',
    ({ metadata, spec }) => !spec.applications?.some((name) => used.has(`${metadata.namespace}/${name}`)),
  ],
])
it('demo has admissions for several teams in one managed namespace', () => {
  const admissions = all(releasePlanAdmissionType).filter(
    ({ metadata }) => metadata.namespace === 'storefront-releases',
  )
  expect(new Set(admissions.map(({ spec }) => spec.origin)).size).toBeGreaterThan(2)
})
it('demo has the policy of each admission in its namespace', () => {
  const policies = seeds.flatMap(({ type, object: { metadata } }) =>
    type.kind === 'EnterpriseContractPolicy' ? [`${metadata.namespace}/${metadata.name}`] : [],
  )
  const named = all(releasePlanAdmissionType).map(({ metadata, spec }) => `${metadata.namespace}/${spec.policy}`)
  expect(policies).toEqual(expect.arrayContaining([...new Set(named)]))
})

const configOf = ({ data = {} }: Secret): unknown => JSON.parse(atob(data['.dockerconfigjson'] ?? '') || '{}')
shows<Secret>(secretType, [
  ...[
    'Opaque',
    'kubernetes.io/basic-auth',
    'kubernetes.io/ssh-auth',
    'kubernetes.io/dockercfg',
    'kubernetes.io/dockerconfigjson',
    'kubernetes.io/tls',
  ].map((type): Case<Secret> => [`of the type ${type}`, (secret) => secret.type === type]),
  ['of a git host without a name', (s) => label(s, labels.credentials) === 'scm' && !label(s, labels.scmHost)],
  [
    'of several git repositories',
    ({ metadata }) => metadata.annotations?.[annotations.scmRepository]?.includes(',') ?? false,
  ],
  [
    'of several registries',
    (s) => s.type === 'kubernetes.io/dockerconfigjson' && (text(configOf(s)).match(/"auth":/g)?.length ?? 0) > 1,
  ],
  ['without data', ({ data = {} }) => Object.keys(data).length === 0],
  [
    'of a registry without credentials',
    (s) => s.type === 'kubernetes.io/dockerconfigjson' && text(configOf(s)) === '{}',
  ],
  [
    'of another service with an existing owner',
    ({ metadata }) => {
      const [owner] = metadata.ownerReferences ?? []
      return owner?.kind === 'ExternalSecret' && seeds.some(({ object }) => object.metadata.uid === owner.uid)
    },
  ],
  ...['Pending', 'Running', 'Succeeded', 'Failed'].map((status): Case<Secret> => [
    `whose linking is ${status}`,
    ({ metadata }) => metadata.annotations?.[annotations.linkStatus] === status,
  ]),
  ['common to all components', (s) => label(s, labels.commonSecret) === 'true'],
])

const secrets = new Set(all(secretType).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`))
const inSecrets = ({ secrets: listed = [] }: ServiceAccount) => listed.map(({ name }) => name)
const inImages = ({ imagePullSecrets = [] }: ServiceAccount) => imagePullSecrets.map(({ name }) => name)
const ofBuilds = ({ metadata }: ServiceAccount) => metadata.name?.startsWith('build-pipeline-') ?? false
shows<ServiceAccount>(serviceAccountType, [
  [
    'of builds with a deleted secret',
    (a) => ofBuilds(a) && inSecrets(a).some((name) => !secrets.has(`${a.metadata.namespace}/${name}`)),
  ],
  [
    'of builds with a secret only for images',
    (a) => ofBuilds(a) && inImages(a).some((name) => !inSecrets(a).includes(name)),
  ],
  [
    'of builds with a secret only for tasks',
    (a) => ofBuilds(a) && inSecrets(a).some((name) => !inImages(a).includes(name)),
  ],
  [
    'of builds without the secret of an image',
    (a) => ofBuilds(a) && !inSecrets(a).some((name) => name.endsWith('-image-push')),
  ],
  ['of tests with the pull secret of the namespace', (a) => inImages(a).includes('components-namespace-pull')],
])

shows<ImageRepository>(imageRepositoryType, [
  ['that is ready', ({ status }) => status?.state === 'ready'],
  ['that exceeds a quota', ({ status }) => status?.state === 'failed' && /limit/.test(status.message ?? '')],
  ['that already exists', ({ status }) => status?.state === 'failed' && /exists/.test(status.message ?? '')],
  ['that is not ready yet', ({ status }) => status === undefined],
  ['that waits for its component', ({ status }) => status?.state === 'waiting'],
  ['that is damaged', ({ status }) => status?.state === 'damaged'],
  ['that is missing in the registry', ({ status }) => status?.state === 'missing'],
  [
    'of a deleted component without an owner reference',
    ({ metadata, status }) =>
      status?.state === 'ready' &&
      metadata.ownerReferences === undefined &&
      metadata.labels?.[labels.imageComponent] !== undefined &&
      !componentNames.has(metadata.labels[labels.imageComponent]),
  ],
  ['of no component', (image) => label(image, labels.imageComponent) === undefined],
  [
    'with a webhook and an e-mail',
    ({ spec }) => text(spec.notifications?.map(({ method }) => method)) === '["webhook","email"]',
  ],
  ['that could not be made private', ({ status }) => status?.state === 'ready' && status.message !== undefined],
  ['that is private', ({ spec }) => spec.image?.visibility === 'private'],
])

const buildStatus = ({ metadata }: Component) => parseBuildStatus(metadata.annotations?.[annotations.buildStatus])
const gitUrl = ({ spec }: Component) => spec.source.git?.url ?? ''
const mark = (component: Component, key: string) => component.metadata.annotations?.[key]
shows<Component>(componentType, [
  ...[50, 53, 60, 61, 70, 74, 201, 203, 204].map((id): Case<Component> => [
    `that failed with ${id}`,
    (component) => buildStatus(component)?.pac?.['error-id'] === id,
  ]),
  [
    'that was rolled back',
    (c) => buildStatus(c)?.pac?.state === 'disabled' && buildStatus(c)?.pac?.['merge-url'] !== undefined,
  ],
  ['that is being rolled back', (c) => mark(c, annotations.buildRequest) === 'unconfigure-pac'],
  ['without a status', (c) => buildStatus(c) === undefined],
  [
    'without the URL of a pull request',
    (c) => buildStatus(c)?.pac?.state === 'enabled' && !buildStatus(c)?.pac?.['merge-url'],
  ],
  ['from a sample', (c) => mark(c, annotations.sample) === 'true'],
  ['on Forgejo', (c) => mark(c, annotations.gitProvider) === 'forgejo'],
  ['of a repository without TLS', (c) => gitUrl(c).startsWith('http://')],
  [
    'of a repository with a dockerfile for each component',
    (c) =>
      c.spec.source.git?.dockerfileUrl !== undefined &&
      all(componentType).filter((other) => gitUrl(other) === gitUrl(c)).length > 1,
  ],
  ['that nudges several', (c) => nudges(c).length > 1],
  [
    'that nudges one that nudges one that nudges',
    (c) =>
      nudges(c).some((second) =>
        nudges(componentNamed(second) ?? c).some((third) => nudges(componentNamed(third) ?? c).length > 0),
      ),
  ],
  [
    'that nudges one of another application',
    (c) => nudges(c).some((name) => ![undefined, c.spec.application].includes(componentNamed(name)?.spec.application)),
  ],
  ['that nudges a deleted one', (c) => nudges(c).some((name) => !componentNames.has(name))],
  ['that is owned by its application', ({ metadata }) => metadata.ownerReferences?.[0]?.kind === 'Application'],
])

it('demo gives each user access to only some managed namespaces, and read access to some teams', () => {
  const grants = seeds.flatMap(({ type, object }) => {
    const binding = object as KubeObject & { roleRef?: { name: string }; subjects?: { name: string }[] }
    return type.kind === 'RoleBinding' && binding.roleRef
      ? (binding.subjects ?? []).map(
          (subject) => `${subject.name} ${object.metadata.namespace} ${binding.roleRef?.name}`,
        )
      : []
  })
  const may = (user: keyof typeof users, namespace: string) =>
    grants.some((each) => each.startsWith(`${users[user]} ${namespace} `))
  const managed = ['platform-releases', 'storefront-releases', 'mobile-releases']
  expect(managed.map((each) => may('admin', each))).toEqual([true, true, false])
  expect(managed.map((each) => may('contributor', each))).toEqual([false, true, false])
  expect(grants).toContain(`${users.admin} team-mobile konflux-contributor-user-actions`)
  expect(all(releaseType).some(({ metadata }) => metadata.namespace === 'team-mobile')).toBe(true)
})
