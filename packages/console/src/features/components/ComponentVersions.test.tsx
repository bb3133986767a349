import type { ComponentVersion } from '@slipway/model/builds/component'
import { annotations, labels } from '@slipway/model/labels'
import { aComponent, anApplication, aPipelineRun, condition } from '@slipway/model/testing'
import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { namespace } from '../../../test/cluster'
import { renderRoute } from '../../../test/render-route'
import { paths } from '../../paths'

const at = { namespace, application: 'checkout', component: 'api' }

const version = (name: string, rest: Partial<ComponentVersion> = {}): ComponentVersion => ({
  name,
  revision: name,
  ...rest,
})
const build = (name: string, minute: number, branch: string, mark?: string) =>
  aPipelineRun({
    metadata: {
      name,
      labels: {
        [labels.component]: 'api',
        [labels.eventType]: 'push',
        ...(mark && { [labels.version]: mark }),
      },
      annotations: { [annotations.branch]: branch },
    },
    status: {
      startTime: `2026-01-31T09:0${minute}:00Z`,
      completionTime: `2026-01-31T09:0${minute}:30Z`,
      conditions: [condition('Succeeded', name.includes('failed') ? 'False' : 'True')],
    },
  })
const api = aComponent({
  metadata: { name: 'api' },
  spec: {
    source: {
      git: undefined,
      url: 'https://github.com/payments/api',
      versions: [
        version('main'),
        version('v1', { revision: 'release-1', context: 'server', dockerfileUri: 'Containerfile' }),
        version('v2', { 'build-pipeline': { push: { 'pipelineref-by-name': 'fast' } } }),
        version('old', { 'skip-builds': true }),
      ],
    },
    'default-build-pipeline': { 'pull-and-push': { 'pipelinespec-from-bundle': { name: 'docker', bundle: 'latest' } } },
  },
  status: {
    versions: [
      {
        name: 'main',
        'onboarding-status': 'succeeded',
        'configuration-merge-url': 'https://github.com/payments/api/pull/1',
      },
      { name: 'v2', 'onboarding-status': 'failed', message: 'The branch v2 does not exist' },
    ],
  },
})
const builds = [
  build('main-failed', 5, 'main', 'main'),
  build('main-before', 1, 'main'),
  build('of-v1', 3, 'release-1'),
]

const versions = async () => {
  const section = (await screen.findByRole('heading', { name: 'Versions' })).closest('section') ?? expect.fail()
  const rowOf = async (name: string) =>
    within((await within(section).findByRole('rowheader', { name })).closest('tr') ?? expect.fail())
  return { rowOf }
}

it('the versions of a component have their branch, directory, Dockerfile, latest build and pipelines', async () => {
  await renderRoute(paths.component(at), { objects: [anApplication(), api, ...builds] })
  const { rowOf } = await versions()
  const main = await rowOf('main')
  expect(await main.findByText('Failed')).toBeVisible()
  expect(main.getByRole('link', { name: /^main/ })).toHaveAttribute('href', 'https://github.com/payments/api/tree/main')
  expect(main.getByText('Root')).toBeVisible()
  expect(main.getByRole('link', { name: /logs/ })).toHaveAttribute(
    'href',
    paths.pipelineRunLogs({ ...at, pipelineRun: 'main-failed' }),
  )
  expect(main.queryByText(/Found by its branch/)).toBeNull()
  expect(main.getByText(/docker, newest of the platform/)).toBeVisible()
  expect(main.getByText('As for every version')).toBeVisible()
  expect(main.getByRole('link', { name: /^Pull request/ })).toHaveAttribute(
    'href',
    'https://github.com/payments/api/pull/1',
  )
  const v1 = await rowOf('v1')
  expect(v1.getByText('Succeeded')).toBeVisible()
  expect(v1.getByText(/Found by its branch/)).toBeVisible()
  expect(v1.getByText('server')).toBeVisible()
  expect(v1.getByText('Containerfile')).toBeVisible()
  expect(v1.getByText('Not set up yet')).toBeVisible()
  const v2 = await rowOf('v2')
  expect(v2.getByText('None among the known builds')).toBeVisible()
  expect(v2.getByText(/fast in \.tekton/)).toBeVisible()
  expect(v2.queryByText('As for every version')).toBeNull()
  expect(v2.getByText('Setup failed')).toBeVisible()
  expect(v2.getByText('The branch v2 does not exist')).toBeVisible()
  expect((await rowOf('old')).getByText('Builds are turned off')).toBeVisible()
})

it('a component without versions has no section for them', async () => {
  await renderRoute(paths.component(at), { objects: [anApplication(), aComponent({ metadata: { name: 'api' } })] })
  await screen.findByRole('heading', { name: 'Component details' })
  expect(screen.queryByRole('heading', { name: 'Versions' })).toBeNull()
})

it('a version whose builds could not be read has an unknown one, and not none', async () => {
  await renderRoute(paths.component(at), {
    objects: [anApplication(), api],
    prepare: (faults) => {
      faults.intercept((path) =>
        path.includes('/pipelineruns')
          ? Response.json({ kind: 'Status', code: 403, reason: 'Forbidden', message: 'no' }, { status: 403 })
          : undefined,
      )
    },
  })
  const { rowOf } = await versions()
  expect(await (await rowOf('v2')).findByText('Unknown: some builds could not be read')).toBeVisible()
})
