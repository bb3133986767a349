import type { Api, Json } from './api-client'

/** Objects that the contract works with. */

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

/** Clusters put a config map into every namespace: where all of a kind count, these are taken. */
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

/** A new namespace: its name, its path, and the paths of what is in it. */
export async function aNamespace(api: Api): Promise<Place> {
  const name = `contract-${Date.now().toString(36)}-${namespaces++}`
  const { code, body } = await api.post('/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name },
  })
  if (code !== 201) throw new Error(body.message)
  const path = `/api/v1/namespaces/${name}`
  // Pods need it, and most clusters make it a while after the namespace.
  await eventually(async () => (await api.get(`${path}/serviceaccounts/default`)).code === 200)
  return {
    name,
    path,
    maps: `${path}/configmaps`,
    secrets: `${path}/secrets`,
    widgets: `/apis/contract.test/v1/namespaces/${name}/widgets`,
  }
}

/** Asks again until the answer is as wanted: what a server does on its own takes it a while, real ones seconds. */
export async function eventually(ask: () => Promise<boolean>, milliseconds = 90_000): Promise<void> {
  const deadline = Date.now() + milliseconds
  while (!(await ask())) {
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
