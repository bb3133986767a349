import { namespaceType } from '@slipway/kube/core-types'
import { nameOf, namespaceOf, type KubeObject } from '@slipway/kube/object'
import { applicationType } from '@slipway/model/builds/application'
import { componentGroupType } from '@slipway/model/builds/component-group'
import { componentType } from '@slipway/model/builds/component'
import { integrationTestScenarioType } from '@slipway/model/snapshots/integration-test-scenario'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { releasePlanAdmissionType, releasePlanType } from '@slipway/model/releases/release-plan'
import { releaseType } from '@slipway/model/releases/release'
import { aComponent, anApplication, aNamespace } from '@slipway/model/testing'
import { aComponentGroup } from '@slipway/model/testing/build-services'
import {
  anIntegrationTestScenario,
  aReleasePlan,
  aReleasePlanAdmission,
} from '@slipway/model/testing/tests-and-releases'
import { beforeAll, expect, it } from 'vitest'
import { startWorld } from '../test/world'
import { allControllers } from './controllers'
import { settings } from './git-host/store'
import { simulatorRules } from './roles'
import { outcomeAnnotation } from './tekton/outcome'

const alwaysSucceeds = { [outcomeAnnotation]: JSON.stringify({ '*': 'success' }) }
const minuteMs = 60_000

/** The permission that a request needs: `{verb} {group}/{resource}`. */
function permissionOf({ method, url }: Request): string {
  const { pathname, searchParams } = new URL(url)
  const [, prefix, ...rest] = pathname.split('/')
  const group = prefix === 'apis' ? (rest.shift() ?? '') : ''
  const [, ...path] = rest
  const [plural = '', name, subresource] = path[0] === 'namespaces' && path.length > 2 ? path.slice(2) : path
  const read = searchParams.has('watch') ? 'watch' : name === undefined ? 'list' : 'get'
  const verbs: Record<string, string> = { GET: read, POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' }
  return `${verbs[method]} ${group}/${plural}${subresource ? `/${subresource}` : ''}`
}

const allowed = simulatorRules
  .filter(({ resourceNames }) => !resourceNames)
  .flatMap(({ apiGroups = [], resources = [], verbs }) =>
    apiGroups.flatMap((group) => resources.flatMap((each) => verbs.map((verb) => `${verb} ${group}/${each}`))),
  )

/** What the controllers ask from the import of a component to its deletion. */
const asked = new Set<string>()
const writes: [permission: string, response: Response][] = []

beforeAll(async () => {
  const world = await startWorld({
    controllers: allControllers({ consoleUrl: 'https://console.slipway.test', hasArchive: false, keepForMs: minuteMs }),
    objects: [[namespaceType, aNamespace()]],
    onControllerResponse(request, response) {
      const permission = permissionOf(request)
      asked.add(permission)
      if (/^(create|update|patch) /.test(permission) && response.ok) writes.push([permission, response.clone()])
    },
  })
  const { client } = world
  await client.create(namespaceType, aNamespace({ metadata: { name: 'release-managed' } }))
  await client.create(applicationType, anApplication())
  await client.create(
    integrationTestScenarioType,
    anIntegrationTestScenario({ metadata: { annotations: alwaysSucceeds } }),
  )
  await client.create(componentGroupType, aComponentGroup())
  await client.create(releasePlanType, aReleasePlan())
  await client.create(releasePlanAdmissionType, aReleasePlanAdmission({ metadata: { annotations: alwaysSucceeds } }))
  const component = aComponent({
    metadata: { annotations: { ...alwaysSucceeds, [settings.activity]: 'off', [settings.autoMerge]: '1800' } },
    spec: { source: { git: { url: 'https://github.com/payments/checkout-api' } }, containerImage: undefined },
  })
  await client.create(componentType, component)
  const isReleased = async () => (await client.list(releaseType)).items.some(({ status }) => status?.completionTime)
  for (let minutes = 0; !(await isReleased()) && minutes < 90; minutes++) await world.advance(minuteMs)
  await client.delete(componentType, nameOf(component), { namespace: namespaceOf(component) })
  for (const run of (await client.list(pipelineRunType)).items) {
    await client.delete(pipelineRunType, nameOf(run), { namespace: namespaceOf(run) })
  }
  await world.advance(minuteMs)
  await world.close()
})

it('the role of the simulator permits what the controllers ask, and nothing else', () => {
  expect([...asked].filter((permission) => !allowed.includes(permission))).toEqual([])
  expect(allowed.filter((permission) => !asked.has(permission)).sort()).toEqual(
    [
      // The pages of the git host, and logs that a restart continues.
      ...['get /configmaps', 'get tekton.dev/pipelineruns', 'get /pods/log'],
      // Runs that time out, are cancelled, or use custom tasks or definitions of the cluster.
      ...['delete /pods', 'update tekton.dev/taskruns', 'get tekton.dev/pipelines', 'get tekton.dev/tasks'],
      ...['create tekton.dev/customruns', 'update tekton.dev/customruns'],
      // What is older than a few hours.
      ...['releases', 'snapshots'].map((plural) => `delete appstudio.redhat.com/${plural}`),
      'delete tekton.dev/pipelineruns',
      // A new token of an image repository, and a plan that releases on behalf of a user.
      ...['update /secrets', 'update appstudio.redhat.com/releaseplans'],
      // Only the legacy platform lists runs in a Repository.
      'update pipelinesascode.tekton.dev/repositories',
    ].sort(),
  )
})

it('every write of the controllers changes its object', async () => {
  const versions = new Map<string, string | undefined>()
  const unchanged: string[] = []
  for (const [permission, response] of writes) {
    // Logs have no object.
    if (permission === 'create /pods/log') continue
    const { metadata } = (await response.json()) as KubeObject
    const uid = metadata.uid ?? ''
    if (versions.get(uid) === metadata.resourceVersion) unchanged.push(`${permission} ${metadata.name}`)
    versions.set(uid, metadata.resourceVersion)
  }
  expect(unchanged).toEqual([])
})
