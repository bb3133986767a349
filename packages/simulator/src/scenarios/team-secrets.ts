import { secretType, type Secret } from '@slipway/kube/core-types'
import { defineResource } from '@slipway/kube/resource-type'
import { annotations, labels } from '@slipway/model/labels'
import type { Overrides } from '@slipway/model/testing'
import { aSecret } from '@slipway/model/testing/build-services'
import { ownerReference } from '../controller'
import { hexDigits } from '../keyed-random'
import { timestamp } from '../tekton/task-run-status'
import type { LinkPlan } from './links'
import { seed, type ScenarioContext, type Seed } from './scenario'
import { uidFor } from './uids'

const dayMs = 24 * 3_600_000
const auths = (registry: string) =>
  btoa(JSON.stringify({ auths: { [registry]: { auth: btoa('slipway:a made-up token') } } }))

type SecretFactory = (name: string, daysAgo: number, overrides: Overrides<Secret>) => Seed

const secretsIn =
  (namespace: string, { nowMs }: ScenarioContext): SecretFactory =>
  (name, daysAgo, { metadata, ...rest }) =>
    seed(
      secretType,
      aSecret({
        metadata: { name, namespace, creationTimestamp: timestamp(nowMs - daysAgo * dayMs), ...metadata },
        ...rest,
        // Without the key of the builder's default.
        data: { snyk_token: undefined, ...rest.data },
      }),
    )

const scm = (host: string | undefined, repository?: string): Overrides<Secret>['metadata'] => ({
  labels: { [labels.credentials]: 'scm', [labels.scmHost]: host },
  ...(repository && { annotations: { [annotations.scmRepository]: repository } }),
})

/** A secret of each type that the console can create, with made-up values. */
export function teamSecrets(namespace: string, context: ScenarioContext): Seed[] {
  const secret = secretsIn(namespace, context)
  return [
    secret('snyk-secret', 50, { type: 'Opaque', data: { snyk_token: btoa('made-up') } }),
    secret('gitlab-access', 61, {
      metadata: scm('gitlab.com'),
      type: 'kubernetes.io/basic-auth',
      data: { username: btoa('slipway'), password: btoa('a made-up token') },
    }),
    secret('bitbucket-access', 61, {
      metadata: scm('bitbucket.org'),
      type: 'kubernetes.io/basic-auth',
      data: { username: btoa('slipway'), password: btoa('a made-up token') },
    }),
    secret('deploy-key', 40, {
      metadata: scm('github.com', `${namespace.replace(/^team-/, '')}/deployments`),
      type: 'kubernetes.io/ssh-auth',
      data: { 'ssh-privatekey': btoa('a made-up key') },
    }),
    secret('base-registry', 55, {
      metadata: { labels: { [labels.commonSecret]: 'true' } },
      type: 'kubernetes.io/dockerconfigjson',
      data: { '.dockerconfigjson': auths('registry.slipway.test/base') },
    }),
    secret('old-registry', 300, {
      type: 'kubernetes.io/dockercfg',
      data: { '.dockercfg': btoa(JSON.stringify({ 'registry.slipway.test': { auth: btoa('slipway:made-up') } })) },
    }),
    secret('chat-webhook', 12, {
      type: 'Opaque',
      data: { url: btoa('https://chat.slipway.test/hooks/made-up'), channel: btoa('#releases') },
    }),
  ]
}

const registry = (value: unknown): Overrides<Secret> => ({
  type: 'kubernetes.io/dockerconfigjson',
  data: { '.dockerconfigjson': btoa(JSON.stringify(value)) },
})

/** Unusual secrets: partly linked, being linked, or useless. */
export function oddSecrets(namespace: string, context: ScenarioContext): Seed[] {
  const secret = secretsIn(namespace, context)
  const login = { auth: btoa('slipway:a made-up token') }
  const linking = (status: string, error?: string): Overrides<Secret> => ({
    ...registry({ auths: { [`registry.slipway.test/${status.toLowerCase()}`]: login } }),
    metadata: { annotations: { [annotations.linkStatus]: status, [annotations.linkError]: error } },
  })
  return [
    secret('shared-registries', 20, registry({ auths: { 'registry.slipway.test': login, 'quay.io/payments': login } })),
    secret('registry-for-images', 18, registry({ auths: { 'registry.slipway.test/base': login } })),
    secret('registry-for-tasks', 18, registry({ auths: { 'registry.slipway.test/tools': login } })),
    secret('registry-without-auths', 90, registry({})),
    secret(
      'registry-of-nonsense',
      91,
      registry({ auths: { 'registry.slipway.test': { auth: 'no base64!' }, other: 7 } }),
    ),
    secret('without-data', 120, { type: 'Opaque', data: {} }),
    secret('notes-not-json', 3, { type: 'Opaque', data: { 'config.json': btoa('{"unclosed": ') } }),
    secret('roxctl-secret', 33, {
      type: 'Opaque',
      data: { rox_api_token: btoa('made-up'), rox_central_endpoint: btoa('central.slipway.test:443') },
    }),
    secret('any-git-host', 44, {
      metadata: scm(undefined),
      type: 'kubernetes.io/basic-auth',
      data: { password: btoa('a made-up token') },
    }),
    secret('ledger-git', 43, {
      metadata: scm('gitlab.com', 'payments/core/ledger,payments/core/*'),
      type: 'kubernetes.io/basic-auth',
      data: { username: btoa('slipway'), password: btoa('a made-up token') },
    }),
    secret('ingress-certificate', 7, {
      type: 'kubernetes.io/tls',
      data: { 'tls.crt': btoa('a made-up certificate'), 'tls.key': btoa('a made-up key') },
    }),
    ...vaultSecret(namespace, context),
    secret('for-builds', 200, {
      metadata: { labels: { 'ui.appstudio.redhat.com/secret-for': 'Build' } },
      type: 'Opaque',
      data: { token: btoa('made-up') },
    }),
    secret('waits-to-be-linked', 0, linking('Pending')),
    secret('is-being-linked', 0, linking('Running')),
    secret('was-linked', 1, linking('Succeeded')),
    secret(
      'could-not-be-linked',
      1,
      linking('Failed', 'serviceaccounts "build-pipeline-fraud-model" is forbidden: cannot patch resource'),
    ),
  ]
}

const externalSecretType = defineResource({
  group: 'external-secrets.io',
  version: 'v1',
  kind: 'ExternalSecret',
  plural: 'externalsecrets',
  namespaced: true,
})

/** A secret of the External Secrets Operator, which overwrites changes by users. */
function vaultSecret(namespace: string, context: ScenarioContext): Seed[] {
  const { nowMs, world } = context
  const name = 'from-the-vault'
  const creationTimestamp = timestamp(nowMs - 29 * dayMs)
  const refreshTime = timestamp(nowMs - 20 * 60_000)
  const hash = (part: string) => hexDigits(world.random(`${part} of ${namespace}/${name}`), 56)
  const externalSecret = {
    metadata: { name, namespace, uid: uidFor(world, 'external secret', namespace, name), creationTimestamp },
    spec: {
      refreshInterval: '1h0m0s',
      secretStoreRef: { kind: 'ClusterSecretStore', name: 'vault' },
      target: { name, creationPolicy: 'Owner', deletionPolicy: 'Delete' },
      dataFrom: [{ extract: { key: `production/${namespace}/deployments` } }],
    },
    status: {
      binding: { name },
      refreshTime,
      syncedResourceVersion: `1-${hash('version')}`,
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          reason: 'SecretSynced',
          message: 'secret synced',
          lastTransitionTime: creationTimestamp,
        },
      ],
    },
  }
  return [
    seed(externalSecretType, externalSecret),
    secretsIn(namespace, context)(name, 29, {
      metadata: {
        labels: {
          'reconcile.external-secrets.io/created-by': hash('creator'),
          'reconcile.external-secrets.io/managed': 'true',
        },
        annotations: { 'reconcile.external-secrets.io/data-hash': hash('data') },
        ownerReferences: [ownerReference(externalSecretType, externalSecret)],
      },
      type: 'Opaque',
      data: { token: btoa('made-up') },
    }),
  ]
}

/** Links between the secrets of a team and service accounts of builds. */
export const commonLinks: LinkPlan[] = [
  { secret: 'base-registry', lists: ['secrets', 'imagePullSecrets'], isAutomatic: true },
]
export const oddLinks: LinkPlan[] = [
  { secret: 'shared-registries', components: ['checkout-api', 'checkout-web'], lists: ['secrets', 'imagePullSecrets'] },
  { secret: 'was-linked', components: ['checkout-api'], lists: ['secrets', 'imagePullSecrets'] },
  { secret: 'gitlab-access', components: ['ledger-api', 'ledger-migrations'], lists: ['secrets'] },
  { secret: 'registry-for-images', components: ['ledger-api'], lists: ['imagePullSecrets'] },
  { secret: 'registry-for-tasks', components: ['ledger-api'], lists: ['secrets'] },
  // The secret was deleted after it was linked.
  { secret: 'retired-registry', components: ['ledger-migrations'], lists: ['secrets', 'imagePullSecrets'] },
]
