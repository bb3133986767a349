import type { Api, Json } from './api-client'

/** Objects that the contract uses. */

const widgetSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['size'],
      properties: {
        size: { type: 'integer', minimum: 1 },
        color: { type: 'string', default: 'grey' },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
    status: { type: 'object', properties: { phase: { type: 'string' } } },
  },
}

export const widgetDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.contract.test' },
  spec: {
    group: 'contract.test',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList', shortNames: ['wd'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: widgetSchema },
        additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
      },
    ],
  },
}

export const configMap = (name: string, data: Record<string, string> = {}, labels?: Record<string, string>): Json => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...(labels && { labels }) },
  data,
})

/** Used where all objects of a kind count, since clusters add a config map to every namespace. */
export const secret = (name: string, data: Record<string, string> = {}, labels?: Record<string, string>): Json => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, ...(labels && { labels }) },
  stringData: data,
})

export const widget = (name: string, spec: object = { size: 1 }, metadata: object = {}): Json => ({
  apiVersion: 'contract.test/v1',
  kind: 'Widget',
  metadata: { name, ...metadata },
  spec,
})

let namespaces = 0

export interface Place {
  name: string
  path: string
  maps: string
  secrets: string
  widgets: string
}

/** Creates a namespace and returns its name, its path, and the paths of its collections. */
export async function aNamespace(api: Api): Promise<Place> {
  const name = `contract-${Date.now().toString(36)}-${namespaces++}`
  const { code, body } = await api.post('/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name },
  })
  if (code !== 201) throw new Error(body.message)
  const path = `/api/v1/namespaces/${name}`
  // Pods need the account, which most clusters create some time after the namespace.
  await eventually(async () => (await api.get(`${path}/serviceaccounts/default`)).code === 200)
  return {
    name,
    path,
    maps: `${path}/configmaps`,
    secrets: `${path}/secrets`,
    widgets: `/apis/contract.test/v1/namespaces/${name}/widgets`,
  }
}

/** Polls until the condition holds: controllers take time, seconds on real servers. */
export async function eventually(isDone: () => Promise<boolean>, milliseconds = 90_000): Promise<void> {
  const deadline = Date.now() + milliseconds
  while (!(await isDone())) {
    if (Date.now() > deadline) throw new Error('it did not come to be')
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

export interface PodState {
  restartCount: number
  state: object
  lastState?: object
}

export const aPod = (name: string, containers: string[] = ['main'], spec: object = {}): Json => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: containers.map((container) => ({ name: container, image: 'registry.test/image:1' })), ...spec },
})
