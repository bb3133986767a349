import { secretType, serviceAccountType } from '@slipway/kube/core-types'
import { applicationType } from '@slipway/model/builds/application'
import { componentType, type Component } from '@slipway/model/builds/component'
import { imageRepositoryType, type ImageRepository } from '@slipway/model/builds/image-repository'
import { annotations, labels } from '@slipway/model/labels'
import { aComponent, anApplication, type Overrides } from '@slipway/model/testing'
import { anImageRepository, aServiceAccount } from '@slipway/model/testing/build-services'
import { componentOwner } from '../../component-owner'
import { ownerReference } from '../../controller'
import { integrationFinalizer } from '../../controllers/component-deletions'
import { buildFinalizer } from '../../controllers/component-onboarding'
import { imageFinalizer } from '../../controllers/image-repositories'
import { disabledStatus, enabledStatus, failedStatus, type BuildStatus } from '../../git-host/build-status'
import { onboardingErrorNamed, type OnboardingErrorName } from '../../git-host/onboarding-error'
import { settings } from '../../git-host/store'
import { imageCredentials, imagePurposes, imageRegistry, imageSecret } from '../../image-credentials'
import { timestamp } from '../../tekton/task-run-status'
import { withPlannedLinks } from '../links'
import { seed, type ScenarioContext, type Seed } from '../scenario'
import { commonLinks } from '../team-secrets'
import { uidFor } from '../uids'

const namespace = 'team-platform'
const applicationName = 'incubator'
const dayMs = 24 * 3_600_000
const github = (name: string) => `https://github.com/platform/${name}`

interface ComponentState {
  name: string
  url?: string
  status?: BuildStatus
  /** Directory and Dockerfile in the git source. */
  git?: { context?: string; dockerfileUrl?: string }
  annotations?: Record<string, string>
  /** Whether it has no image repository yet. */
  isWithoutImage?: boolean
}

const failing = (name: string, error: OnboardingErrorName, url?: string): ComponentState => ({
  name,
  url,
  status: failedStatus(onboardingErrorNamed(error)),
})

/** Components in every state that the build service produces. */
const states = (setUpMs: number): ComponentState[] => [
  failing('without-secret', 'secret-not-found', 'https://gitlab.com/platform/without-secret'),
  failing('taken-elsewhere', 'duplicate-repository'),
  failing('unknown-host', 'unknown-provider', 'https://git.slipway.test/platform/unknown-host'),
  failing('plain-http', 'http-used', 'http://github.com/platform/plain-http'),
  failing('app-not-installed', 'app-not-installed'),
  failing('token-refused', 'token-unauthorized'),
  failing('secret-is-gone', 'secret-missing', 'https://bitbucket.org/platform/secret-is-gone'),
  failing('private-source', 'private-repository'),
  {
    ...failing('pipeline-unreadable', 'pipeline-unreadable'),
    annotations: { [annotations.buildPipeline]: 'docker-build' },
  },
  { name: 'rolled-back', status: disabledStatus(`${github('rolled-back')}/pull/4`) },
  { name: 'waits-for-merge', status: enabledStatus(`${github('waits-for-merge')}/pull/1`, setUpMs) },
  { name: 'without-merge-url', status: enabledStatus(undefined, setUpMs) },
  { name: 'no-status-yet', isWithoutImage: true },
  {
    name: 'being-rolled-back',
    status: enabledStatus(`${github('being-rolled-back')}/pull/1`, setUpMs),
    annotations: { [annotations.buildRequest]: 'unconfigure-pac' },
  },
  { name: 'hello-sample', status: enabledStatus(undefined, setUpMs), annotations: { [annotations.sample]: 'true' } },
  {
    name: 'mono-server',
    url: github('monorepo'),
    git: { context: './', dockerfileUrl: 'docker/server.Dockerfile' },
    status: enabledStatus(`${github('monorepo')}/pull/1`, setUpMs),
  },
  {
    name: 'mono-worker',
    url: github('monorepo'),
    git: { context: './', dockerfileUrl: 'docker/worker.Dockerfile' },
    status: enabledStatus(`${github('monorepo')}/pull/2`, setUpMs),
  },
  {
    name: 'on-forgejo',
    url: 'https://codeberg.org/platform/on-forgejo',
    annotations: { [annotations.gitProvider]: 'forgejo', [annotations.gitProviderUrl]: 'https://codeberg.org' },
    status: enabledStatus('https://codeberg.org/platform/on-forgejo/pulls/1', setUpMs),
  },
]

interface ImageState {
  name: string
  /** The component of the image, if any. */
  component?: string
  visibility?: 'public' | 'private'
  notifications?: ImageRepository['spec']['notifications']
  /** `undefined` if the registry has not created it yet. */
  status?: Overrides<NonNullable<ImageRepository['status']>>
}

const ready = { state: 'ready' } as const
/** States of repositories that exist or existed in the registry. */
const provisionedStates: (string | undefined)[] = ['ready', 'damaged', 'missing']

const imageStates: ImageState[] = [
  {
    name: 'quota-exceeded',
    component: 'no-status-yet',
    visibility: 'private',
    status: { state: 'failed', message: 'Number of private repositories exceeds current quay plan limit' },
  },
  { name: 'exists-already', status: { state: 'failed', message: 'Repository already exists' } },
  { name: 'not-ready-yet', component: 'waits-for-merge' },
  {
    name: 'component-gone',
    component: 'deleted-component',
    status: { state: 'waiting', message: "Component 'deleted-component' does not exist" },
  },
  // Its component was deleted with --cascade=orphan.
  { name: 'left-behind', component: 'retired-service', status: ready },
  {
    name: 'without-robot-account',
    component: 'rolled-back',
    status: { state: 'damaged', message: 'Push robot account does not exist in the registry' },
  },
  {
    name: 'gone-from-registry',
    component: 'hello-sample',
    status: { state: 'missing', message: 'Repository does not exist in the registry' },
  },
  { name: 'of-no-component', visibility: 'private', status: ready },
  {
    name: 'with-notifications',
    component: 'without-merge-url',
    status: {
      ...ready,
      notifications: [
        { title: 'SBOM-event-to-Bombino', uuid: '0b4ad3c5-4c0e-4d0c-a3c8-1d6f9a1c7e21' },
        { title: 'Tell the team', uuid: '6f1de0a4-77b8-4d3c-8a54-7a6a3f1d7b90' },
      ],
    },
    notifications: [
      {
        title: 'SBOM-event-to-Bombino',
        event: 'repo_push',
        method: 'webhook',
        config: { url: 'https://sbom.slipway.test/events' },
      },
      { title: 'Tell the team', event: 'repo_push', method: 'email', config: { email: 'platform@slipway.test' } },
    ],
  },
  {
    name: 'stays-public',
    component: 'mono-server',
    status: { ...ready, message: 'Quay organization plan private repositories limit exceeded' },
  },
]

/** An application whose components are being onboarded, or failed to be. */
export function onboardingStates(context: ScenarioContext): Seed[] {
  const { nowMs, world } = context
  const setUpMs = nowMs - 3 * dayMs
  const creationTimestamp = timestamp(setUpMs)
  const application = anApplication({
    metadata: {
      name: applicationName,
      namespace,
      uid: uidFor(world, 'application', namespace, applicationName),
      creationTimestamp,
    },
    spec: { displayName: 'Incubator' },
  })
  const components = states(setUpMs).map((state) => componentIn(state))
  const images = imageStates.flatMap((state) => imageIn(state))
  return [
    seed(applicationType, application),
    ...components.flatMap((component) => [seed(componentType, component), accountOf(component)]),
    ...images,
  ]

  function componentIn({ name, url = github(name), git, status, isWithoutImage = false, ...rest }: ComponentState) {
    return aComponent({
      metadata: {
        name,
        namespace,
        uid: uidFor(world, 'component', namespace, name),
        creationTimestamp,
        finalizers: [buildFinalizer, integrationFinalizer],
        ownerReferences: [componentOwner(application)],
        annotations: {
          [settings.activity]: 'off',
          [settings.autoMerge]: 'off',
          ...(status && { [annotations.buildStatus]: JSON.stringify(status) }),
          ...rest.annotations,
        },
      },
      spec: {
        application: applicationName,
        source: { git: { url, ...git } },
        containerImage: isWithoutImage ? undefined : `${imageRegistry}/${namespace}/${name}`,
      },
      status: {
        conditions: [
          {
            type: 'Created',
            status: 'True',
            reason: 'OK',
            message: 'Component has been successfully created',
            lastTransitionTime: creationTimestamp,
          },
        ],
      },
    })
  }

  /** A service account without the secret of an image. */
  function accountOf(component: Component): Seed {
    const name = `build-pipeline-${component.metadata.name ?? ''}`
    const ownerReferences = [ownerReference(componentType, component)]
    const account = aServiceAccount({ metadata: { name, namespace, creationTimestamp, ownerReferences } })
    return withPlannedLinks(seed(serviceAccountType, account), commonLinks)
  }

  function imageIn({ name, component, visibility = 'public', notifications, status }: ImageState): Seed[] {
    const owner = components.find(({ metadata }) => metadata.name === component)
    const isProvisioned = provisionedStates.includes(status?.state)
    const bare = anImageRepository({
      metadata: {
        name,
        namespace,
        uid: uidFor(world, 'image repository', namespace, name),
        // A repository without a status has just been created.
        creationTimestamp: status ? creationTimestamp : timestamp(nowMs),
        ...(isProvisioned && { finalizers: [imageFinalizer] }),
        ...(owner && { ownerReferences: [{ ...ownerReference(componentType, owner), controller: false }] }),
        labels: {
          [labels.imageApplication]: component && applicationName,
          [labels.imageComponent]: component,
        },
      },
      spec: {
        image: { name: `${namespace}/${component ?? name}`, visibility },
        ...(notifications && { notifications }),
      },
      status: undefined,
    })
    if (!isProvisioned) return [seed(imageRepositoryType, status ? { ...bare, status } : bare)]
    const address = { url: `${imageRegistry}/${namespace}/${component ?? name}`, visibility }
    const credentials = imageCredentials(bare, creationTimestamp, world.random)
    const imageRepository: ImageRepository = { ...bare, status: { ...status, image: address, credentials } }
    const secrets = imagePurposes.map((purpose) =>
      imageSecret(imageRepository, purpose, creationTimestamp, world.random),
    )
    return [
      seed(imageRepositoryType, imageRepository),
      ...secrets.map((secret) => seed(secretType, { ...secret, metadata: { ...secret.metadata, creationTimestamp } })),
    ]
  }
}
