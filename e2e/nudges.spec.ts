import { paths } from '@slipway/console/paths'
import { annotations } from '@slipway/model/labels'
import { componentType } from '@slipway/model/builds/component'
import { aComponent } from '@slipway/model/testing'
import {
  action,
  activity,
  application,
  createApplication,
  ending,
  neverReloads,
  openActions,
  patient,
  rowOf,
  runRow,
  statusIn,
  test,
  undisturbed,
} from './builds'
import { expect, expectAccessible, signIn } from './fixtures'

/** A fan and a chain: `base` nudges `api` and `web`, `api` nudges `docs`, and that nudges `cli`. */
const relations = { base: ['api', 'web'], api: ['docs'], docs: ['cli'] }
const names = ['base', 'api', 'web', 'docs', 'cli']

test(
  'NUDGE-05, NUDGE-15, NUDGE-19 related components are saved, and a build of the first one nudges its own only, live',
  { tag: '@cluster' },
  async ({ page, namespace, system }) => {
    await createApplication(system, namespace)
    for (const name of names)
      await system.create(
        componentType,
        aComponent({
          metadata: {
            name,
            namespace,
            annotations: {
              ...undisturbed,
              ...ending({}),
              // Its pipelines are in the repository already.
              [annotations.buildRequest]: 'configure-pac-no-mr',
              [annotations.buildPipeline]: JSON.stringify({ name: 'fbc-builder', bundle: 'latest' }),
            },
          },
          spec: { application, source: { git: { url: `https://github.com/${namespace}/${name}`, revision: 'main' } } },
        }),
      )
    const listed = async () => (await system.list(componentType, { namespace })).items
    const isSetUp = async () =>
      (await listed()).filter(({ metadata }) => metadata.annotations?.[annotations.buildStatus]?.includes('"enabled"'))
    await expect.poll(isSetUp, patient).toHaveLength(names.length)

    await signIn(page, 'admin', paths.component({ namespace, application, component: 'base' }))
    await test.step('the relations are defined', async () => {
      const dialog = page.getByRole('dialog', { name: 'Component relationships' })
      await page.getByRole('button', { name: 'Define component relationships' }).click()
      for (const [index, [source, targets]] of Object.entries(relations).entries()) {
        if (index > 0) await dialog.getByRole('button', { name: 'Add relationship' }).click()
        const row = dialog.getByRole('group', { name: `Relationship ${index + 1}` })
        await row.getByRole('button', { name: /^Component / }).click()
        await dialog.getByRole('option', { name: source, exact: true }).click()
        const related = row.getByRole('button', { name: /^Related components / })
        await related.click()
        for (const target of targets) await dialog.getByRole('option', { name: target, exact: true }).click()
        await related.click()
      }
      await expectAccessible(page, 'nudges-relationships')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByRole('dialog', { name: 'Relationships updated!' })).toBeVisible()
      await page.getByRole('button', { name: 'Done' }).click()
      const stored = (await listed()).flatMap(({ metadata, spec }) =>
        spec['build-nudges-ref'] ? [[metadata.name, spec['build-nudges-ref']]] : [],
      )
      expect(Object.fromEntries(stored)).toEqual(relations)
    })

    await test.step('the first component is built', async () => {
      await openActions(page, 'base')
      await action(page, 'Start new build').click()
      await expect(page.getByText('New build requested.')).toBeVisible()
      await page.goto(activity(namespace, 'latest-commits'))
    })

    await test.step('the components that it nudges get pull requests, live', async () => {
      const hasNotReloaded = await neverReloads(page)
      const nudges = page
        .getByRole('table', { name: 'Commits' })
        .getByRole('row')
        .filter({ hasText: /update base to/ })
      await expect(nudges).toHaveCount(2, patient)
      for (const name of relations.base)
        await expect(nudges.filter({ has: page.getByRole('link', { name, exact: true }) })).toHaveCount(1)
      await expectAccessible(page, 'nudges-commits')
      await page.getByRole('tab', { name: 'Pipeline runs' }).click()
      await expect(statusIn(runRow(page, /^base-on-push-/))).toHaveText(/^Succeeded/, patient)
      for (const name of relations.base)
        await expect(statusIn(runRow(page, new RegExp(`^${name}-on-pull-request-`)))).toHaveText(/^Succeeded/, patient)
      // A build of a pull request nudges none: the rest of the chain waits for its merge.
      await expect(rowOf(page, 'Pipeline runs', /^(docs|cli)-/)).toHaveCount(0)
      await expectAccessible(page, 'nudges-runs')
      hasNotReloaded()
    })
  },
)
