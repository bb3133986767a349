import { secretType, type Secret } from '@slipway/kube/core-types'
import { labels } from '@slipway/model/labels'
import type { Overrides } from '@slipway/model/testing'
import { aSecret } from '@slipway/model/testing/build-services'
import { timestamp } from '../tekton/task-run-status'
import { seed, type ScenarioContext, type Seed } from './scenario'

const dayMs = 24 * 3_600_000
const auths = (registry: string) =>
  btoa(JSON.stringify({ auths: { [registry]: { auth: btoa('slipway:a made-up token') } } }))

/** A secret of each type that the console can make; every value in them is made up. */
export function teamSecrets(namespace: string, { nowMs }: ScenarioContext): Seed[] {
  const secret = (name: string, daysAgo: number, { metadata, ...rest }: Overrides<Secret>) =>
    seed(
      secretType,
      aSecret({
        metadata: { name, namespace, creationTimestamp: timestamp(nowMs - daysAgo * dayMs), ...metadata },
        ...rest,
        // Not the key of the default one.
        data: { snyk_token: undefined, ...rest.data },
      }),
    )
  const scm = (host: string, repository?: string): Overrides<Secret>['metadata'] => ({
    labels: { [labels.credentials]: 'scm', [labels.scmHost]: host },
    ...(repository && { annotations: { 'appstudio.redhat.com/scm.repository': repository } }),
  })
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
