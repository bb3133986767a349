import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { selfSignedCertificate } from '@slipway/apiserver/certificate'
import { listen } from '@slipway/apiserver/node/listen'
import { memoryStorage } from '@slipway/apiserver/storage/memory'
import { namespaceType, roleBindingType, type RoleBinding, secretType, type Secret } from '@slipway/kube/core-types'
import { type KubeObject, nameOf } from '@slipway/kube/object'
import type { KubeClient } from '@slipway/kube/client'
import type { ResourceType } from '@slipway/kube/resource-type'
import { applicationType } from '@slipway/model/builds/application'
import { componentType } from '@slipway/model/builds/component'
import type { GrantableRole } from '@slipway/model/platform/public-info'
import { clusterRoleName } from '@slipway/model/access/roles/user-actions'
import { integrationTestScenarioType } from '@slipway/model/snapshots/integration-test-scenario'
import { aComponent, anApplication, aNamespace } from '@slipway/model/testing'
import { anIntegrationTestScenario } from '@slipway/model/testing/tests-and-releases'
import { startCluster } from '@slipway/slipway/cluster'
import { describe, expect, it, onTestFinished } from 'vitest'
import { kubectlCommand } from '../src/api/writes/kubectl'
import { inOrder } from '../src/api/writes/perform-writes'
import { maskWrite } from '../src/api/writes/secret-mask'
import { create, patch, remove, type Write } from '../src/api/writes/writes'
import { editWrites, grantWrites } from '../src/features/access/access-form'
import { emptyComponent, toWrites as importWrites } from '../src/features/import/import-form'
import {
  addWrites,
  contextsWrites,
  editTestWrites,
  type IntegrationTestInput,
  paramsWrites,
} from '../src/features/integration-tests/integration-test-form'
import { findKubectl } from '../../../scripts/lib/tools.mjs'
import { namespace, testCluster } from './cluster'
import { startApi } from './render-route'

/** Compares the commands of "Show change", run by a real kubectl, with the console's own writes. */

const kubectl = findKubectl()
if (!kubectl) console.log('kubectl-commands.test.ts is skipped: there is no kubectl')

const types: ResourceType[] = [applicationType, componentType, integrationTestScenarioType, roleBindingType, secretType]

const roles: GrantableRole[] = (['admin', 'maintainer', 'contributor'] as const).map((role) => ({
  displayName: role,
  description: '',
  roleRef: { apiGroup: roleBindingType.group, kind: 'ClusterRole', name: clusterRoleName(role) },
}))
const group = { kind: 'Group' as const, apiGroup: roleBindingType.group, name: 'testers' }
const [granted] = grantWrites(namespace, { usernames: ['ann@slipway.test'], role: 'Contributor' }, roles)
const binding = granted && 'object' in granted ? (granted.object as RoleBinding) : expect.fail('Nothing is granted.')

const application = anApplication({ metadata: { name: 'shop', namespace } })
const component = aComponent({ metadata: { name: 'web', namespace }, spec: { application: 'shop' } })
const secret: Secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'token', namespace },
  type: 'Opaque',
  data: { password: 'b2xk', user: 'YW5u' },
}
/** Text that some version of YAML parses as another value, or that a shell would change. */
const awkward = {
  ...Object.fromEntries(
    ['on', 'yes', 'y', 'null', '~', '1e3', '0123', '0o14', '0x1f', '1:30', '2020-01-01', '.5', '=', '<<', ''].map(
      (text, index) => [`example.test/a${index}`, text],
    ),
  ),
  'example.test/lines': 'first\n  second $HOME `id`\nEOF\n',
  'example.test/blanks': ' # not a comment: "quoted" \'it is\' \\ ',
}

interface Case {
  change: string
  given: KubeObject[]
  /** Builds the writes for either cluster from its objects. */
  writes: (read: Read) => Promise<Write[]> | Write[]
  /** Values of Secrets, in the order of their placeholders. */
  values?: Record<string, string>
}
type Read = <T extends KubeObject>(type: ResourceType<T>, name: string) => Promise<T>

const imported = {
  application: 'shop',
  component: {
    ...emptyComponent,
    isIncluded: true,
    url: 'https://github.com/shop/web',
    name: 'web',
    pipeline: 'docker-build',
  },
  secrets: [],
}
const importContext = { namespace, isNewApplication: true, notifications: [] }

const test = anIntegrationTestScenario({ metadata: { name: 'e2e', namespace }, spec: { application: 'shop' } })
const testInput: IntegrationTestInput = {
  name: 'e2e',
  url: 'https://git.example.com/shop/tests',
  revision: '1e3',
  path: 'pipelines/e2e.yaml',
  resourceKind: 'pipelinerun',
  isOptional: true,
  contexts: ['application', 'component_web'],
  params: [{ name: 'several', values: [{ value: 'yes' }, { value: "it's $HOME\n" }] }],
}

const cases: Case[] = [
  { change: 'add an integration test', given: [], writes: () => addWrites(namespace, 'shop', testInput) },
  {
    change: 'edit an integration test',
    given: [test],
    writes: async (read) => {
      const current = await read(integrationTestScenarioType, 'e2e')
      return editTestWrites(current, current, testInput)
    },
  },
  {
    change: 'edit the contexts of an integration test',
    given: [test],
    writes: async (read) => contextsWrites(await read(integrationTestScenarioType, 'e2e'), testInput),
  },
  {
    change: 'edit the parameters of an integration test',
    given: [test],
    writes: async (read) => paramsWrites(await read(integrationTestScenarioType, 'e2e'), testInput),
  },
  { change: 'import an application with a component', given: [], writes: () => importWrites(imported, importContext) },
  {
    change: 'create an object with awkward text',
    given: [],
    writes: () => [
      create(applicationType, { ...application, metadata: { ...application.metadata, annotations: awkward } }),
    ],
  },
  {
    change: 'delete an application',
    given: [application],
    writes: async (read) => [
      remove(
        applicationType,
        { namespace, name: 'shop' },
        { preconditions: { uid: (await read(applicationType, 'shop')).metadata.uid }, propagationPolicy: 'Foreground' },
      ),
    ],
  },
  {
    change: 'grant access to several people',
    given: [],
    writes: () => grantWrites(namespace, { usernames: ['ann', 'Bob.B'], role: 'Maintainer' }, roles),
  },
  {
    change: 'edit access',
    given: [binding],
    writes: async (read) => {
      const old = await read(roleBindingType, nameOf(binding))
      return editWrites(old, { usernames: ['ann@slipway.test'], role: 'Admin' }, roles, [old])
    },
  },
  {
    change: 'edit access that a group keeps',
    given: [{ ...binding, subjects: [...(binding.subjects ?? []), group] } as RoleBinding],
    writes: async (read) => {
      const old = await read(roleBindingType, nameOf(binding))
      return editWrites(old, { usernames: ['ann@slipway.test'], role: 'Admin' }, roles, [old])
    },
  },
  {
    change: 'patch a component',
    given: [component],
    writes: () => [
      patch(componentType, { namespace, name: 'web' }, [
        { op: 'add', path: '/metadata/annotations', value: { 'example.test/note': 'it\'s $HOME\n"new"' } },
      ]),
    ],
  },
  {
    change: 'create a secret',
    given: [],
    writes: () => [
      create(secretType, { ...secret, data: { user: 'YW5u' }, stringData: { password: 'new', 'ca.crt': 'line' } }),
    ],
    values: { '<user, in base64>': 'YW5u', '<password>': 'new', '<ca.crt>': 'line' },
  },
  {
    change: 'patch a secret',
    given: [secret],
    writes: () => [
      patch(secretType, { namespace, name: 'token' }, [{ op: 'replace', path: '/data/password', value: 'bmV3' }]),
    ],
    values: { '<password, in base64>': 'bmV3' },
  },
]

describe.skipIf(!kubectl)('the kubectl commands of a change', () => {
  it.each(cases)('$change: they store the same as the console', async ({ given, writes, values = {} }) => {
    const { system: consoleCluster } = await testCluster({ as: 'admin' })
    startApi()
    for (const object of given) await consoleCluster.create(typeOf(object), object)
    await inOrder(await writes(reader(consoleCluster)))

    const { system: kubectlCluster, run } = await clusterForKubectl()
    for (const object of given) await kubectlCluster.create(typeOf(object), object)
    for (const write of await writes(reader(kubectlCluster))) {
      const command = kubectlCommand(maskWrite(write))
      const secrets = Object.values(values).filter((value) => command.includes(value))
      expect(secrets).toEqual([])
      await run(
        Object.entries(values).reduce((text, [placeholder, value]) => text.replace(placeholder, value), command),
      )
    }
    expect(await contentsOf(kubectlCluster)).toEqual(await contentsOf(consoleCluster))
    expect(await contentsOf(kubectlCluster)).not.toEqual(given.map(comparable))
  })
})

const typeOf = ({ kind }: KubeObject): ResourceType =>
  types.find((type) => type.kind === kind) ?? expect.fail(`Add the type of ${kind}.`)

const reader =
  (system: KubeClient): Read =>
  (type, name) =>
    system.get(type, name, { namespace })

/** An API server that kubectl connects to as the cluster administrator. */
async function clusterForKubectl() {
  const cluster = await startCluster({ storage: memoryStorage() })
  const certificate = selfSignedCertificate(['127.0.0.1'], new Date())
  const listener = await listen(cluster.server, { host: '127.0.0.1', port: 0, certificate })
  const folder = mkdtempSync(join(tmpdir(), 'console-kubectl-'))
  onTestFinished(async () => {
    await listener.close()
    await cluster.close()
    rmSync(folder, { recursive: true })
  })
  const ca = Buffer.from(certificate.cert).toString('base64')
  const server = `https://127.0.0.1:${listener.port}`
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server, 'certificate-authority-data': ca } }],
    users: [{ name: 'u', user: { token: cluster.credentials.tokens.system } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  }
  writeFileSync(join(folder, 'config'), JSON.stringify(config))
  const system = cluster.client('system')
  await system.create(namespaceType, aNamespace({ metadata: { name: namespace } }))
  const PATH = [dirname(kubectl ?? ''), process.env['PATH']].join(delimiter)
  const env = { PATH, HOME: folder, KUBECONFIG: join(folder, 'config') }
  const run = (command: string) =>
    new Promise<void>((resolve, reject) =>
      execFile('sh', ['-c', command], { env }, (error, _, stderr) =>
        error ? reject(new Error(`${command}\n${stderr}`)) : resolve(),
      ),
    )
  return { system, run }
}

async function contentsOf(system: KubeClient): Promise<unknown[]> {
  const lists = await Promise.all(types.map((type) => system.list(type, { namespace })))
  return lists
    .flatMap(({ items }) => items)
    .filter(({ metadata }) => !/^konflux-(\w+)-\1-/.test(metadata.name ?? ''))
    .map(comparable)
}

/** Removes what differs between any two clusters: identity, time and history. */
function comparable({ metadata, ...rest }: KubeObject): unknown {
  const {
    uid: _u,
    resourceVersion: _r,
    creationTimestamp: _c,
    managedFields: _m,
    deletionTimestamp,
    ...kept
  } = metadata
  return { ...rest, metadata: { ...kept, isDeleted: deletionTimestamp !== undefined } }
}
