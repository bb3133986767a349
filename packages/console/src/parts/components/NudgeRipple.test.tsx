import { annotations, labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { componentType } from '@slipway/model/builds/component'
import { aComponent, anApplication, aPipelineRun, condition } from '@slipway/model/testing'
import { screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { describe, expect, it } from 'vitest'
import { namespace } from '../../../test/cluster'
import { fakeArchive } from '../../../test/fake-archive'
import { grantTo } from '../../../test/grant-to'
import { renderRoute } from '../../../test/render-route'
import { paths } from '../../paths'

const at = { namespace, application: 'checkout' }
const page = paths.component({ ...at, component: 'api' })

/** A component whose pipeline is ready once it has a build. */
const component = (name: string, nudges: string[] = [], application = 'checkout', state = 'enabled') =>
  aComponent({
    metadata: { name, annotations: { [annotations.buildStatus]: JSON.stringify({ pac: { state } }) } },
    spec: { application, 'build-nudges-ref': nudges },
  })
const build = (name: string, minutes: number, application = 'checkout') =>
  aPipelineRun({
    metadata: {
      name: `${name}-${minutes}`,
      namespace,
      uid: `${name}-${minutes}`,
      creationTimestamp: '2026-01-31T09:00:00Z',
      labels: { [labels.application]: application, [labels.component]: name, [labels.eventType]: 'push' },
      annotations: { [annotations.pacSender]: 'ada' },
    },
    status: {
      startTime: '2026-01-31T09:00:00Z',
      completionTime: new Date(Date.parse('2026-01-31T09:00:00Z') + minutes * 60_000).toISOString(),
      conditions: [condition('Succeeded', 'True')],
    },
  })

const region = () => screen.findByRole('region', { name: 'What rebuilds after this component' })
/** The terms and descriptions of the list of waves. */
const facts = async () => {
  const list = await within(await region()).findByLabelText('What rebuilds after api')
  const [terms, descriptions] = (['term', 'definition'] as const).map((role) =>
    within(list)
      .getAllByRole(role)
      .map(({ textContent }) => textContent),
  )
  return terms?.map((term, index) => `${term}: ${descriptions?.[index]}`)
}
const summary = async () => (await within(await region()).findByText(/^A new image of api/)).textContent

describe('what rebuilds after a component', () => {
  const chainAndFan = [
    anApplication(),
    component('api', ['web', 'cli']),
    component('web', ['docs']),
    component('cli', ['docs', 'proxy']),
    component('docs'),
    component('proxy', [], 'edge'),
  ]
  const builds = [build('web', 6), build('web', 8), build('web', 60), build('cli', 2), build('docs', 3)]

  it('is in waves, with the minutes of past builds, and links to each component in its own application', async () => {
    await renderRoute(page, { objects: [...chainAndFan, ...builds, build('proxy', 5, 'edge')] })
    expect(await facts()).toEqual([
      'Wave 1: web (8 min, 3 builds)cli (2 min, 1 build)— rebuilt after about 8 min',
      'Wave 2: docs (2 pull requests, 3 min, 1 build)proxy (in edge, 5 min, 1 build)— rebuilt after about 11 min',
    ])
    expect(await summary()).toBe(
      'A new image of api rebuilds 4 other components in 2 waves. Builds take about 11 min, plus the time until each pull request is merged. Minutes are medians of up to 5 successful push builds.',
    )
    const link = within(await region()).getByRole('link', { name: 'proxy' })
    expect(link).toHaveAttribute('href', paths.component({ namespace, application: 'edge', component: 'proxy' }))
    const { violations } = await axe.run(await region(), { rules: { 'color-contrast': { enabled: false } } })
    expect(violations.map(({ id }) => id)).toEqual([])
  })

  it('has an unknown time, never zero minutes, without a successful build', async () => {
    const failed = {
      ...build('web', 6),
      status: { ...build('web', 6).status, conditions: [condition('Succeeded', 'False')] },
    }
    await renderRoute(page, {
      objects: [
        anApplication(),
        component('api', ['web']),
        component('web', ['docs']),
        component('docs'),
        failed,
        build('docs', 3),
      ],
    })
    expect(await facts()).toEqual([
      'Wave 1: web (unknown, no successful build)— rebuilt after an unknown time',
      'Wave 2: docs (3 min, 1 build)— rebuilt after at least 3 min',
    ])
    expect(await summary()).toContain('Builds take at least 3 min, plus')
  })

  it('stops where a pipeline is not ready or a component does not exist, and says what is not reached', async () => {
    const objects = [
      anApplication(),
      component('api', ['web', 'gone', 'cli']),
      component('web', ['docs']),
      component('docs', ['site']),
      component('site'),
      component('cli', [], 'checkout', 'error'),
    ]
    await renderRoute(page, { objects })
    expect(await facts()).toEqual([
      expect.stringMatching(
        /^Wave 1: web stops here: its build pipeline is not ready.*Merge pull request.*gone stops here: it does not exist.*cli stops here: its build pipeline is not ready.*Pull request failed/,
      ),
      'Not reached: docssite',
    ])
    expect(await summary()).toBe('A new image of api rebuilds no other component.')
    expect(within(await region()).queryByRole('link', { name: 'gone' })).not.toBeInTheDocument()
  })

  it('names a cycle that is stored, and ends', async () => {
    await renderRoute(page, {
      objects: [
        anApplication(),
        component('api', ['web']),
        component('web', ['api']),
        build('web', 6),
        build('api', 2),
      ],
    })
    expect(await summary()).toBe('A new image of api rebuilds 1 other component in 1 wave.')
    expect(
      within(await region()).getByText(/These relationships form a cycle: api nudges web nudges api\./),
    ).toBeVisible()
    expect(await facts()).toEqual(['Wave 1: web (6 min, 1 build)— rebuilt after about 6 min'])
  })

  it('follows the cluster', async () => {
    const { cluster } = await renderRoute(page, { objects: [...chainAndFan, ...builds, build('proxy', 5, 'edge')] })
    await screen.findByRole('button', { name: 'Live' })
    expect(await facts()).toHaveLength(2)
    const path = '/spec/build-nudges-ref'
    await cluster.system.patch(componentType, 'docs', [{ op: 'replace', path, value: ['proxy'] }], { namespace })
    await waitFor(async () => expect(await facts()).toHaveLength(3))
    expect((await facts())?.[2]).toBe('Wave 3: proxy (in edge, again, 5 min, 1 build)— rebuilt after about 16 min')
  })

  it('is not shown for a component that nudges nothing', async () => {
    await renderRoute(paths.component({ ...at, component: 'docs' }), { objects: [...chainAndFan, ...builds] })
    const define = await screen.findByRole('button', { name: 'Define component relationships' })
    // The components are loaded by then.
    await waitFor(() => expect(define).not.toHaveAttribute('aria-disabled', 'true'))
    expect(screen.queryByRole('region', { name: 'What rebuilds after this component' })).not.toBeInTheDocument()
  })
})

describe('the builds that it is derived from', () => {
  const objects = [anApplication(), component('api', ['web']), component('web')]

  it('include archived ones', async () => {
    const archive = await fakeArchive([build('web', 6), build('web', 4)])
    await renderRoute(page, {
      objects: [...objects, build('web', 5)],
      archives: { kubeArchive: archive.plugin },
    })
    await waitFor(async () =>
      expect(await facts()).toEqual(['Wave 1: web (5 min, 3 builds)— rebuilt after about 5 min']),
    )
  })

  it('are those in the cluster if the archive fails, with the reason', async () => {
    const archive = await fakeArchive()
    archive.failure = 422
    await renderRoute(page, {
      objects: [...objects, build('web', 5)],
      archives: { kubeArchive: archive.plugin },
    })
    expect(await facts()).toEqual(['Wave 1: web (5 min, 1 build)— rebuilt after about 5 min'])
    const alert = within(await region())
      .getByText('Some builds could not be read')
      .closest('.pf-v6-c-alert')
    expect(alert).toHaveTextContent('the archive is unavailable')
  })

  it('are unknown if the user may not list pipeline runs, with the reason', async () => {
    const { group } = componentType
    await renderRoute(page, {
      as: 'outsider',
      objects: [
        ...objects,
        ...grantTo({ apiGroups: [group], resources: ['components', 'applications'], verbs: ['get', 'list', 'watch'] }),
      ],
    })
    expect(await facts()).toEqual([
      expect.stringMatching(
        /^Wave 1: web \(unknown\)— rebuilt after an unknown time.*web may stop here: its build pipeline is unknown$/,
      ),
    ])
    const alert = within(await region())
      .getByText('Some builds could not be read')
      .closest('.pf-v6-c-alert')
    expect(alert).toHaveTextContent(new RegExp(`cannot list resource "${pipelineRunType.plural}"`))
  })
})
