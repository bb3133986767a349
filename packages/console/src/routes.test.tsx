import type { KubeObject } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import { aComponent, anApplication, aPipelineRun, aRelease, aTaskRun } from '@slipway/model/testing'
import { aReleasePlan, anIntegrationTestScenario } from '@slipway/model/testing/tests-and-releases'
import { screen } from '@testing-library/react'
import { matchRoutes } from 'react-router'
import { describe, expect, it } from 'vitest'
import { namespace } from '../test/cluster'
import { renderRoute } from '../test/render-route'
import { paths, pattern } from './paths'
import { pathsOf } from './preload/page-patterns'
import { routes } from './routes'

const at = { namespace, application: 'checkout' }
const run = { ...at, pipelineRun: 'bare-run' }
const release = { ...at, release: 'checkout-x4k2p' }
const withoutSpec = (object: KubeObject): KubeObject => ({ ...object, spec: undefined }) as KubeObject
const ofRun = { [labels.component]: 'api', [labels.commitSha]: 'abcdef0123', [labels.eventType]: 'push' }

describe('objects without a spec, which clusters accept for many kinds, do not break', () => {
  const objects = [
    anApplication(),
    aComponent({ metadata: { name: 'api' } }),
    ...[
      aRelease(),
      aReleasePlan(),
      anIntegrationTestScenario(),
      aPipelineRun({ metadata: { name: run.pipelineRun, labels: ofRun } }),
      aTaskRun({ metadata: { name: 'bare-task', labels: { [labels.pipelineRun]: run.pipelineRun } } }),
    ].map(withoutSpec),
  ]
  it.each([
    ['the overview of an application', `${paths.application(at)}?view=list`, 'Build api'],
    ['its components', paths.components(at), 'View build logs'],
    ['the runs of all applications', paths.pipelineRuns(at), run.pipelineRun],
    ['its commits', paths.activityTab({ ...at, activityTab: 'latest-commits' }), 'abcdef0'],
    ['its runs', paths.activityTab({ ...at, activityTab: 'pipelineruns' }), run.pipelineRun],
    ['a commit', `${paths.commit({ ...at, commit: 'abcdef0123' })}?view=list`, 'Push api'],
    ['a component', paths.component({ ...at, component: 'api' }), 'View build logs'],
    ['a run', `${paths.pipelineRun(run)}?view=list`, 'Pipeline run details'],
    ['the task runs of a run', paths.pipelineRunTaskRuns(run), 'bare-task'],
    ['its releases', paths.releases(at), 'checkout-x4k2p'],
    ['a release', paths.release(release), 'Release details'],
    ['the runs of a release', paths.releasePipelineRuns(release), 'No pipeline runs found'],
    ['the artifacts of a release', paths.releaseArtifacts(release), 'No release artifacts images found'],
    ['a task run', paths.taskRunDetails({ ...at, taskRun: 'bare-task' }), 'bare-task'],
  ])('on the page of %s', async (_, path, text) => {
    await renderRoute(path, { objects })
    expect((await screen.findAllByText((_, element) => element?.textContent === text))[0]).toBeVisible()
    expect(screen.queryByText('Oh no! Something went wrong.')).not.toBeInTheDocument()
  })
})

it('ITS-06, ITS-43 an object of any kind has a page of its own, even if its name is a part of an address', () => {
  const addresses = pathsOf(routes).map((path) => path.split('/'))
  const screenAt = (path: string) => {
    const route = matchRoutes(routes, path.split('?')[0] ?? '')?.at(-1)?.route
    return route?.lazy ?? route?.loader
  }
  // Every parameter is a string.
  const builders = Object.values(paths) as ((params: Record<string, string>) => string)[]
  const taken = builders.flatMap((build) => {
    const parts = pattern(build).split('/')
    const params = parts.flatMap((part) => /^:(\w+)/.exec(part)?.[1] ?? [])
    const plain = Object.fromEntries(params.map((param) => [param, 'x1']))
    const own = screenAt(build(plain))
    // What the parameters stand for is the name of an object, except that of a tab.
    const names = params.filter((param) => param !== 'activityTab')
    return names.flatMap((name) => {
      const index = parts.findIndex((part) => part.startsWith(`:${name}`))
      const words = new Set(addresses.map((address) => address[index] ?? '').filter((word) => /^[a-z]/.test(word)))
      return [...words].map((word) => build({ ...plain, [name]: word })).filter((path) => screenAt(path) !== own)
    })
  })
  expect(taken).toEqual([])
})

it('ITS-06 an integration test with the name of the form that adds one has its own page', async () => {
  const test = anIntegrationTestScenario({ metadata: { name: 'add' }, spec: { application: 'checkout' } })
  const { user } = await renderRoute(paths.integrationTests(at), { objects: [anApplication(), test] })
  await user.click(await screen.findByRole('link', { name: 'add' }))
  expect(await screen.findByRole('heading', { name: 'add', level: 1 })).toBeVisible()
})
