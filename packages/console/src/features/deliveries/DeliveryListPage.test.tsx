import type { KubeObject } from '@slipway/kube/object'
import { annotations, labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { releaseType } from '@slipway/model/releases/release'
import { anApplication, aPipelineRun, aRelease, aTaskRun, condition } from '@slipway/model/testing'
import { aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { namespace } from '../../../test/cluster'
import { fakeArchive } from '../../../test/fake-archive'
import { renderRoute } from '../../../test/render-route'
import { paths } from '../../paths'

const sha = 'faef902212a6c7cd3c6a79fa778410972259ef03'
const at = { namespace, application: 'checkout' }
const begin = Date.now() - 3 * 60 * 60_000
const time = (minutes: number) => new Date(begin + minutes * 60_000).toISOString()

const finished = (start: number, end: number): PipelineRun['status'] => ({
  startTime: time(start),
  completionTime: time(end),
  conditions: [condition('Succeeded', 'True')],
})
const build = aPipelineRun({
  metadata: {
    name: 'build',
    uid: 'build',
    creationTimestamp: time(0),
    labels: { [labels.commitSha]: sha, [labels.eventType]: 'push' },
    annotations: { [annotations.pacShaTitle]: 'Add a checkout', [labels.snapshot]: 'checkout-1' },
  },
  status: finished(5, 15),
})
const test = aPipelineRun({
  metadata: {
    name: 'unit-tests',
    uid: 'test',
    creationTimestamp: time(17),
    labels: { [labels.pipelineType]: 'test', [labels.scenario]: 'unit', [labels.snapshot]: 'checkout-1' },
  },
  status: finished(18, 38),
})
const release = aRelease({
  metadata: { name: 'release-1', uid: 'release', creationTimestamp: time(40) },
  spec: { snapshot: 'checkout-1' },
  status: {
    startTime: time(40),
    completionTime: time(60),
    conditions: [condition('Released', 'True', 'Succeeded')],
    managedProcessing: { pipelineRun: 'managed/run', startTime: time(50), completionTime: time(60) },
  },
})

/** Renders a page with objects that an archive has: those of the cluster have just been created. */
async function renderArchived(path: string, archived: KubeObject[], objects: KubeObject[] = []) {
  const archive = await fakeArchive(archived)
  return renderRoute(path, {
    objects: [anApplication(), ...objects],
    archives: { kubeArchive: archive.plugin },
  })
}

describe('the deliveries of an application', () => {
  it('are listed with what they waited for', async () => {
    await renderArchived(paths.deliveries(at), [build, test, release])
    // Its release comes with another list.
    const link = await screen.findByRole('link', { name: 'checkout-to-production' })
    expect(link).toHaveAttribute('href', paths.release({ ...at, release: 'release-1' }))
    expect(link.closest('tr')).toHaveTextContent(
      /^Released.*faef902.*Add a checkout.*checkout-api.*checkout-to-production.*1h.*18m/,
    )
    expect(screen.getByRole('link', { name: 'Add a checkout' })).toHaveAttribute(
      'href',
      paths.commit({ ...at, commit: sha }),
    )
    expect(
      screen.getByText(
        'In the last 30 days, half of one delivery took at most 1h from build to release, and nine in ten 1h. ' +
          '30 % of that was waiting, most of it for release pipelines to start.',
      ),
    ).toBeVisible()
  })

  it('say that there are none', async () => {
    await renderRoute(paths.deliveries(at), { objects: [anApplication()] })
    expect(await screen.findByRole('heading', { name: 'No deliveries found' })).toBeVisible()
  })

  it('are not said to be without a release when only their builds, in Tekton Results, could be read', async () => {
    const archive = await fakeArchive([build, test])
    const broken = await fakeArchive()
    broken.failure = 422
    await renderRoute(paths.deliveries(at), {
      objects: [anApplication()],
      archives: { tektonResults: archive.plugin, kubeArchive: broken.plugin },
    })
    const row = (await screen.findByRole('link', { name: 'Add a checkout' })).closest('tr')
    expect(row).toHaveTextContent(/^Unknown/)
    expect(screen.getByText('As far as it is loaded, in the last 30 days nothing was released.')).toBeVisible()
  })

  it('follow the cluster', async () => {
    const snapshot = aSnapshot({ metadata: { name: 'checkout-1', labels: { [labels.buildPipelineRun]: 'build' } } })
    const { cluster } = await renderRoute(paths.deliveries(at), { objects: [anApplication(), build, test, snapshot] })
    expect(await screen.findByText('Not released')).toBeVisible()
    await cluster.system.create(releaseType, release)
    await waitFor(() => expect(screen.getByRole('link', { name: 'checkout-to-production' })).toBeVisible())
    expect(screen.queryByText('Not released')).not.toBeInTheDocument()
  })
})

describe('the delivery of a commit', () => {
  const deliverySection = async () => within(await screen.findByRole('region', { name: 'Delivery' }))

  it('shows its stages, with links to what they made, and what is missing as a gap', async () => {
    await renderArchived(paths.commit({ ...at, commit: sha }), [build, test, release])
    const section = await deliverySection()
    await waitFor(() => {
      const stages = within(section.getByRole('list', { name: 'Stages of the delivery of build' }))
      expect(stages.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
        'Build build, worked 10 minutes, waited 5 minutes for the build to start10m +5m',
        'Snapshot, 2 minutes not known ?2m',
        'Tests unit-tests, worked 20 minutes, waited 1 minute for tests to start20m +1m',
        'Release request, waited 2 minutes for a release to be requested +2m',
        'Release release-1, worked 10 minutes, waited 10 minutes for release pipelines to start10m +10m',
      ])
    })
    expect(section.getByText('checkout-api to checkout-to-production')).toBeVisible()
    expect(section.getByText('1h, of which 18m waiting and 2m not known')).toBeVisible()
    expect(section.getByRole('link', { name: 'All deliveries of checkout' })).toHaveAttribute(
      'href',
      paths.deliveries(at),
    )
  })

  it('is found for a build that is older than those of the application that are loaded', async () => {
    const newer = Array.from({ length: 30 }, (_, index) =>
      aPipelineRun({
        metadata: {
          name: `newer-${index}`,
          uid: `newer-${index}`,
          creationTimestamp: time(60 + index),
          labels: { [labels.commitSha]: 'b'.repeat(40), [labels.eventType]: 'push' },
        },
        status: finished(61 + index, 62 + index),
      }),
    )
    await renderArchived(paths.commit({ ...at, commit: sha }), [build, release, ...newer])
    const section = await deliverySection()
    expect(await section.findByRole('link', { name: 'release-1' })).toBeVisible()
    expect(section.getByRole('list', { name: 'Stages of the delivery of build' })).toBeVisible()
  })

  it('is failed by tests that only its task runs report, in its waterfall too', async () => {
    const taskRun = aTaskRun({
      metadata: { name: 'unit-tests-run', labels: { [labels.pipelineRun]: 'unit-tests' } },
      status: {
        conditions: [condition('Succeeded', 'True')],
        results: [{ name: 'TEST_OUTPUT', value: JSON.stringify({ result: 'FAILURE', failures: 1 }) }],
      },
    })
    await renderArchived(paths.commit({ ...at, commit: sha }), [build, test], [taskRun])
    const section = await deliverySection()
    expect(await section.findByText('Failed')).toBeVisible()
    const bars = section.getAllByTitle(/^worked/).map(({ dataset }) => dataset.tone)
    expect(bars).toEqual(['info', 'danger'])
  })

  it('says that pull requests have none', async () => {
    const ofPullRequest = aPipelineRun({
      metadata: { labels: { [labels.commitSha]: sha, [labels.eventType]: 'pull_request' } },
    })
    await renderRoute(paths.commit({ ...at, commit: sha }), { objects: [anApplication(), ofPullRequest] })
    expect(await (await deliverySection()).findByText('Builds of pull requests are not released.')).toBeVisible()
  })
})
