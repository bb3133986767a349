import { configMapType, namespaceType } from '@slipway/kube/core-types'
import { labels } from '@slipway/model/labels'
import { defaultPublicInfo } from '@slipway/model/platform/platform'
import { publicInfoLocation } from '@slipway/model/platform/public-info'
import { aConfigMap } from '@slipway/model/testing'
import { hexDigits } from '../keyed-random'
import { timestamp } from '../tekton/task-run-status'
import { allowed, everybody } from './allowed'
import { seed, type ScenarioContext, type Seed } from './scenario'

const hourMs = 3_600_000

/** What the people who run the platform have set up for everybody: build pipelines, a banner, notifications. */
export function clusterSettings(context: ScenarioContext): Seed[] {
  return [
    seed(namespaceType, { metadata: { name: buildServiceNamespace } }),
    seed(configMapType, buildPipelines(context)),
    ...allowed(buildServiceNamespace, `${buildPipelinesName}-read-only`, [buildPipelinesRule], everybody),
    seed(configMapType, publicInfoConfigMap, { mode: 'overwrite' }),
    seed(configMapType, maintenanceBanner, { mode: 'overwrite' }),
    ...notifications(context.nowMs).map((each) => seed(configMapType, each)),
    // The platform lets people read what it names, and notifications have names of their own.
    ...allowed(publicInfoLocation.namespace, 'notifications-reader', [notificationsRule], everybody),
  ]
}

const buildServiceNamespace = 'build-service'
const buildPipelinesName = 'build-pipeline-config'
const buildPipelinesRule = {
  apiGroups: [''],
  resources: ['configmaps'],
  resourceNames: [buildPipelinesName],
  verbs: ['get'],
}

const notificationsRule = { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] }

const pipelines = [
  { name: 'docker-build-oci-ta', description: 'Builds an image and keeps the trust in what it was built from.' },
  { name: 'docker-build', description: 'Builds an image with less traffic on the network.' },
  { name: 'docker-build-multi-platform-oci-ta', description: 'Builds an image for several platforms.' },
  { name: 'fbc-builder', description: 'Builds a catalog of operators.' },
]

function buildPipelines({ world }: ScenarioContext) {
  const entries = pipelines.map(
    ({ name, description }) =>
      `- name: ${name}\n  description: ${description}\n` +
      `  bundle: quay.io/konflux-ci/tekton-catalog/pipeline-${name}@sha256:${hexDigits(world.random(`bundle ${name}`), 64)}\n`,
  )
  const config = `default-pipeline-name: docker-build-oci-ta\npipelines:\n${entries.join('')}`
  return aConfigMap({
    metadata: { name: buildPipelinesName, namespace: buildServiceNamespace },
    data: { 'config.yaml': config },
  })
}

/** What the operator of this platform has configured, for the console and for others. */
const publicInfo = {
  ...defaultPublicInfo,
  environment: 'staging',
  statusPageUrl: 'https://status.slipway.test',
  integrations: {
    github: { application_url: 'https://github.com/apps/konflux-staging' },
    sbom_server: {
      url: 'https://sbom.slipway.test/images/<PLACEHOLDER>',
      sbom_sha: 'https://sbom.slipway.test/sboms/<PLACEHOLDER>',
    },
    image_controller: {
      enabled: true,
      notifications: [
        {
          title: 'SBOM-event-to-Bombino',
          event: 'repo_push',
          method: 'webhook',
          config: { url: 'https://sbom.slipway.test/events' },
        },
      ],
    },
  },
  imageProxy: { url: 'https://images.slipway.test', oauthPath: '/oauth' },
  clusterId: 'b5f4c2b6-8c8e-4d6a-9a59-0c6c4c5f1a21',
  clusterVersion: '1.35',
  konfluxVersion: '2026.11',
}

const publicInfoConfigMap = aConfigMap({
  metadata: publicInfoLocation,
  data: { 'info.json': JSON.stringify(publicInfo, null, 2) },
})

/** Shown on Saturdays only. */
const maintenanceBanner = aConfigMap({
  metadata: { name: 'konflux-banner-configmap', namespace: publicInfoLocation.namespace },
  data: {
    'banner-content.yaml': [
      '- summary: Builds may wait a little while the cluster is being updated.',
      '  type: info',
      '  dayOfWeek: 6',
      '  startTime: "20:00"',
      '  endTime: "23:00"',
      '  timeZone: Europe/Berlin',
      '',
    ].join('\n'),
  },
})

function notifications(nowMs: number) {
  const at = (hoursAgo: number) => timestamp(nowMs - hoursAgo * hourMs)
  const notification = (name: string, content: unknown, hoursAgo: number) =>
    aConfigMap({
      metadata: {
        name,
        namespace: publicInfoLocation.namespace,
        labels: { [labels.systemNotification]: 'true' },
        creationTimestamp: at(hoursAgo),
      },
      data: { 'notification-content.json': JSON.stringify(content) },
    })
  return [
    notification(
      'notification-registry',
      {
        type: 'warning',
        title: 'The registry is slow today',
        summary: 'Pushing images takes longer than usual. Builds that fail with a time-out can be run again.',
        activeTimestamp: at(0.5),
      },
      0.5,
    ),
    notification(
      'notification-platforms',
      [
        {
          type: 'info',
          title: 'More platforms',
          summary: 'Images can now be built for s390x.',
          activeTimestamp: at(30),
        },
        {
          type: 'info',
          title: 'All is well again',
          summary: 'The incident of Monday is resolved.',
          activeTimestamp: at(70),
        },
      ],
      70,
    ),
  ]
}
