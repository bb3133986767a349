import type { Page } from '@playwright/test'
import { paths } from '@slipway/console/paths'
import type { KubeClient } from '@slipway/kube/client'
import { customResourceDefinitionType } from '@slipway/kube/core-types'
import type { KubeObject } from '@slipway/kube/object'
import { applicationType } from '@slipway/model/builds/application'
import { labels } from '@slipway/model/labels'
import type { ReleasePlan } from '@slipway/model/releases/release-plan'
import { anApplication } from '@slipway/model/testing'
import { aReleasePlan } from '@slipway/model/testing/tests-and-releases'
import { expect, signIn, test } from './fixtures'

const name = 'to-production'

const params = (revision: string) => [
  { name: 'token', value: 'git-token' },
  { name: 'url', value: 'https://git.slipway.test/payments/release' },
  { name: 'revision', value: revision },
  { name: 'pathInRepo', value: 'pipelines/release.yaml' },
]
const refTo = (revision: string) => ({ resolver: 'git', params: params(revision), useEmptyDir: true })

interface Edit {
  /** Members of the spec that have the pipeline before. */
  before: Record<string, unknown>
  /** Edits one field. */
  edit(page: Page): Promise<void>
  /** `tenantPipeline` afterwards. */
  after: object
  /** Labels that the edit adds or changes; both flags are always written. */
  labels: Record<string, string>
}

const flags = (isAutomatic: boolean) => ({
  [labels.autoRelease]: String(isAutomatic),
  [labels.standingAttribution]: 'true',
})

const edits: Record<string, Edit> = {
  old: {
    before: { pipelineRef: refTo('main'), serviceAccount: 'releaser' },
    edit: (page) => page.getByRole('textbox', { name: 'Revision' }).fill('v2'),
    after: { pipelineRef: refTo('v2'), serviceAccountName: 'releaser' },
    labels: flags(true),
  },
  middle: {
    before: {
      pipeline: {
        pipelineRef: refTo('main'),
        serviceAccount: 'releaser',
        params: [{ name: 'channel', value: 'stable' }],
        timeouts: { pipeline: '2h0m0s' },
        future: 'kept',
      },
    },
    edit: (page) => page.getByRole('checkbox', { name: 'Auto release' }).uncheck(),
    after: {
      pipelineRef: refTo('main'),
      serviceAccountName: 'releaser',
      params: [{ name: 'channel', value: 'stable' }],
      timeouts: { pipeline: '2h0m0s' },
      future: 'kept',
    },
    labels: flags(false),
  },
}

interface Schema {
  properties: Record<string, Schema>
  'x-kubernetes-preserve-unknown-fields'?: boolean
}
interface Definition extends KubeObject {
  spec: { versions: { schema: { openAPIV3Schema: Schema } }[] }
}

/** Lets a plan have members that neither the console nor the present definition knows, as on a newer platform. */
async function preserveUnknown(system: KubeClient, isPreserved: boolean) {
  const crd = (await system.get(customResourceDefinitionType, 'releaseplans.appstudio.redhat.com')) as Definition
  for (const version of crd.spec.versions) {
    const spec = version.schema.openAPIV3Schema.properties.spec
    for (const part of [spec, spec?.properties.pipeline, spec?.properties.tenantPipeline])
      if (part) part['x-kubernetes-preserve-unknown-fields'] = isPreserved
  }
  await system.replace(customResourceDefinitionType, crd)
}

test.describe.configure({ mode: 'serial' })
test.beforeAll(({ system }) => preserveUnknown(system, true))
test.afterAll(({ system }) => preserveUnknown(system, false))

/** A plan with much that the form does not show. */
const aPlan = (namespace: string, pipeline: object): ReleasePlan => {
  const { spec, ...plan } = aReleasePlan({
    metadata: {
      name,
      namespace,
      labels: { team: 'payments', 'example.com/tier': '1' },
      annotations: { 'example.com/note': 'Ask Ada before you change it.\n' },
    },
    spec: {
      target: namespace,
      releaseGracePeriodDays: 14,
      data: { releaseNotes: { type: 'RHBA' }, mapping: { tags: ['latest'] } },
      finalPipeline: { pipelineRef: refTo('final') },
      collectors: { items: [{ name: 'bugs', type: 'jira', params: [] }], serviceAccountName: 'collector' },
    },
  })
  return { ...plan, spec: { ...spec, ...pipeline, future: { levels: [1, { deep: true }] } } as ReleasePlan['spec'] }
}

for (const [shape, { before: stored, edit, after: tenantPipeline, labels: edited }] of Object.entries(edits))
  test(`PLAN-44, PLAN-51, PLAN-55 a plan of the ${shape} shape loses nothing when it is edited, and gets the current shape`, async ({
    page,
    kubectl,
    namespace,
    system,
  }) => {
    const read = async () =>
      // The API's own format.
      JSON.parse(await kubectl('admin', '-n', namespace, 'get', 'releaseplan', name, '-o', 'json')) as ReleasePlan
    await system.create(applicationType, anApplication({ metadata: { name: 'checkout', namespace } }))
    await kubectl.apply('admin', aPlan(namespace, stored))
    const before = await read()
    expect(before.spec).toMatchObject(stored)
    expect(before.spec).not.toHaveProperty('tenantPipeline')

    await signIn(page, 'admin', paths.editReleasePlan({ namespace, releasePlan: name }))
    await expect(page.getByRole('textbox', { name: 'Git URL' })).toHaveValue(
      'https://git.slipway.test/payments/release',
    )
    await expect(page.getByRole('textbox', { name: 'Revision' })).toHaveValue('main')
    await expect(page.getByRole('textbox', { name: 'Service account' })).toHaveValue('releaser')
    await edit(page)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect(page).toHaveURL(paths.releaseArea({ namespace }))

    const { resourceVersion: _version, generation: _generation, ...metadata } = before.metadata
    const spec = Object.fromEntries(Object.entries(before.spec).filter(([member]) => !(member in stored)))
    expect(await read()).toEqual({
      ...before,
      metadata: {
        ...metadata,
        labels: { ...metadata.labels, ...edited },
        resourceVersion: expect.any(String) as unknown,
        generation: expect.any(Number) as unknown,
      },
      spec: { ...spec, tenantPipeline },
    })
  })
