import { secretType, serviceAccountType, type Secret, type ServiceAccount } from '@slipway/kube/core-types'
import { imageRepositoryType, type ImageRepository } from '../builds/image-repository'
import { componentGroupType, type ComponentGroup } from '../builds/component-group'
import { type NudgeConfig, nudgeConfigName, nudgeConfigType } from '../builds/nudge-config'
import { labels } from '../labels'
import { repositoryType, type Repository } from '../builds/repository'
import { builder } from '../testing'

/** Objects that the build services create for a component; by default for `checkout-api`. */

const namespace = 'team-payments'
const component = 'checkout-api'

/** Its source is on GitHub, in a repository of the same name. */
export const aRepository = builder<Repository>(repositoryType, ({ metadata }) => ({
  metadata: { name: component, namespace },
  spec: { url: `https://github.com/payments/${metadata?.name ?? component}` },
}))

/** Ready, with credentials. */
export const anImageRepository = builder<ImageRepository>(imageRepositoryType, ({ metadata }) => {
  const name = metadata?.name ?? `imagerepository-for-checkout-${component}`
  return {
    metadata: {
      name,
      namespace,
      labels: { [labels.imageApplication]: 'checkout', [labels.imageComponent]: component },
    },
    spec: { image: { name: `${namespace}/${component}`, visibility: 'public' } },
    status: {
      state: 'ready',
      image: { url: `registry.slipway.test/${namespace}/${component}`, visibility: 'public' },
      credentials: {
        generationTimestamp: '2026-01-31T09:00:00Z',
        'push-secret': `${name}-image-push`,
        'pull-secret': `${name}-image-pull`,
        'push-robot-account': 'slipway+checkout_api',
        'pull-robot-account': 'slipway+checkout_api_pull',
      },
    },
  }
})

/** With made-up keys and values. */
export const aSecret = builder<Secret>(secretType, () => ({
  metadata: { name: 'snyk-secret', namespace },
  type: 'Opaque',
  data: { snyk_token: btoa('made-up') },
}))

/** The service account of builds of `checkout-api`, without linked secrets. */
export const aServiceAccount = builder<ServiceAccount>(serviceAccountType, () => ({
  metadata: { name: `build-pipeline-${component}`, namespace },
  secrets: [],
  imagePullSecrets: [],
}))

/** Of a namespace without relationships. */
export const aNudgeConfig = builder<NudgeConfig>(nudgeConfigType, () => ({
  metadata: { name: nudgeConfigName, namespace },
  spec: { nudges: [] },
}))

/** With the version `main` of `checkout-api`, and without an order of tests. */
export const aComponentGroup = builder<ComponentGroup>(componentGroupType, () => ({
  metadata: { name: 'checkout-group', namespace },
  spec: { components: [{ name: component, kind: 'component', componentVersion: { name: 'main' } }] },
}))
