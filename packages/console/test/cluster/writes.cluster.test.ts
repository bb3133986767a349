import { systemClock } from '@slipway/kube/clock'
import {
  roleBindingType,
  secretType,
  serviceAccountType,
  type RoleBinding,
  type Secret,
} from '@slipway/kube/core-types'
import { nameOf, uidOf, type KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import { applicationType } from '@slipway/model/builds/application'
import { componentType } from '@slipway/model/builds/component'
import { componentGroupType } from '@slipway/model/builds/component-group'
import { imageRepositoryType } from '@slipway/model/builds/image-repository'
import {
  type IntegrationTestScenario,
  integrationTestScenarioType,
} from '@slipway/model/snapshots/integration-test-scenario'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import type { GrantableRole } from '@slipway/model/platform/public-info'
import type { LinkRequest } from '@slipway/model/secrets/link-request'
import { serviceAccountOf } from '@slipway/model/secrets/service-account'
import { clusterRoleName } from '@slipway/model/access/roles/user-actions'
import { everyTest } from '@slipway/model/runs/run-actions'
import { relationsOf } from '@slipway/model/builds/component-relations'
import { releaseType } from '@slipway/model/releases/release'
import { rerunRelease } from '@slipway/model/releases/release-rerun'
import { type ReleasePlan, releasePlanAdmissionType, releasePlanType } from '@slipway/model/releases/release-plan'
import { snapshotType } from '@slipway/model/snapshots/snapshot'
import { anApplication, aComponent, aPipelineRun, aRelease } from '@slipway/model/testing'
import { aComponentGroup, anImageRepository, aSecret, aServiceAccount } from '@slipway/model/testing/build-services'
import {
  aReleasePlan,
  aReleasePlanAdmission,
  aSnapshot,
  anIntegrationTestScenario,
} from '@slipway/model/testing/tests-and-releases'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { allOrNothing } from '../../src/api/writes/all-or-nothing'
import { inSteps } from '../../src/api/writes/in-steps'
import { inOrder, inParallel, type Performer, WriteError } from '../../src/api/writes/perform-writes'
import { create, remove, sendWrite, type Write } from '../../src/api/writes/writes'
import { editWrites, grantWrites } from '../../src/features/access/access-form'
import {
  emptyComponent,
  type ImportInput,
  isPrerequisite,
  providerOf,
  toWrites as importWrites,
} from '../../src/features/import/import-form'
import {
  type ComponentGroupInput,
  createWrites as createGroupWrites,
  editWrites as editGroupWrites,
} from '../../src/features/component-groups/component-group-form'
import { editDefaults, editWrites as editSecretWrites, storedKey } from '../../src/features/secrets/edit-secret-form'
import {
  addWrites as addTestWrites,
  contextsWrites,
  editDefaults as testDefaults,
  editTestWrites,
  type IntegrationTestInput,
  paramsWrites,
} from '../../src/features/integration-tests/integration-test-form'
import {
  createWrites as createPlanWrites,
  editDefaults as planDefaults,
  editPlanWrites,
  type ReleasePlanInput,
} from '../../src/features/release-plans/release-plan-form'
import {
  emptyTrigger,
  toWrites as triggerWrites,
  type TriggerInput,
} from '../../src/features/trigger-release/trigger-release-form'
import { emptyFile } from '../../src/lib/file-value'
import { createStore } from '../../src/lib/store'
import { visibilityWrite } from '../../src/resources/image-repositories'
import { isUnderWay } from '../../src/resources/link-task-state'
import type { LinkTaskProgress } from '../../src/resources/link-task-store'
import { createLinkQueue } from '../../src/resources/link-tasks'
import { changeLinks } from '../../src/resources/secret-links'
import { stopRun, rerun } from '../../src/resources/run-requests'
import { relationshipsWrites } from '../../src/parts/components/relationships-form'
import { secretDefaults, type SecretInput, toSecret } from '../../src/parts/secrets/secret-form'
import { openServers, type TestServer } from './servers'

/** Kinds that the console writes, in the order in which tests create them. */
const types: ResourceType[] = [
  applicationType,
  integrationTestScenarioType,
  componentType,
  imageRepositoryType,
  snapshotType,
  releaseType,
  releasePlanType,
  componentGroupType,
  releasePlanAdmissionType,
  pipelineRunType,
  roleBindingType,
  secretType,
  serviceAccountType,
]

const roles: GrantableRole[] = (['admin', 'maintainer', 'contributor'] as const).map((role) => ({
  displayName: role,
  description: '',
  roleRef: { apiGroup: roleBindingType.group, kind: 'ClusterRole', name: clusterRoleName(role) },
}))

interface Case {
  write: string
  /** What the namespace contains before. */
  given: (namespace: string) => [ResourceType, KubeObject][]
  /** The writes, if the test can try them one by one with dry runs first. */
  writes?: (namespace: string, read: Read) => Promise<Write[]>
  /** `inOrder` by default. */
  perform?: Performer
  /** Instead of `writes`, for functions that perform their own. */
  make?: (namespace: string, read: Read) => Promise<unknown>
}

type Read = <T extends KubeObject>(type: ResourceType<T>, name: string) => Promise<T>

const granted = (namespace: string) =>
  grantWrites(namespace, { usernames: ['ann@slipway.test'], role: 'Contributor' }, roles)
const bindingIn = (namespace: string): RoleBinding => {
  const [write] = granted(namespace)
  if (!write || !('object' in write)) throw new Error('No role binding would be created.')
  return write.object as RoleBinding
}
const deletionOf = (object: KubeObject, type: ResourceType, namespace: string) =>
  remove(type, { namespace, name: nameOf(object) }, { preconditions: { uid: uidOf(object) } })

const application = (namespace: string): [ResourceType, KubeObject] => [
  applicationType,
  anApplication({ metadata: { name: 'shop', namespace } }),
]
const component = (namespace: string): [ResourceType, KubeObject] => [
  componentType,
  aComponent({ metadata: { name: 'web', namespace }, spec: { application: 'shop' } }),
]
const run = (namespace: string): [ResourceType, KubeObject] => [
  pipelineRunType,
  aPipelineRun({ metadata: { name: 'web-on-push', namespace }, status: undefined }),
]

const imported: ImportInput = {
  application: 'shop',
  component: {
    ...emptyComponent,
    isIncluded: true,
    url: 'https://github.com/shop/web',
    revision: 'main',
    context: 'server',
    name: 'Web',
    pipeline: 'docker-build',
    isPrivate: true,
    ...providerOf('https://github.com/shop/web'),
  },
  secrets: [
    {
      isNew: true,
      name: 'git-token',
      values: {
        ...secretDefaults,
        kind: 'source',
        name: 'git-token',
        username: 'ann',
        password: 'pässword',
        host: 'github.com',
      },
    },
  ],
}
const testInput: IntegrationTestInput = {
  name: 'e2e',
  url: 'https://git.example.com/shop/tests',
  revision: 'main',
  path: 'pipelines/e2e.yaml',
  resourceKind: 'pipelinerun',
  isOptional: true,
  contexts: ['application', 'component_web'],
  params: [
    { name: 'one', values: [{ value: '1e3' }] },
    { name: 'several', values: [{ value: '' }, { value: 'ä\n' }] },
  ],
}
const storedTest = (namespace: string): [ResourceType, IntegrationTestScenario] => [
  integrationTestScenarioType,
  anIntegrationTestScenario({ metadata: { name: 'e2e', namespace, labels: { team: 'shop' } } }),
]

const planInput: ReleasePlanInput = {
  name: 'to-production',
  application: 'shop',
  location: 'current',
  target: '',
  url: 'https://git.example.com/shop/release',
  revision: 'main',
  path: 'pipelines/release.yaml',
  serviceAccount: 'releaser',
  params: [{ name: 'token', value: 'git-token' }],
  data: 'releaseNotes:\n  topic: "1e3"\n  count: 1e3\n',
  labels: [
    { key: 'example.com/team', value: 'shop' },
    { key: '', value: 'dropped' },
  ],
  isAutomatic: true,
  hasStandingAttribution: false,
}
const groupInput: ComponentGroupInput = {
  name: 'checkout-group',
  members: [
    { name: 'api', kind: 'component', version: 'main', branch: 'main', context: 'services/api' },
    { name: 'base', kind: 'componentGroup', version: '', branch: '', context: '' },
  ],
  tests: [{ test: 'e2e', parents: [{ name: 'unit', failFast: true }] }],
}
const storedGroup = (namespace: string): [ResourceType, ReturnType<typeof aComponentGroup>] => [
  componentGroupType,
  aComponentGroup({ metadata: { name: 'checkout-group', namespace } }),
]
const storedPlan = (namespace: string, spec: object = {}): [ResourceType, ReleasePlan] => [
  releasePlanType,
  aReleasePlan({ metadata: { name: 'to-production', namespace }, spec: { application: 'shop', ...spec } }),
]
const oldPipeline = {
  target: undefined,
  pipelineRef: { resolver: 'git', params: [{ name: 'url', value: 'https://git.example.com/shop/old' }] },
  serviceAccount: 'old-releaser',
}
const trigger: TriggerInput = { ...emptyTrigger, releasePlan: 'to-production', snapshot: 'shop-1' }
const withNotes: TriggerInput = {
  ...trigger,
  synopsis: 'Schneller',
  topic: 'Speed',
  description: 'First\n\nsecond: "line"',
  solution: 'Update',
  bugs: [
    { id: '12', source: 'https://bugs.example.com/12', uploadDate: '01-31-2026', status: 'Resolved', summary: 'Slow' },
  ],
  cves: [{ key: 'CVE-2026-1234', component: 'web', packages: ['openssl'] }],
  references: [{ url: 'https://example.com/notes' }],
  labels: [{ key: 'example.com/team', value: 'shop' }],
}

const importInto = (namespace: string) => ({
  namespace,
  isNewApplication: true,
  notifications: [
    { title: 'SBOM', event: 'repo_push', method: 'webhook', config: { url: 'https://sbom.example.com' } } as const,
  ],
})
const text = (content: string) => ({ ...emptyFile, content })
const credentials = { registry: 'quay.io/team', username: 'jörg', password: 'pä:ss', email: '' }
const keyValues = [
  { key: 'first', value: text('Grüße\r\n') },
  { key: 'second', value: { name: 'f', encoding: 'base64' as const, content: 'AP8A' } },
]
/** A form for each type of secret. */
const newSecrets: Record<string, Partial<SecretInput>> = {
  'a key/value secret': { keyValues, secretFor: 'Deployment', labels: [{ key: 'example.com/team', value: 'shop' }] },
  'image registry credentials': { kind: 'image', credentials: [credentials], linkOption: 'all' },
  'a config.json file': {
    kind: 'image',
    imageInput: 'file',
    configFile: text('{"auths":{"quay.io":{"auth":"dTpw"}}}\n'),
  },
  'a .dockercfg file': { kind: 'image', imageInput: 'file', configFile: text('{"quay.io":{"auth":"dTpw"}}\n') },
  'credentials of a git host': {
    kind: 'source',
    username: 'jörg',
    password: 'pä ss',
    host: 'gitlab.example.com',
    repository: 'shop/cart',
  },
  'an SSH key': { kind: 'source', sourceInput: 'ssh', privateKey: text('-----BEGIN OPENSSH PRIVATE KEY-----\n') },
}
const secretFrom = (namespace: string, values: Partial<SecretInput>) =>
  toSecret({ ...secretDefaults, name: 'token', ...values }, namespace)
const secret = (namespace: string, name = 'registry'): [ResourceType, Secret] => [
  secretType,
  aSecret({
    metadata: { name, namespace },
    type: 'kubernetes.io/dockerconfigjson',
    data: { snyk_token: undefined, '.dockerconfigjson': btoa('{"auths":{}}') },
  }),
]
/** A component with the service account that the platform creates for it. */
const withAccount = (
  namespace: string,
  name = 'web',
  secrets: readonly string[] = [],
): [ResourceType, KubeObject][] => [
  [componentType, aComponent({ metadata: { name, namespace }, spec: { application: 'shop' } })],
  [
    serviceAccountType,
    aServiceAccount({
      metadata: { name: serviceAccountOf(name), namespace },
      secrets: secrets.map((each) => ({ name: each })),
      imagePullSecrets: secrets.map((each) => ({ name: each })),
    }),
  ],
]
/** Runs a link task as one tab does, and expects it to succeed. */
async function link(of: Secret, request: LinkRequest): Promise<void> {
  const tasks = createStore<readonly LinkTaskProgress[]>([])
  createLinkQueue(systemClock, tasks).start(of, request)
  await vi.waitFor(() => expect(tasks.get().filter(isUnderWay)).toEqual([]))
  expect(tasks.get()).toMatchObject([{ state: 'Succeeded', failures: [] }])
}

const cases: Case[] = [
  {
    write: 'create an application',
    given: () => [],
    writes: async (namespace) => importWrites({ ...imported, component: emptyComponent }, importInto(namespace)),
  },
  {
    write: 'import an application with a component and a secret',
    given: () => [],
    writes: async (namespace) => importWrites(imported, importInto(namespace)),
  },
  {
    write: 'change what an import created before',
    given: (namespace) => [application(namespace), component(namespace)],
    make: async (namespace) => {
      const writes = importWrites(imported, { ...importInto(namespace), isNewApplication: false })
      const [created] = importWrites(
        { ...imported, component: { ...imported.component, revision: 'other' } },
        { ...importInto(namespace), isNewApplication: false },
      )
      if (!created) throw new Error('No component would be created.')
      const previous = new WriteError({ failures: [], applied: [{ write: created }] })
      await inSteps({ isPrerequisite, onProgress: () => undefined })(writes, { previous, values: undefined })
    },
  },
  {
    write: 'delete an application',
    given: (namespace) => [application(namespace), component(namespace)],
    writes: async (namespace, read) => [deletionOf(await read(applicationType, 'shop'), applicationType, namespace)],
  },
  {
    write: 'make the images of a component private',
    given: (namespace) => [[imageRepositoryType, anImageRepository({ metadata: { name: 'images', namespace } })]],
    writes: async (_, read) => [visibilityWrite(await read(imageRepositoryType, 'images'), 'private')],
  },
  {
    write: 'make images public whose repository says nothing of them',
    given: (namespace) => [
      [imageRepositoryType, anImageRepository({ metadata: { name: 'images', namespace }, spec: { image: undefined } })],
    ],
    writes: async (_, read) => [visibilityWrite(await read(imageRepositoryType, 'images'), 'public')],
  },
  {
    write: 'delete a component',
    given: (namespace) => [application(namespace), component(namespace)],
    writes: async (namespace, read) => [deletionOf(await read(componentType, 'web'), componentType, namespace)],
  },
  ...Object.entries(newSecrets).map(([kind, values]): Case => ({
    write: `add ${kind}`,
    given: () => [],
    writes: async (namespace) => [create(secretType, secretFrom(namespace, values))],
  })),
  {
    write: 'edit a secret',
    given: (namespace) => [[secretType, secretFrom(namespace, { keyValues })]],
    writes: async (_namespace, read) => {
      const secret = await read(secretType, 'token')
      const stored = [
        { ...storedKey('first'), action: 'replace' as const, value: text('new') },
        { ...storedKey('second'), action: 'remove' as const },
      ]
      const labels = [{ key: 'example.com/team', value: 'shop' }]
      const added = [{ key: 'third', value: text('added') }]
      return editSecretWrites(secret, secret, { ...editDefaults(secret, []), stored, added, labels })
    },
  },
  {
    write: 'delete a secret',
    given: (namespace) => [[secretType, aSecret({ metadata: { name: 'snyk-secret', namespace } })]],
    writes: async (namespace, read) => [deletionOf(await read(secretType, 'snyk-secret'), secretType, namespace)],
  },
  {
    write: 'grant access',
    given: () => [],
    writes: async (namespace) => granted(namespace),
    perform: inParallel,
  },
  {
    write: 'change a role',
    given: (namespace) => [[roleBindingType, bindingIn(namespace)]],
    writes: async (namespace, read) => {
      const old = await read(roleBindingType, nameOf(bindingIn(namespace)))
      return editWrites(old, { usernames: ['ann@slipway.test'], role: 'Maintainer' }, roles, [old])
    },
    perform: allOrNothing,
  },
  {
    write: 'revoke access',
    given: (namespace) => [[roleBindingType, bindingIn(namespace)]],
    writes: async (namespace, read) => {
      const binding = await read(roleBindingType, nameOf(bindingIn(namespace)))
      return [deletionOf(binding, roleBindingType, namespace)]
    },
  },
  {
    write: 'link a secret to all components',
    given: (namespace) => [secret(namespace), ...withAccount(namespace), ...withAccount(namespace, 'cart', ['own'])],
    make: async (_namespace, read) =>
      link(await read(secretType, 'registry'), { target: { option: 'all' }, unlink: [] }),
  },
  {
    write: 'unlink a secret from a component and link it to another',
    given: (namespace) => [
      secret(namespace),
      ...withAccount(namespace, 'web', ['registry']),
      ...withAccount(namespace, 'cart'),
    ],
    make: async (_namespace, read) =>
      link(await read(secretType, 'registry'), {
        target: { option: 'partial', components: ['cart'] },
        unlink: ['web'],
      }),
  },
  {
    write: 'link and unlink secrets of one component',
    given: (namespace) => [secret(namespace), ...withAccount(namespace, 'web', ['gone'])],
    make: async (namespace, read) =>
      changeLinks(namespace, 'web', { link: [await read(secretType, 'registry')], unlink: ['gone'] }, systemClock),
  },
  ...(['stop', 'cancel'] as const).map((request): Case => ({
    write: `${request} a pipeline run`,
    given: (namespace) => [run(namespace)],
    make: async (_namespace, read) => stopRun(await read(pipelineRunType, 'web-on-push'), request),
  })),
  {
    write: 'start a build',
    given: (namespace) => [application(namespace), component(namespace)],
    make: (namespace) => rerun(namespace, { kind: 'build', component: 'web' }),
  },
  {
    write: 'relate components that nudge others already, no longer, and for the first time',
    given: (namespace) => [
      application(namespace),
      ...Object.entries({ web: ['cart'], cart: ['docs'], docs: undefined }).map(
        ([name, nudges]): [ResourceType, KubeObject] => [
          componentType,
          aComponent({
            metadata: { name, namespace },
            spec: { application: 'shop', ...(nudges && { 'build-nudges-ref': nudges }) },
          }),
        ],
      ),
    ],
    writes: async (namespace, read) => {
      const components = await Promise.all(['web', 'cart', 'docs'].map((name) => read(componentType, name)))
      return relationshipsWrites(
        { namespace, components, before: relationsOf(components, 'shop') },
        {
          relations: [
            { source: 'web', type: 'nudges', targets: ['cart', 'docs'] },
            { source: 'cart', type: 'nudges-by', targets: ['docs'] },
          ],
        },
      )
    },
  },
  {
    write: 'add an integration test',
    given: (namespace) => [application(namespace)],
    writes: (namespace) => Promise.resolve(addTestWrites(namespace, 'shop', testInput)),
  },
  {
    write: 'edit an integration test',
    given: (namespace) => [application(namespace), storedTest(namespace)],
    writes: async (_, read) => {
      const test = await read(integrationTestScenarioType, 'e2e')
      return editTestWrites(test, test, testInput)
    },
  },
  {
    write: 'edit the contexts of an integration test',
    given: (namespace) => [application(namespace), storedTest(namespace)],
    writes: async (_, read) => contextsWrites(await read(integrationTestScenarioType, 'e2e'), testInput),
  },
  {
    write: 'edit the parameters of an integration test',
    given: (namespace) => [application(namespace), storedTest(namespace)],
    writes: async (_, read) => {
      const test = await read(integrationTestScenarioType, 'e2e')
      const params = [...testInput.params, ...testDefaults(test).params]
      return paramsWrites(test, { params })
    },
  },
  ...Object.entries({ 'a release': trigger, 'a release with all release notes': withNotes }).map(
    ([release, input]): Case => ({
      write: `trigger ${release}`,
      given: (namespace) => [storedPlan(namespace)],
      writes: (namespace) => Promise.resolve(triggerWrites({ namespace, application: 'checkout' }, input)),
    }),
  ),
  {
    write: 'create a release plan',
    given: (namespace) => [application(namespace)],
    writes: (namespace) => Promise.resolve(createPlanWrites(namespace, planInput)),
  },
  {
    write: 'edit a release plan',
    given: (namespace) => [application(namespace), storedPlan(namespace)],
    writes: async (_, read) => {
      const plan = await read(releasePlanType, 'to-production')
      return editPlanWrites(plan, plan, planInput)
    },
  },
  {
    write: 'edit a release plan of the old shape',
    given: (namespace) => [application(namespace), storedPlan(namespace, oldPipeline)],
    writes: async (_, read) => {
      const plan = await read(releasePlanType, 'to-production')
      return editPlanWrites(plan, plan, {
        ...planDefaults(plan),
        url: planInput.url,
        revision: planInput.revision,
        path: planInput.path,
        serviceAccount: planInput.serviceAccount,
      })
    },
  },
  {
    write: 'delete a release plan',
    given: (namespace) => [application(namespace), storedPlan(namespace)],
    writes: async (namespace, read) => [
      deletionOf(await read(releasePlanType, 'to-production'), releasePlanType, namespace),
    ],
  },
  {
    write: 'create a component group',
    given: (namespace) => [application(namespace)],
    writes: (namespace) => Promise.resolve(createGroupWrites(namespace, groupInput)),
  },
  {
    write: 'edit a component group',
    given: (namespace) => [storedGroup(namespace)],
    writes: async (_, read) => {
      const group = await read(componentGroupType, 'checkout-group')
      return editGroupWrites(group, group, groupInput)
    },
  },
  {
    write: 'delete a component group',
    given: (namespace) => [storedGroup(namespace)],
    writes: async (namespace, read) => [
      deletionOf(await read(componentGroupType, 'checkout-group'), componentGroupType, namespace),
    ],
  },
  {
    write: 'delete a release plan admission',
    given: (namespace) => [
      [releasePlanAdmissionType, aReleasePlanAdmission({ metadata: { name: 'to-production', namespace } })],
    ],
    writes: async (namespace, read) => [
      deletionOf(await read(releasePlanAdmissionType, 'to-production'), releasePlanAdmissionType, namespace),
    ],
  },
  {
    write: 'test a snapshot again',
    given: (namespace) => [
      application(namespace),
      [snapshotType, aSnapshot({ metadata: { name: 'shop-1', namespace } })],
    ],
    make: (namespace) => rerun(namespace, { kind: 'test', snapshot: 'shop-1', scenario: 'contract' }),
  },
  {
    write: 'run all tests of a snapshot again',
    given: (namespace) => [
      application(namespace),
      [snapshotType, aSnapshot({ metadata: { name: 'shop-1', namespace, labels: undefined } })],
    ],
    make: (namespace) => rerun(namespace, { kind: 'test', snapshot: 'shop-1', scenario: everyTest }),
  },
  ...['shop-x4k2p', `${'long-'.repeat(12)}abc`].map((name): Case => ({
    write: `run the release ${name} again`,
    given: (namespace) => [
      [
        releaseType,
        aRelease({
          metadata: { name, namespace, labels: { team: 'shop' }, annotations: { note: 'Grüße' } },
          spec: { data: { releaseNotes: { synopsis: 'New', references: ['https://docs.example.com'] } } },
        }),
      ],
    ],
    writes: async (_, read) => [create(releaseType, rerunRelease(await read(releaseType, name), 'jörg@slipway.test'))],
  })),
]

describe('a write of the console, on the embedded and on a real API server', () => {
  let servers: TestServer[]
  beforeAll(async () => void (servers = await openServers(types)))
  afterAll(async () => {
    for (const server of servers) await server.close()
  })

  it.each(cases)(
    '$write: a dry run changes nothing, and both servers store the same',
    async ({ given, writes, perform = inOrder, make }) => {
      const outcomes = []
      for (const server of servers) {
        const namespace = await server.newNamespace()
        for (const [type, object] of given(namespace)) await server.system.create(type, object)
        server.connectConsole()
        const contents = async () => contentsOf(server, namespace)
        const read: Read = (type, name) => server.system.get(type, name, { namespace })

        const before = await contents()
        const planned = (await writes?.(namespace, read)) ?? []
        for (const write of planned) await sendWrite(write, { dryRun: true })
        expect(await contents()).toEqual(before)

        if (make) await make(namespace, read)
        else await perform(planned, { values: undefined })
        const after = await contents()
        expect(after).not.toEqual(before)
        outcomes.push(after.map((object) => comparable(object, namespace)))
      }
      const [embedded, real] = outcomes
      expect(embedded).toEqual(real)
    },
  )
})

describe('two tabs that link secrets to the same 25 components at once', () => {
  let servers: TestServer[]
  beforeAll(async () => void (servers = await openServers(types)))
  afterAll(async () => {
    for (const server of servers) await server.close()
  })

  it('neither lose nor repeat a link, on both API servers', async () => {
    const components = Array.from({ length: 25 }, (_, index) => `service-${index}`)
    for (const server of servers) {
      const namespace = await server.newNamespace()
      for (const [type, object] of components.flatMap((name) => withAccount(namespace, name))) {
        await server.system.create(type, object)
      }
      const secrets = await Promise.all(
        ['one', 'two'].map((name) => server.system.create(secretType, secret(namespace, name)[1])),
      )
      server.connectConsole()
      await Promise.all(
        // One of them in two tabs.
        [...secrets, ...secrets.slice(0, 1)].map((each) => link(each, { target: { option: 'all' }, unlink: [] })),
      )
      for (const component of components) {
        const { secrets: links, imagePullSecrets } = await server.system.get(
          serviceAccountType,
          serviceAccountOf(component),
          { namespace },
        )
        expect([links, imagePullSecrets].map((list) => list?.map(({ name }) => name).sort())).toEqual([
          ['one', 'two'],
          ['one', 'two'],
        ])
      }
    }
  })
})

async function contentsOf({ system }: TestServer, namespace: string): Promise<KubeObject[]> {
  const lists = await Promise.all(types.map((type) => system.list(type, { namespace })))
  return lists.flatMap(({ items }) => items)
}

/** Removes what differs between any two servers: identity, time and history, and the random part of a name. */
function comparable({ metadata, ...rest }: KubeObject, namespace: string): unknown {
  const { uid: _uid, resourceVersion: _version, creationTimestamp: _time, managedFields: _fields, ...kept } = metadata
  if (kept.generateName && kept.name?.startsWith(kept.generateName)) kept.name = kept.generateName
  return JSON.parse(JSON.stringify({ ...rest, metadata: kept }).replaceAll(namespace, 'NAMESPACE'))
}
