import type { KubeClient } from '@slipway/kube/client'
import { configMapType, namespaceType, roleBindingType } from '@slipway/kube/core-types'
import { nameOf, namespaceOf, type Condition, type KubeObject } from '@slipway/kube/object'
import { resourcePath } from '@slipway/kube/path'
import type { ResourceType } from '@slipway/kube/resource-type'
import { ApiError, isNotFound } from '@slipway/kube/status'
import { applicationType } from '@slipway/model/application'
import { componentType } from '@slipway/model/component'
import { labels } from '@slipway/model/labels'
import { publicInfoLocation } from '@slipway/model/public-info'
import { releaseConditions, releaseType } from '@slipway/model/release'
import { clusterRoleName, type UserRole } from '@slipway/model/roles/user-actions'
import { aComponent, anApplication, aConfigMap, aNamespace, aRelease, aRoleBinding } from '@slipway/model/testing'
import { emailOf, type UserName } from '../users'

interface DemoApplication {
  displayName: string
  components: string[]
  /** Of its releases, oldest first: when each began, in hours before now, and how it ended. */
  releases?: { hoursAgo: number; outcome: 'Succeeded' | 'Failed' | 'Progressing' }[]
}

interface DemoNamespace {
  members: Partial<Record<UserName, UserRole>>
  applications: Record<string, DemoApplication>
}

const team = { admin: 'admin', maintainer: 'maintainer', contributor: 'contributor' } as const

const namespaces: Record<string, DemoNamespace> = {
  'team-payments': {
    members: team,
    applications: {
      checkout: {
        displayName: 'Checkout',
        components: ['checkout-api', 'checkout-web', 'checkout-worker'],
        releases: [
          { hoursAgo: 170, outcome: 'Succeeded' },
          { hoursAgo: 26, outcome: 'Succeeded' },
          { hoursAgo: 3, outcome: 'Failed' },
        ],
      },
      ledger: {
        displayName: 'Ledger',
        components: ['ledger-api', 'ledger-migrations'],
        releases: [{ hoursAgo: 52, outcome: 'Succeeded' }],
      },
      'fraud-scoring': { displayName: 'Fraud scoring', components: ['fraud-model'] },
      refunds: {
        displayName: 'Refunds',
        components: ['refunds-api', 'refunds-web'],
        releases: [{ hoursAgo: 1, outcome: 'Progressing' }],
      },
    },
  },
  'team-platform': {
    members: team,
    applications: {
      'edge-gateway': {
        displayName: 'Edge gateway',
        components: ['edge-proxy', 'edge-config'],
        releases: [{ hoursAgo: 400, outcome: 'Succeeded' }],
      },
      'base-images': {
        displayName: 'Base images',
        components: ['base-node', 'base-java', 'base-python', 'base-go'],
        releases: [
          { hoursAgo: 30, outcome: 'Failed' },
          { hoursAgo: 7, outcome: 'Succeeded' },
        ],
      },
      observability: { displayName: 'Observability', components: ['metrics-collector', 'log-router'] },
      identity: { displayName: 'Identity', components: [] },
    },
  },
  'team-sandbox': { members: { admin: 'admin', maintainer: 'maintainer' }, applications: {} },
}

/** Says that the demo was made once, so that what people delete does not come back with the next start. */
const marker = aConfigMap({
  metadata: { name: 'slipway-demo', namespace: publicInfoLocation.namespace },
  data: { created: 'true' },
})

/** Creates the demo namespaces and what is in them, on a cluster that never had them. */
export async function createDemo(client: KubeClient, now: Date): Promise<void> {
  if (await exists(client, configMapType, marker)) return
  for (const [namespace, { members, applications }] of Object.entries(namespaces)) {
    await create(client, namespaceType, aNamespace({ metadata: { name: namespace } }))
    for (const [user, role] of Object.entries(members) as [UserName, UserRole][]) {
      await create(client, roleBindingType, membership(namespace, user, role))
    }
    for (const [name, application] of Object.entries(applications)) {
      await createApplication(client, namespace, name, application, now)
    }
  }
  // Last, so that a start that was interrupted is made good by the next one.
  await create(client, configMapType, marker)
}

async function createApplication(
  client: KubeClient,
  namespace: string,
  name: string,
  { displayName, components, releases = [] }: DemoApplication,
  now: Date,
): Promise<void> {
  await create(client, applicationType, anApplication({ metadata: { name, namespace }, spec: { displayName } }))
  for (const component of components) {
    await create(client, componentType, demoComponent(namespace, name, component))
  }
  for (const [index, { hoursAgo, outcome }] of releases.entries()) {
    await create(client, releaseType, demoRelease(namespace, name, index + 1, outcome, before(now, hoursAgo)))
  }
}

function membership(namespace: string, user: UserName, role: UserRole) {
  const email = emailOf(user)
  return aRoleBinding({
    metadata: { name: `konflux-${role}-${email.replace(/[^a-z0-9-]/g, '-')}-user-actions`, namespace },
    roleRef: { name: clusterRoleName(role) },
    subjects: [{ kind: 'User', apiGroup: roleBindingType.group, name: email }],
  })
}

function demoComponent(namespace: string, application: string, name: string) {
  const organisation = namespace.replace(/^team-/, '')
  return aComponent({
    metadata: { name, namespace },
    spec: {
      application,
      source: { git: { url: `https://git.slipway.test/${organisation}/${name}` } },
      containerImage: `registry.slipway.test/${organisation}/${name}`,
    },
  })
}

function demoRelease(namespace: string, application: string, number: number, outcome: string, start: Date) {
  const startTime = timeOf(start)
  const completionTime = outcome === 'Progressing' ? undefined : timeOf(new Date(start.getTime() + 17 * 60_000))
  const lastTransitionTime = completionTime ?? startTime
  const conditions: Condition[] = [
    {
      type: releaseConditions.validated,
      status: 'True',
      reason: 'Succeeded',
      message: '',
      lastTransitionTime: startTime,
    },
    {
      type: releaseConditions.released,
      status: outcome === 'Succeeded' ? 'True' : 'False',
      reason: outcome,
      message: outcome === 'Failed' ? 'The managed pipeline run failed.' : '',
      lastTransitionTime,
    },
  ]
  return aRelease({
    metadata: {
      name: `${application}-release-${number}`,
      namespace,
      labels: { [labels.application]: application, [labels.automated]: 'true' },
    },
    spec: { releasePlan: `${application}-to-production`, snapshot: `${application}-snapshot-${number}` },
    status: { automated: true, startTime, completionTime, conditions },
  })
}

const before = (now: Date, hours: number): Date => new Date(now.getTime() - hours * 3_600_000)
const timeOf = (date: Date): string => date.toISOString().replace(/\.\d+Z$/, 'Z')

const exists = <T extends KubeObject>(client: KubeClient, type: ResourceType<T>, object: T): Promise<boolean> =>
  client.get(type, nameOf(object), { namespace: namespaceOf(object) }).then(
    () => true,
    (error: unknown) => {
      if (isNotFound(error)) return false
      throw error
    },
  )

/** Creates an object and then its status, which a create leaves out; what is there already is left alone. */
async function create<T extends KubeObject & { status?: unknown }>(
  client: KubeClient,
  type: ResourceType<T>,
  object: T,
): Promise<void> {
  const at = { namespace: namespaceOf(object), name: nameOf(object) }
  const stored = await client.create(type, object).catch((error: unknown) => {
    if (error instanceof ApiError && error.reason === 'AlreadyExists') return client.get(type, at.name, at)
    throw error
  })
  if (object.status === undefined || stored.status !== undefined) return
  await client.request(resourcePath(type, { ...at, subresource: 'status' }), {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...stored, status: object.status }),
  })
}
