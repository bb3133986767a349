import type { Page } from '@playwright/test'
import { paths } from '@slipway/console/paths'
import type { KubeClient } from '@slipway/kube/client'
import { annotations, labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { applicationType } from '@slipway/model/builds/application'
import { componentType } from '@slipway/model/builds/component'
import { aComponent, anApplication, aPipelineRun, condition } from '@slipway/model/testing'
import { expect, expectAccessible, signIn, test } from './fixtures'

test(
  'NUDGE-07, NUDGE-15, NUDGE-19, NUDGE-20 components are related, a cycle is refused, and a relation is reversed',
  { tag: '@cluster' },
  async ({ page, namespace, system }) => {
    const at = { namespace, application: 'checkout' }
    await system.create(applicationType, anApplication({ metadata: { name: 'checkout', namespace } }))
    for (const [name, nudges] of Object.entries({ api: ['web'], web: ['docs'], docs: undefined, cli: undefined }))
      await system.create(
        componentType,
        aComponent({ metadata: { name, namespace }, spec: { ...(nudges && { 'build-nudges-ref': nudges }) } }),
      )
    const stored = async () =>
      Object.fromEntries(
        (await system.list(componentType, { namespace })).items.map(({ metadata, spec }) => [
          metadata.name,
          spec['build-nudges-ref'],
        ]),
      )
    const { dialog, choose } = relationshipsDialog(page)

    await signIn(page, 'admin', paths.component({ ...at, component: 'api' }))
    await page.getByRole('button', { name: 'Define component relationships' }).click()
    await expect(dialog.getByRole('group', { name: /^Relationship \d$/ })).toHaveCount(2)
    await expectAccessible(page, 'relationships')
    await dialog.getByRole('button', { name: 'Add relationship' }).click()
    await choose(3, 'Component', 'docs')
    await choose(3, 'Related components', 'api', 'cli')
    await expect(
      dialog.getByText(/^These relationships form a cycle: api nudges web nudges docs nudges api/),
    ).toBeVisible()
    await expectAccessible(page, 'relationships-cycle')
    await dialog.getByRole('button', { name: 'Remove api' }).click()
    await choose(2, 'Relationship', 'Is nudged by')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('dialog', { name: 'Relationships updated!' })).toBeVisible()
    await expectAccessible(page, 'relationships-updated')
    await page.getByRole('button', { name: 'Done' }).click()
    expect(await stored()).toEqual({ api: ['web'], web: [], docs: ['web', 'cli'] })
    await expect(
      page.getByRole('region', { name: 'Component details' }).getByRole('link', { name: 'web' }),
    ).toBeVisible()
    await expectAccessible(page, 'component-with-relationships')
  },
)

test(
  'what rebuilds after a component is shown in waves, in the dialog before it is saved, and in the workflow',
  { tag: '@cluster' },
  async ({ page, namespace, system }) => {
    const at = { namespace, application: 'checkout' }
    await system.create(applicationType, anApplication({ metadata: { name: 'checkout', namespace } }))
    // A fan, of which one branch is a chain; nothing builds `docs` yet.
    const nudges = { base: ['api', 'cli'], api: ['web'], web: ['docs'], cli: [], docs: [] }
    const ready = { [annotations.buildStatus]: JSON.stringify({ pac: { state: 'enabled' } }) }
    for (const [name, targets] of Object.entries(nudges))
      await system.create(
        componentType,
        aComponent({ metadata: { name, namespace, annotations: ready }, spec: { 'build-nudges-ref': targets } }),
      )
    for (const [name, minutes] of Object.entries({ base: 2, api: 6, web: 3, cli: 4 }))
      await createBuild(system, namespace, name, minutes)

    await signIn(page, 'admin', paths.component({ ...at, component: 'base' }))
    const ripple = page.getByRole('region', { name: 'What rebuilds after this component' })
    await expect(ripple.getByText(/rebuilds 3 other components in 2 waves\. Builds take about 9 min/)).toBeVisible()
    const waves = ripple.getByRole('definition')
    await expect(waves).toHaveText([
      /^api \(6 min, 1 build\)\s*cli \(4 min, 1 build\)\s*— rebuilt after about 6 min$/,
      /^web \(3 min, 1 build\)\s*— rebuilt after about 9 min$/,
      /^docs stops here: its build pipeline is not ready\s*Merge pull request$/,
    ])
    await expectAccessible(page, 'component-ripple')

    const { dialog, choose } = relationshipsDialog(page)
    await page.getByRole('button', { name: 'Define component relationships' }).click()
    await dialog.getByRole('button', { name: 'What rebuilds with these relationships' }).click()
    await expect(dialog.getByText(/^A new image of base rebuilds 3 other components in 2 waves/)).toBeVisible()
    await expectAccessible(page, 'relationships-ripple')
    await dialog.getByRole('button', { name: 'Add relationship' }).click()
    await choose(4, 'Component', 'cli')
    await choose(4, 'Related components', 'base', 'web')
    await expect(dialog.getByText(/^These relationships form a cycle: base nudges cli nudges base/)).toBeVisible()
    await expect(dialog.getByText(/^Builds would follow each other without end/)).toBeVisible()
    await expect(dialog.getByText(/^A new image of/)).toBeHidden()
    await dialog.getByRole('button', { name: 'Remove base' }).click()
    await expect(dialog.getByText(/^A new image of base rebuilds 3 other components in 2 waves/)).toBeVisible()
    await expect(dialog.getByText('web (2 pull requests, 3 min, 1 build)')).toBeVisible()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await expect(waves.nth(1)).toHaveText(/^web \(2 pull requests, 3 min, 1 build\)\s*— rebuilt after about 9 min$/)

    await page.goto(`${paths.application(at)}?workflow=expanded`)
    const graph = page.getByRole('application', { name: 'Workflow of checkout' })
    await graph.getByRole('button', { name: 'web, main, nudges docs; nudged by api, cli' }).click()
    const panel = page.getByRole('region', { name: 'web' })
    await expect(panel.getByRole('link', { name: 'docs' })).toBeVisible()
    await expect(panel.getByRole('link', { name: 'cli' })).toBeVisible()
    await expectAccessible(page, 'workflow-with-relationships')
    await panel.getByRole('link', { name: 'cli' }).click()
    await expect(page.getByRole('heading', { name: 'cli', level: 1 })).toBeVisible()
  },
)

/** A successful push build of a component. */
async function createBuild(system: KubeClient, namespace: string, component: string, minutes: number) {
  const startTime = '2026-01-31T09:00:00Z'
  const completionTime = new Date(Date.parse(startTime) + minutes * 60_000).toISOString()
  const created = await system.create(
    pipelineRunType,
    aPipelineRun({
      metadata: {
        name: `${component}-on-push-1`,
        namespace,
        labels: { [labels.component]: component, [labels.eventType]: 'push' },
        annotations: { [annotations.pacSender]: 'ada' },
      },
    }),
  )
  const status = { startTime, completionTime, conditions: [condition('Succeeded', 'True')] }
  await system.replaceStatus(pipelineRunType, { ...created, status })
}

/** The dialog, and the function that selects in one of the fields of a row. */
function relationshipsDialog(page: Page) {
  const dialog = page.getByRole('dialog', { name: 'Component relationships' })
  const choose = async (row: number, field: string, ...values: string[]) => {
    const toggle = dialog
      .getByRole('group', { name: `Relationship ${row}` })
      .getByRole('button', { name: new RegExp(`^${field} `) })
    await toggle.click()
    for (const value of values) await dialog.getByRole('option', { name: value, exact: true }).click()
    if (field === 'Related components') await toggle.click()
  }
  return { dialog, choose }
}
