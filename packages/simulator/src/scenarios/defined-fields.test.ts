import { compileSchema } from '@slipway/apiserver/apiextensions/structural-schema'
import { unknownFields } from '@slipway/apiserver/apiextensions/prune'
import type { KubeObject } from '@slipway/kube/object'
import { apiVersionOf, type ResourceType } from '@slipway/kube/resource-type'
import type { Schema } from '@slipway/model/crds/define-crd'
import { customResourceDefinitions } from '@slipway/model/platform-objects'
import { expect, it } from 'vitest'
import { startMs, worldOf } from '../../test/tekton'
import { demo } from './demo'
import { faults } from './faults'
import type { Scenario, ScenarioContext } from './scenario'

const context: ScenarioContext = {
  nowMs: startMs,
  world: worldOf('demo'),
  users: { admin: 'admin', maintainer: 'maintainer', contributor: 'contributor', outsider: 'outsider' },
  gitHostUrl: 'https://git.slipway.test',
  consoleUrl: 'https://console.slipway.test',
}

const schemas = new Map<string, { schema: Schema; compiled: ReturnType<typeof compileSchema> }>(
  customResourceDefinitions.flatMap(({ spec: { group, names, versions } }) =>
    versions.map(({ name, schema: { openAPIV3Schema } }) => {
      const schema = { schema: openAPIV3Schema, compiled: compileSchema(openAPIV3Schema) }
      return [`${group}/${name} ${names.kind}`, schema] as const
    }),
  ),
)

/** Fields that the definition of its kind does not have, and values that it forbids. */
function problemsOf(type: ResourceType, object: KubeObject): string[] {
  const apiVersion = apiVersionOf(type)
  const known = schemas.get(`${apiVersion} ${type.kind}`)
  if (!known) return []
  // As sent: without absent fields.
  const complete = JSON.parse(JSON.stringify({ ...object, apiVersion, kind: type.kind })) as KubeObject
  const invalid = known.compiled.validate(complete).map(({ field, message }) => `${field}: ${message}`)
  return [...unknownFields(known.schema, complete), ...invalid].map((problem) => `${type.kind} ${problem}`)
}

it.each<[string, Scenario]>([
  ['demo', demo],
  ['faults', faults],
])('every field of an object in the scenario %s is defined, so that the cluster keeps it', (_, scenario) => {
  const problems = new Set<string>()
  for (const { type, object } of scenario.seeds(context))
    for (const problem of problemsOf(type, object)) problems.add(problem.replace(/\[\d+\]/g, '[]'))
  expect([...problems]).toEqual([])
})
