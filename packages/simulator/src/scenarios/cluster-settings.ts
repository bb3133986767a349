import { configMapType, namespaceType } from '@slipway/kube/core-types'
import { labels } from '@slipway/model/labels'
import { defaultPublicInfo } from '@slipway/model/platform-objects'
import { publicInfoLocation } from '@slipway/model/platform/public-info'
import { aConfigMap } from '@slipway/model/testing'
import { hexDigits } from '../keyed-random'
import { timestamp } from '../tekton/task-run-status'
import { allowed, allUsers } from './allowed'
import { demoTour } from './demo-tour'
import { seed, type ScenarioContext, type Seed } from './scenario'

const hourMs = 3_600_000

/** Settings of the platform's operators for all users: build pipelines, a banner, notifications. */
export function clusterSettings(context: ScenarioContext): Seed[] {
  return [
    seed(namespaceType, { metadata: { name: buildServiceNamespace } }),
    seed(configMapType, buildPipelines(context)),
    ...allowed(buildServiceNamespace, `${buildPipelinesName}-read-only`, [buildPipelinesRule], allUsers),
    seed(configMapType, publicInfoConfigMap(context), { mode: 'overwrite' }),
    seed(configMapType, maintenanceBanner, { mode: 'overwrite' }),
    ...notifications(context.nowMs).map((each) => seed(configMapType, each)),
    // The platform's role only covers ConfigMaps with known names, and names of notifications vary.
    ...allowed(publicInfoLocation.namespace, 'notifications-reader', [notificationsRule], allUsers),
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
  { name: 'docker-build-oci-ta', description: 'Builds an image from trusted artifacts.' },
  { name: 'docker-build', description: 'Builds an image with less network traffic.' },
  { name: 'docker-build-multi-platform-oci-ta', description: 'Builds an image for several platforms.' },
  { name: 'fbc-builder', description: 'Builds an operator catalog.' },
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

/** The platform configuration that its operators publish. */
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

const publicInfoConfigMap = ({ hasTour }: ScenarioContext) =>
  aConfigMap({
    metadata: publicInfoLocation,
    data: { 'info.json': JSON.stringify({ ...publicInfo, ...(hasTour && { tour: demoTour }) }, null, 2) },
  })

/** Shown on Saturdays only. */
const maintenanceBanner = aConfigMap({
  metadata: { name: 'konflux-banner-configmap', namespace: publicInfoLocation.namespace },
  data: {
    'banner-content.yaml': [
      '- summary: Builds may be delayed while the cluster is being updated.',
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
        summary: 'Pushing images takes longer than usual. Rerun builds that time out.',
        activeTimestamp: at(0.5),
      },
      0.5,
    ),
    notification(
      'notification-platforms',
      [
        {
          type: 'info',
          title: 'New build platform',
          summary: 'Images can now be built for s390x.',
          activeTimestamp: at(30),
        },
        {
          type: 'info',
          title: 'Incident resolved',
          summary: 'The incident on Monday has been resolved.',
          activeTimestamp: at(70),
        },
      ],
      70,
    ),
  ]
}
