import { namespaceType, serviceAccountType } from '@slipway/kube/core-types'
import { isRecord, type KubeObject } from '@slipway/kube/object'
import { applicationType } from '@slipway/model/builds/application'
import { componentType } from '@slipway/model/builds/component'
import { componentGroupType } from '@slipway/model/builds/component-group'
import type { Schema } from '@slipway/model/crds/define-crd'
import { customResourceDefinitions } from '@slipway/model/platform-objects'
import { releasePlanAdmissionType, releasePlanType } from '@slipway/model/releases/release-plan'
import { releaseType } from '@slipway/model/releases/release'
import { integrationTestScenarioType } from '@slipway/model/snapshots/integration-test-scenario'
import { aComponent, anApplication, aNamespace } from '@slipway/model/testing'
import { aComponentGroup } from '@slipway/model/testing/build-services'
import {
  anIntegrationTestScenario,
  aReleasePlan,
  aReleasePlanAdmission,
} from '@slipway/model/testing/tests-and-releases'
import { beforeAll, expect, it } from 'vitest'
import { platformFields } from '../test/platform-fields'
import { startWorld } from '../test/world'
import { allControllers } from './controllers'
import { settings } from './git-host/store'
import { releaseCatalogRef } from './tekton/catalog/pipeline-parts'
import { outcomeAnnotation } from './tekton/outcome'

/** The nightly tests choose another one each time, since what is written must not depend on it. */
const seed = process.env.SIMULATION_SEED ?? 'test'

const table = Object.entries(platformFields)

function fieldsOfSchema({ properties = {}, items, additionalProperties }: Schema, path: string): string[] {
  const below = Object.entries(properties).flatMap(([key, each]) => fieldsOfSchema(each, `${path}.${key}`))
  if (below.length > 0) return below
  if (items) return fieldsOfSchema(items, `${path}.[]`)
  return additionalProperties ? fieldsOfSchema(additionalProperties, `${path}.*`) : [path]
}

it.each(table)('our definition of %s has the fields of status that the platform defines', (kind, fields) => {
  const [version] = customResourceDefinitions.find(({ spec }) => spec.names.kind === kind)?.spec.versions ?? []
  const status = version?.schema.openAPIV3Schema.properties?.status
  expect(status && fieldsOfSchema(status, 'status').sort()).toEqual([...fields.written, ...fields.unwritten].sort())
})

/** The fields in the table that a value has. What the table does not have is returned as it is. */
function fieldsIn(value: unknown, path: string, known: readonly string[]): string[] {
  const isLeaf = known.includes(path)
  if (!isLeaf && Array.isArray(value)) return value.flatMap((item) => fieldsIn(item, `${path}.[]`, known))
  if (isLeaf || !isRecord(value)) return [path]
  const isMap = known.some((each) => each.startsWith(`${path}.*`))
  return Object.entries(value).flatMap(([key, each]) => fieldsIn(each, `${path}.${isMap ? '*' : key}`, known))
}

const written = new Map<string, Set<string>>()
const responses: Promise<unknown>[] = []

const outcomes = (task: Record<string, string> = {}) => ({
  [outcomeAnnotation]: JSON.stringify({ '*': 'success', ...task }),
})
const component = (name: string, nudges: string[] = []) =>
  aComponent({
    metadata: { name, annotations: { ...outcomes(), [settings.activity]: 'off', [settings.autoMerge]: '60' } },
    spec: {
      source: { git: { url: `https://github.com/payments/${name}` } },
      containerImage: undefined,
      'build-nudges-ref': nudges,
    },
  })
const collectors = { items: [{ name: 'tracker', type: 'jira', params: [] }], serviceAccountName: 'releaser' }
const pipeline = (path: string) => ({
  pipelineRef: releaseCatalogRef(path),
  serviceAccountName: 'releaser',
})

beforeAll(async () => {
  const world = await startWorld({
    controllers: allControllers({ consoleUrl: 'https://console.slipway.test', hasArchive: false }),
    seed,
    objects: [
      [namespaceType, aNamespace()],
      [namespaceType, aNamespace({ metadata: { name: 'release-managed' } })],
      ...['team-payments', 'release-managed'].map((namespace): [typeof serviceAccountType, KubeObject] => [
        serviceAccountType,
        { metadata: { name: 'releaser', namespace } },
      ]),
      [applicationType, anApplication()],
      [integrationTestScenarioType, anIntegrationTestScenario({ metadata: { annotations: outcomes() } })],
      [
        releasePlanType,
        aReleasePlan({
          metadata: { annotations: outcomes() },
          spec: {
            collectors,
            tenantPipeline: pipeline('pipelines/tenant/tenant-release.yaml'),
            finalPipeline: pipeline('pipelines/tenant/tenant-release.yaml'),
          },
        }),
      ],
      [
        releasePlanAdmissionType,
        aReleasePlanAdmission({
          metadata: { annotations: outcomes({ 'push-snapshot': 'oom' }) },
          spec: { collectors, pipeline: pipeline('pipelines/managed/rh-advisories/rh-advisories.yaml') },
        }),
      ],
      [componentGroupType, aComponentGroup({ metadata: { name: 'group' } })],
      [
        componentGroupType,
        aComponentGroup({
          metadata: { name: 'parent' },
          spec: { components: [{ name: 'group', kind: 'componentGroup' }] },
        }),
      ],
      [componentType, component('checkout-api', ['checkout-web'])],
      [componentType, component('checkout-web')],
    ],
    onControllerResponse(request, response) {
      if (!['POST', 'PUT', 'PATCH'].includes(request.method) || !response.ok) return
      responses.push(response.clone().json())
    },
  })
  const isReleased = async () =>
    (await world.client.list(releaseType)).items.some(({ status }) => status?.completionTime)
  for (let minutes = 0; !(await isReleased()) && minutes < 180; minutes++) await world.advance(60_000)
  for (const response of await Promise.all(responses)) {
    const { kind = '', status } = response as KubeObject & { status?: unknown }
    const fields = platformFields[kind]
    if (!fields || status === undefined) continue
    const seen = written.get(kind) ?? new Set()
    for (const path of fieldsIn(status, 'status', [...fields.written, ...fields.unwritten])) seen.add(path)
    written.set(kind, seen)
  }
  await world.close()
})

it.each(table)('the simulator writes of the status of %s what the table says', (kind, fields) =>
  expect([...(written.get(kind) ?? [])].sort()).toEqual([...fields.written].sort()),
)
