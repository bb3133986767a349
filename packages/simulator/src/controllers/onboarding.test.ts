import { namespaceType, secretType, serviceAccountType, configMapType } from '@slipway/kube/core-types'
import type { KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import { nameOf } from '@slipway/kube/object'
import { isNotFound } from '@slipway/kube/status'
import { applicationType } from '@slipway/model/builds/application'
import { componentType, type Component } from '@slipway/model/builds/component'
import { imageRepositoryType } from '@slipway/model/builds/image-repository'
import { type NudgeConfig, nudgeConfigType } from '@slipway/model/builds/nudge-config'
import { annotations, labels } from '@slipway/model/labels'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { repositoryType } from '@slipway/model/builds/repository'
import { snapshotConditions, snapshotType } from '@slipway/model/snapshots/snapshot'
import { aComponent, anApplication, aNamespace, condition } from '@slipway/model/testing'
import { aNudgeConfig, anImageRepository, aSecret } from '@slipway/model/testing/build-services'
import { aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { afterEach, describe, expect, it } from 'vitest'
import { startWorld, type World } from '../../test/world'
import { parseBuildStatus } from '../git-host/build-status'
import { onboardingAnnotation } from '../git-host/onboarding-error'
import { pullUrl } from '../git-host/git-url'
import { addressAnnotation, gitHostNamespace, readRepository, settings } from '../git-host/store'
import { buildReports } from './build-reports'
import { buildServiceAccounts } from './build-service-accounts'
import { componentOnboarding } from './component-onboarding'
import { imageRepositories } from './image-repositories'
import { namespacePullSecrets } from './namespace-pull-secrets'
import { nudgeReferences, nudging } from './nudging'
import { pipelinesAsCode } from './pipelines-as-code'
import { sourceControl } from './source-control'
import { tenantNamespaces } from './tenant-namespaces'

const namespace = 'team-payments'
const controllers = [
  componentOnboarding,
  buildServiceAccounts,
  imageRepositories,
  namespacePullSecrets,
  tenantNamespaces,
  pipelinesAsCode({ consoleUrl: 'https://console.slipway.test' }),
  buildReports('current'),
  nudgeReferences('current'),
  nudging('current'),
  sourceControl,
]

let world: World
afterEach(() => world.close())

async function start(...objects: [ResourceType, KubeObject][]) {
  world = await startWorld({
    controllers,
    objects: [[namespaceType, aNamespace()], [applicationType, anApplication()], ...objects],
  })
}

/** Starts with a component whose import has also created its image repository. */
const startImported = (component: Component, ...objects: [ResourceType, KubeObject][]) =>
  start([componentType, component], [imageRepositoryType, itsImageRepository(component)], ...objects)

const itsImageRepository = ({ metadata: { name = '' } }: Component) =>
  anImageRepository({
    metadata: {
      name: `imagerepository-for-checkout-${name}`,
      labels: { [labels.imageComponent]: name },
      annotations: { [annotations.updateComponentImage]: 'true' },
    },
    spec: { image: { name: undefined } },
    status: undefined,
  })

/** A component as an import creates it: on GitHub, without an image, in a repository without simulated activity. */
const imported = (
  name: string,
  { annotations: marks, ...spec }: Partial<Component['spec']> & { annotations?: Record<string, string> } = {},
) =>
  aComponent({
    metadata: { name, annotations: { [settings.activity]: 'off', ...marks } },
    spec: { source: { git: { url: `https://github.com/payments/${name}` } }, containerImage: undefined, ...spec },
  })

const component = (name = 'checkout-api') => world.client.get(componentType, name, { namespace })
const statusOf = async (name?: string) =>
  parseBuildStatus((await component(name)).metadata.annotations?.[annotations.buildStatus])
const runs = async () => (await world.client.list(pipelineRunType, { namespace })).items
const gitRepository = async (name = 'checkout-api') => {
  const all = (await world.client.list(configMapType, { namespace: gitHostNamespace })).items.map(readRepository)
  const found = all.find((each) => each?.name === name)
  if (!found) throw new Error(`no repository ${name}`)
  return found
}
const sendRequest = async (request: string, name = 'checkout-api') => {
  const path = `/metadata/annotations/${annotations.buildRequest.replaceAll('/', '~1')}`
  await world.client.patch(componentType, name, [{ op: 'add', path, value: request }], { namespace })
  await world.simulator.idle()
}

/** Finishes a run as its pipeline would. */
async function finish(run: PipelineRun, succeeds = true) {
  const name = run.metadata.name ?? ''
  const current = await world.client.get(pipelineRunType, name, { namespace })
  const time = new Date(world.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z')
  const image = run.spec.params?.find((param) => param.name === 'output-image')?.value ?? ''
  await world.client.replaceStatus(pipelineRunType, {
    ...current,
    status: {
      startTime: current.metadata.creationTimestamp,
      completionTime: time,
      conditions: [
        {
          type: 'Succeeded',
          status: succeeds ? 'True' : 'False',
          reason: succeeds ? 'Completed' : 'Failed',
          message: '',
          lastTransitionTime: time,
        },
      ],
      results: succeeds
        ? [
            { name: 'IMAGE_URL', value: image },
            { name: 'IMAGE_DIGEST', value: `sha256:${'0123456789abcdef'.repeat(4)}` },
          ]
        : [],
    },
  })
  await world.simulator.idle()
}

const finishAll = async () => {
  for (const run of await runs()) if (!run.status?.completionTime) await finish(run)
}

describe('an imported component', () => {
  it('gets its image, its account, its Repository and a pull request', async () => {
    await startImported(imported('checkout-api'))
    await world.advance(30_000)
    const created = await component()
    expect(created.spec.containerImage).toBe('registry.slipway.test/team-payments/checkout-api')
    expect(created.status?.conditions).toMatchObject([{ type: 'Created', status: 'True', reason: 'OK' }])
    expect(await statusOf()).toEqual({
      pac: {
        state: 'enabled',
        'merge-url': 'https://github.com/payments/checkout-api/pull/1',
        'configuration-time': 'Sat, 31 Jan 2026 09:00:03 UTC',
      },
      message: 'done',
    })
    const account = await world.client.get(serviceAccountType, 'build-pipeline-checkout-api', { namespace })
    const push = { name: 'imagerepository-for-checkout-checkout-api-image-push' }
    const pull = { name: 'components-namespace-pull' }
    expect(account).toMatchObject({ secrets: [push, pull] })
    expect(account).not.toHaveProperty('imagePullSecrets')
    const runner = await world.client.get(serviceAccountType, 'konflux-integration-runner', { namespace })
    expect(runner).toMatchObject({ secrets: [pull], imagePullSecrets: [pull] })
    const secret = await world.client.get(secretType, 'components-namespace-pull', { namespace })
    expect(atob(secret.data?.['.dockerconfigjson'] ?? '')).toContain('"registry.slipway.test/team-payments"')
    const repository = await world.client.get(repositoryType, 'checkout-api', { namespace })
    expect(repository.spec).toEqual({ url: 'https://github.com/payments/checkout-api' })
    expect((await gitRepository()).pullRequests).toMatchObject([
      {
        number: 1,
        title: 'Konflux update checkout-api',
        source: 'konflux-checkout-api',
        author: 'konflux-staging[bot]',
        state: 'open',
      },
    ])
  })

  it('is built for its pull request, and for the branch after the automatic merge', async () => {
    await startImported(imported('checkout-api'))
    await world.advance(30_000)
    const [first] = await runs()
    expect(first?.metadata.name).toMatch(/^checkout-api-on-pull-request-[a-z0-9]{5}$/)
    // It waits for its checks.
    await world.advance(600_000)
    expect((await gitRepository()).pullRequests[0]?.state).toBe('open')
    await finishAll()
    expect((await gitRepository()).pullRequests[0]).toMatchObject({ state: 'merged' })
    const push = (await runs()).find((run) => run.metadata.name?.startsWith('checkout-api-on-push-'))
    expect(push?.metadata.labels).toMatchObject({ [labels.eventType]: 'push', [labels.pullRequestNumber]: '1' })
    expect(push?.metadata.annotations?.[annotations.pacSender]).not.toContain('konflux-staging')
    if (!push) throw new Error('no push build')
    await finish(push)
    const sha = push.metadata.labels?.[labels.commitSha] ?? ''
    const built = await component()
    expect(built.status).toMatchObject({
      lastBuiltCommit: sha,
      lastPromotedImage: `registry.slipway.test/team-payments/checkout-api@sha256:${'0123456789abcdef'.repeat(4)}`,
    })
    expect(built.metadata.annotations?.[annotations.lastBuiltTime]).toMatch(/^\d{10}$/)
    const reported = await world.client.get(pipelineRunType, push.metadata.name ?? '', { namespace })
    expect(reported.metadata.labels?.[labels.runState]).toBe('completed')
    expect(reported.metadata.annotations).toMatchObject({
      [labels.runState]: 'completed',
      'chains.tekton.dev/signed': 'true',
    })
    const repository = await world.client.get(repositoryType, 'checkout-api', { namespace })
    expect(repository).not.toHaveProperty('pipelinerun_status')
  })

  it('has links to the pages of the git host if they are served', async () => {
    const address = { [addressAnnotation]: 'http://127.0.0.1:9080/git' }
    await startImported(imported('checkout-api'), [
      namespaceType,
      { metadata: { name: gitHostNamespace, annotations: address } },
    ])
    await world.advance(30_000)
    const page = 'http://127.0.0.1:9080/git/github.com/payments/checkout-api'
    expect((await statusOf())?.pac?.['merge-url']).toBe(`${page}/pull/1`)
    const [run] = await runs()
    expect(run?.metadata.annotations).toMatchObject({ [annotations.pacRepositoryUrl]: page })
    expect(run?.spec.params?.[0]).toEqual({ name: 'git-url', value: 'https://github.com/payments/checkout-api' })
    // The repository is recognized by its other URL: the merge waits for its checks.
    await world.advance(600_000)
    expect((await gitRepository()).pullRequests[0]?.state).toBe('open')
    await finishAll()
    expect((await gitRepository()).pullRequests[0]?.state).toBe('merged')
  })

  it('uses the image repository that a slow import creates, instead of creating another one', async () => {
    await start([componentType, imported('checkout-api')])
    await world.advance(50_000)
    const own = anImageRepository({
      metadata: { annotations: { [annotations.updateComponentImage]: 'true' } },
      spec: {
        image: { name: undefined, visibility: 'private' },
        notifications: [
          { title: 'SBOM', event: 'repo_push', method: 'webhook', config: { url: 'https://sbom.slipway.test' } },
        ],
      },
      status: undefined,
    })
    await world.client.create(imageRepositoryType, own)
    await world.advance(30_000)
    const { items } = await world.client.list(imageRepositoryType, { namespace })
    expect(items).toHaveLength(1)
    expect(items[0]?.status).toMatchObject({
      state: 'ready',
      image: { url: 'registry.slipway.test/team-payments/checkout-api', visibility: 'private' },
      notifications: [{ title: 'SBOM', uuid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/) as string }],
    })
    expect(items[0]?.metadata.annotations ?? {}).toEqual({})
    expect((await statusOf())?.pac?.state).toBe('enabled')
  })

  it('waits as long for the image repository of an import when the simulation is faster', async () => {
    const objects: [ResourceType, KubeObject][] = [
      [namespaceType, aNamespace()],
      [applicationType, anApplication()],
    ]
    world = await startWorld({ controllers, objects, speed: 50 })
    await world.client.create(componentType, imported('checkout-api'))
    await world.advance(59_000)
    expect((await world.client.list(imageRepositoryType, { namespace })).items).toEqual([])
    await world.advance(2_000)
    expect((await world.client.list(imageRepositoryType, { namespace })).items).toHaveLength(1)
  })

  it('uses the secret that a slow import creates for its git host', async () => {
    await startImported(
      imported('checkout-api', { source: { git: { url: 'https://gitlab.com/payments/checkout-api' } } }),
    )
    await world.advance(50_000)
    expect(await statusOf()).toBeUndefined()
    await world.client.create(
      secretType,
      aSecret({ metadata: { name: 'gl', labels: { [labels.credentials]: 'scm', [labels.scmHost]: 'gitlab.com' } } }),
    )
    await world.simulator.idle()
    expect((await statusOf())?.pac?.state).toBe('enabled')
  })

  it('gets new credentials on request', async () => {
    await startImported(imported('checkout-api'))
    await world.advance(30_000)
    const name = 'imagerepository-for-checkout-checkout-api'
    const secret = () => world.client.get(secretType, `${name}-image-push`, { namespace })
    const before = await secret()
    expect(before.type).toBe('kubernetes.io/dockerconfigjson')
    await world.client.patch(
      imageRepositoryType,
      name,
      [{ op: 'add', path: '/spec/credentials', value: { 'regenerate-token': true } }],
      { namespace },
    )
    await world.advance(1_000)
    const after = await secret()
    expect(after.data).not.toEqual(before.data)
    expect(atob(after.data?.['.dockerconfigjson'] ?? '')).toContain('registry.slipway.test/team-payments/checkout-api')
    const repository = await world.client.get(imageRepositoryType, name, { namespace })
    expect(repository.spec.credentials).toBeUndefined()
    expect(repository.status?.credentials?.generationTimestamp).toBe('2026-01-31T09:00:30Z')
  })

  it('retains its image repository for a moment after it is deleted', async () => {
    await startImported(imported('checkout-api'))
    await world.advance(30_000)
    const repositories = async () => (await world.client.list(imageRepositoryType, { namespace })).items
    expect((await repositories())[0]?.metadata.finalizers).toEqual(['appstudio.openshift.io/image-repository'])
    await world.client.delete(componentType, 'checkout-api', { namespace })
    await world.advance(1_000)
    expect((await repositories())[0]?.metadata.deletionTimestamp).toBe('2026-01-31T09:00:30Z')
    await world.advance(3_000)
    expect(await repositories()).toEqual([])
    expect((await world.client.list(secretType, { namespace })).items.map(({ metadata }) => metadata.name)).toEqual([
      'components-namespace-pull',
    ])
  })

  it('gets common secrets linked once, and not again after a user unlinked them', async () => {
    const common = aSecret({ metadata: { name: 'common', labels: { [labels.commonSecret]: 'true' } } })
    await startImported(imported('checkout-api'), [secretType, common])
    await world.advance(30_000)
    const account = () => world.client.get(serviceAccountType, 'build-pipeline-checkout-api', { namespace })
    expect((await account()).secrets?.map(({ name }) => name)).toContain('common')
    await world.client.replace(serviceAccountType, { ...(await account()), secrets: [] })
    await world.client.create(secretType, { ...common, metadata: { ...common.metadata, name: 'later' } })
    await world.simulator.idle()
    expect((await account()).secrets).toEqual([{ name: 'later' }])
  })
})

describe('an image repository', () => {
  const repository = () => world.client.get(imageRepositoryType, 'images', { namespace })
  const anEarly = (component: string | undefined) =>
    anImageRepository({
      metadata: { name: 'images', labels: { [labels.imageComponent]: component } },
      spec: { image: { name: undefined } },
      status: undefined,
    })

  it('waits for its component', async () => {
    await start([imageRepositoryType, anEarly('checkout-late')])
    await world.advance(30_000)
    expect((await repository()).status).toEqual({
      state: 'waiting',
      message: "Component 'checkout-late' does not exist",
    })
    await world.client.create(componentType, imported('checkout-late', { containerImage: 'registry.slipway.test/x' }))
    await world.advance(30_000)
    expect((await repository()).status).toMatchObject({ state: 'ready' })
    expect((await repository()).status).not.toHaveProperty('message')
  })

  it('without a component becomes ready', async () => {
    await start([imageRepositoryType, anEarly(undefined)])
    await world.advance(30_000)
    expect((await repository()).status).toMatchObject({
      state: 'ready',
      image: { url: 'registry.slipway.test/team-payments/images' },
    })
  })

  it.each([
    ['failed', 'Number of private repositories exceeds current quay plan limit'],
    ['damaged', 'Push robot account does not exist in the registry'],
    ['missing', 'Repository does not exist in the registry'],
  ] as const)('that is %s does not change', async (state, message) => {
    const status = { state, message }
    await start([imageRepositoryType, anEarly('checkout-late')])
    await world.client.replaceStatus(imageRepositoryType, { ...(await repository()), status })
    await world.client.create(componentType, imported('checkout-late', { containerImage: 'registry.slipway.test/x' }))
    await world.advance(30_000)
    expect((await repository()).status).toEqual(status)
  })
})

describe('a build request', () => {
  const enabled = async () => {
    await startImported(imported('checkout-api'))
    await world.advance(30_000)
    await finishAll()
    await world.advance(300_000)
    await finishAll()
  }

  it('for a build starts exactly one, of the head of the branch', async () => {
    await enabled()
    const before = (await runs()).length
    await sendRequest('trigger-pac-build')
    const incoming = (await runs()).filter((run) => run.metadata.labels?.[labels.eventType] === 'incoming')
    expect(await runs()).toHaveLength(before + 1)
    expect(incoming[0]?.metadata.name).toMatch(/^checkout-api-on-push-/)
    const head = (await gitRepository()).branches[0]?.commits[0]
    expect(incoming[0]?.metadata.labels?.[labels.commitSha]).toBe(head?.sha)
    expect((await component()).metadata.annotations?.[annotations.buildRequest]).toBeUndefined()
    await sendRequest('trigger-pac-build')
    expect(await runs()).toHaveLength(before + 2)
  })

  it('for a build works for a component that was configured before its repository was simulated', async () => {
    const status = JSON.stringify({ pac: { state: 'enabled' }, message: 'done' })
    const marks = { [annotations.buildStatus]: status, [annotations.buildRequest]: 'trigger-pac-build' }
    await start([
      componentType,
      imported('checkout-api', { containerImage: 'registry.slipway.test/x', annotations: marks }),
    ])
    await world.advance(30_000)
    expect((await runs()).map(({ metadata }) => metadata.labels?.[labels.eventType])).toEqual(['incoming'])
    expect((await gitRepository()).branches[0]?.pipelines).toEqual(['team-payments/checkout-api'])
  })

  it('to roll back opens a pull request that ends the builds', async () => {
    await enabled()
    await sendRequest('unconfigure-pac')
    expect(await statusOf()).toEqual({
      pac: { state: 'disabled', 'merge-url': 'https://github.com/payments/checkout-api/pull/2' },
      message: 'done',
    })
    await world.advance(300_000)
    expect((await gitRepository()).branches[0]?.pipelines).toEqual([])
    const before = (await runs()).length
    await sendRequest('trigger-pac-build')
    expect(await runs()).toHaveLength(before)
    expect((await statusOf())?.message).toContain('not enabled')
    await sendRequest('configure-pac-no-mr')
    expect((await statusOf())?.pac).toMatchObject({
      state: 'enabled',
      'configuration-time': expect.any(String) as string,
    })
    expect((await gitRepository()).pullRequests).toHaveLength(2)
    expect((await gitRepository()).branches[0]?.pipelines).toEqual(['team-payments/checkout-api'])
  })

  it('that is unknown is removed and reported', async () => {
    await enabled()
    await sendRequest('dance')
    expect((await statusOf())?.message).toBe('unexpected build request: dance')
    expect((await statusOf())?.pac?.state).toBe('enabled')
  })
})

describe('an onboarding that fails', () => {
  it.each<[string, Parameters<typeof imported>[1], { id: number; message: string }]>([
    [
      'by the name of its repository',
      { source: { git: { url: 'https://github.com/payments/x-error-private-repository' } } },
      { id: 203, message: '203: Git credentials for private Component git repository not given' },
    ],
    [
      'by its annotation',
      { annotations: { [onboardingAnnotation]: 'error-app-not-installed' } },
      { id: 70, message: '70: GitHub Application is not installed in user repository' },
    ],
    [
      'on an unknown host',
      { source: { git: { url: 'https://git.slipway.test/payments/checkout-api' } } },
      { id: 60, message: '60: unknown git provider of the source repository' },
    ],
    [
      'on GitLab without a secret',
      { source: { git: { url: 'https://gitlab.com/payments/checkout-api' } } },
      { id: 50, message: '50: Pipelines as Code secret does not exist' },
    ],
    [
      'with an unreadable pipeline choice',
      { annotations: { [annotations.buildPipeline]: 'docker' } },
      { id: 204, message: '204: Failed to parse build.appstudio.openshift.io/pipeline annotation value' },
    ],
  ])('PAC-17, PAC-22 reports why: %s', async (_, overrides, { id, message }) => {
    await startImported(imported('checkout-api', overrides))
    await world.advance(70_000)
    expect(await statusOf()).toEqual({
      pac: { state: 'error', 'error-id': id, 'error-message': message },
      message: 'done',
    })
    expect(await runs()).toEqual([])
  })

  it('succeeds on the next request after its cause is fixed', async () => {
    const url = 'https://gitlab.com/payments/group/checkout-api.git'
    await startImported(imported('checkout-api', { source: { git: { url } } }))
    await world.advance(70_000)
    await world.client.create(
      secretType,
      aSecret({ metadata: { name: 'gl', labels: { [labels.credentials]: 'scm', [labels.scmHost]: 'gitlab.com' } } }),
    )
    await sendRequest('configure-pac')
    expect((await statusOf())?.pac).toMatchObject({
      state: 'enabled',
      'merge-url': 'https://gitlab.com/payments/group/checkout-api/-/merge_requests/1',
    })
    const repository = await world.client.get(repositoryType, 'checkout-api', { namespace })
    expect(repository.spec.git_provider).toMatchObject({ type: 'gitlab', secret: { name: 'gl' } })
    const [run] = await runs()
    expect(run?.metadata.labels).toMatchObject({
      [labels.eventType]: 'Merge_Request',
      [labels.organization]: 'payments-group',
    })
    expect(run?.metadata.annotations?.[annotations.pacShaUrl]).toContain('/payments/group/checkout-api/-/commit/')
  })
})

it('opens a pull request that removes the pipelines when a component is deleted', async () => {
  await startImported(imported('checkout-api'))
  await world.advance(30_000)
  await finishAll()
  await world.advance(300_000)
  await world.client.delete(componentType, 'checkout-api', { namespace })
  await world.advance(1_000)
  await expect(component()).rejects.toSatisfy(isNotFound)
  await expect(world.client.get(repositoryType, 'checkout-api', { namespace })).rejects.toSatisfy(isNotFound)
  const { pullRequests, ...repository } = await gitRepository()
  expect(pullRequests[0]).toMatchObject({ title: 'Konflux purge checkout-api', state: 'open' })
  expect(pullUrl(repository, 2)).toBe('https://github.com/payments/checkout-api/pull/2')
})

describe('components that nudge others', () => {
  it('are listed in the status of those while they do', async () => {
    const nudging = imported('checkout-base', { 'build-nudges-ref': ['checkout-api'] })
    await startImported(
      imported('checkout-api'),
      [componentType, nudging],
      [imageRepositoryType, itsImageRepository(nudging)],
    )
    await world.advance(30_000)
    expect((await component()).status?.['build-nudged-by']).toEqual(['checkout-base'])
    const current = await component('checkout-base')
    await world.client.replace(componentType, { ...current, spec: { ...current.spec, 'build-nudges-ref': [] } })
    await world.simulator.idle()
    expect((await component()).status?.['build-nudged-by']).toBeUndefined()
  })

  it('propose their new image once per build, in the open pull request', async () => {
    const nudging = imported('checkout-base', {
      annotations: { [settings.autoMerge]: '60' },
      'build-nudges-ref': ['checkout-api'],
    })
    const quiet = { annotations: { [settings.autoMerge]: 'off' } }
    await startImported(
      imported('checkout-api', quiet),
      [componentType, nudging],
      [imageRepositoryType, itsImageRepository(nudging)],
    )
    await world.advance(120_000)
    await finishAll()
    await finishAll()
    const proposals = (await gitRepository()).pullRequests.filter(({ title }) => title.startsWith('chore(deps)'))
    expect(proposals).toMatchObject([
      {
        title: 'chore(deps): update checkout-base to 0123456',
        author: 'konflux-staging[bot]',
        source: 'konflux/component-updates/checkout-base',
        state: 'open',
      },
    ])
    await world.advance(600_000)
    expect((await gitRepository()).pullRequests).toHaveLength(2)
  })

  const proposals = async () =>
    (await gitRepository()).pullRequests.map(({ title }) => title).filter((title) => title.startsWith('chore(deps)'))
  const proposal = 'chore(deps): update checkout-base to 0123456'

  it.each<[string, NudgeConfig['spec'], string[], string[]]>([
    ['a NudgeConfig without nudges', {}, [], []],
    [
      'a NudgeConfig with an immediate nudge',
      { nudges: [{ from: 'checkout-base', to: 'checkout-api', mode: 'immediate' }] },
      [proposal],
      [proposal],
    ],
    [
      'a NudgeConfig with a nudge that waits for tests',
      { nudges: [{ from: 'checkout-base', to: 'checkout-api', mode: 'validated' }] },
      [],
      [proposal],
    ],
  ])('propose what %s says, and not what they name themselves', async (_, spec, expected, afterTests) => {
    const nudging = imported('checkout-base', {
      annotations: { [settings.autoMerge]: '60' },
      'build-nudges-ref': ['checkout-api'],
    })
    const quiet = { annotations: { [settings.autoMerge]: 'off' } }
    await startImported(
      imported('checkout-api', quiet),
      [componentType, nudging],
      [imageRepositoryType, itsImageRepository(nudging)],
      [nudgeConfigType, aNudgeConfig({ spec })],
    )
    await world.advance(120_000)
    await finishAll()
    await finishAll()
    expect(await proposals()).toEqual(expected)
    // What the component names itself is ignored wherever there is a NudgeConfig.
    expect((await component()).status?.['build-nudged-by']).toBeUndefined()
    const [build] = (await runs()).filter(({ metadata }) => metadata.name?.startsWith('checkout-base-on-push-'))
    await world.client.create(
      snapshotType,
      aSnapshot({ metadata: { labels: { [labels.buildPipelineRun]: build?.metadata.name } } }),
    )
    const snapshot = await world.client.get(snapshotType, nameOf(aSnapshot()), { namespace })
    await world.client.replaceStatus(snapshotType, {
      ...snapshot,
      status: { conditions: [condition(snapshotConditions.testSucceeded, 'True', 'Passed')] },
    })
    await world.simulator.idle()
    expect(await proposals()).toEqual(afterTests)
  })
})
