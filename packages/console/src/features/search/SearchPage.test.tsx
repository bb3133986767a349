import type { KubeObject } from '@slipway/kube/object'
import { annotations, labels } from '@slipway/model/labels'
import { anApplication, aPipelineRun, aRelease, aTaskRun, condition } from '@slipway/model/testing'
import { aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { beforeEach, expect, it, test } from 'vitest'
import { namespace } from '../../../test/cluster'
import { fakeArchive } from '../../../test/fake-archive'
import { renderRoute } from '../../../test/render-route'
import { startViews } from '../../api/views/open-view'
import { paths, searchFor } from '../../paths'

beforeEach(() => startViews())

const sha = '0123456789abcdef0123456789abcdef01234567'
const digest = `sha256:${'a'.repeat(64)}`
const run = aPipelineRun({
  metadata: {
    name: 'web-on-push-x4k2p',
    namespace,
    labels: {
      [labels.application]: 'checkout',
      [labels.commitSha]: sha,
      [labels.eventType]: 'push',
      [labels.pipelineType]: 'build',
    },
    annotations: {
      [annotations.pacShaTitle]: 'Round prices',
      [annotations.pacSender]: 'jane',
      [annotations.pacRepositoryUrl]: 'https://github.com/acme/web',
      [annotations.pacBranch]: 'main',
    },
  },
  status: {
    startTime: '2026-01-31T09:00:00Z',
    conditions: [condition('Succeeded', 'True', 'Completed')],
    results: [
      { name: 'IMAGE_URL', value: 'quay.io/acme/web:1' },
      { name: 'IMAGE_DIGEST', value: digest },
    ],
  },
})
const snapshot = aSnapshot({ metadata: { name: 'checkout-snapshot', namespace, labels: { [labels.commitSha]: sha } } })
const objects = [anApplication(), run, snapshot]

const stepOf = (term: string) =>
  screen
    .getAllByRole('term')
    .find((each) => each.textContent === term)
    ?.closest('div') ?? null

test.each<[string, string[]]>([
  [sha, ['checkout-snapshot', 'web-on-push-x4k2p']],
  [sha.slice(0, 7), ['checkout-snapshot', 'web-on-push-x4k2p']],
  [`https://github.com/acme/web/commit/${sha}`, ['checkout-snapshot', 'web-on-push-x4k2p']],
  [`quay.io/acme/web@${digest}`, ['web-on-push-x4k2p']],
  ['round pri', ['web-on-push-x4k2p']],
  ['jane', ['web-on-push-x4k2p']],
  ['checkout-snap', ['checkout-snapshot']],
  ['web-on-push-x4k2p-build-container-pod', ['web-on-push-x4k2p']],
])('%s finds %j, with its state, place and age', async (text, names) => {
  await renderRoute(searchFor(text), { objects })
  expect(await screen.findByText(new RegExp(`^${names.length} found\\.`))).toBeVisible()
  expect(screen.getAllByRole('link').map((link) => link.textContent)).toEqual(expect.arrayContaining(names))
  const [first = ''] = names
  // After the chain, which links to it too.
  const hit = screen.getAllByRole('link', { name: first }).at(-1)
  expect(hit?.closest('li')).toHaveTextContent(`${namespace} · checkout`)
  expect(screen.getAllByRole('link', { name: sha.slice(0, 7) })[0]).toHaveAttribute(
    'href',
    paths.commit({ namespace, application: 'checkout', commit: sha }),
  )
})

it('says what it took the text for, where it looked, and that there is nothing', async () => {
  const { user } = await renderRoute(paths.search(), { objects })
  const input = await screen.findByRole('textbox')
  await user.type(input, 'https://github.com/acme/web/pull/12{Enter}')
  const status = await screen.findByText(/^Nothing was found\./)
  expect(status).toHaveTextContent('Taken for a pull request.')
  expect(status).toHaveTextContent(`Searched in namespace ${namespace}. No archive is installed.`)
  expect(location.search).toContain('pull%2F12')
})

it('leads to the components of all namespaces with a CVE', async () => {
  await renderRoute(searchFor('cve-2026-1234'), { objects })
  expect(await screen.findByRole('link', { name: 'Components with CVE-2026-1234' })).toHaveAttribute(
    'href',
    `${paths.allVulnerabilities()}?cve=CVE-2026-1234`,
  )
})

it('opens the page of an address that was pasted, of another console too', async () => {
  const { user, router } = await renderRoute(paths.search(), { objects })
  await user.type(await screen.findByRole('textbox'), `https://other.test${paths.applications({ namespace })}{Enter}`)
  await waitFor(() => expect(router.state.location.pathname).toBe(paths.applications({ namespace })))
})

it('says what it could not search', async () => {
  await renderRoute(searchFor('web-on'), {
    objects,
    prepare: (faults) =>
      faults.intercept((path) =>
        path.includes('/snapshots?')
          ? Response.json({ kind: 'Status', code: 403, reason: 'Forbidden' }, { status: 403 })
          : undefined,
      ),
  })
  expect(await screen.findByText(/^Snapshots: /)).toBeVisible()
  expect(await screen.findByText(/^1 found in what could be searched\./)).toBeVisible()
  expect(await screen.findByRole('link', { name: 'web-on-push-x4k2p' })).toBeVisible()
})

const released = [
  ...objects,
  aPipelineRun({
    metadata: {
      name: 'policy-x4k2p',
      namespace,
      labels: {
        [labels.application]: 'checkout',
        [labels.pipelineType]: 'test',
        [labels.scenario]: 'policy',
        [labels.snapshot]: 'checkout-snapshot',
      },
      annotations: { [annotations.testKind]: 'enterprise-contract' },
    },
    status: { conditions: [condition('Succeeded', 'True', 'Completed')] },
  }),
  aRelease({
    metadata: { name: 'checkout-r1', namespace },
    spec: { snapshot: 'checkout-snapshot' },
    status: {
      conditions: [condition('Released', 'True', 'Succeeded')],
      artifacts: { images: [{ name: 'web', urls: ['quay.io/released/web:1'] }] },
    },
  }),
]

it.each([sha, digest, 'web-on-push-x4k2p', 'checkout-snapshot', 'checkout-r1'])(
  '%s leads to the whole chain, from the commit to what was published',
  async (text) => {
    await renderRoute(searchFor(text), { objects: released })
    expect(await screen.findByText('quay.io/released/web:1')).toBeVisible()
    expect(stepOf('Commit')).toHaveTextContent('Round prices')
    expect(stepOf('Build')).toHaveTextContent('web-on-push-x4k2p')
    expect(stepOf('Image')).toHaveTextContent('quay.io/acme/web@sha256:aaaaaaaaaaaa')
    expect(stepOf('Snapshot')).toHaveTextContent('checkout-snapshot')
    expect(stepOf('Release')).toHaveTextContent('checkout-r1')
    expect(stepOf('Published')).toHaveTextContent('quay.io/released/web:1')
  },
)

it('marks what is missing in a chain', async () => {
  await renderRoute(searchFor(sha), { objects })
  await screen.findByRole('heading', { name: 'From commit to release' })
  await waitFor(() => expect(stepOf('Release')).toHaveTextContent('Gap No release of it is in the cluster.'))
  expect(stepOf('Signature')).toHaveTextContent('Gap Tekton Chains has not recorded a signature.')
})

it('lists all chains of what several commits have, and shows one that is expanded', async () => {
  const other = aPipelineRun({
    metadata: {
      name: 'api-on-push-b2k4p',
      namespace,
      labels: { [labels.application]: 'checkout', [labels.commitSha]: 'f'.repeat(40), [labels.pipelineType]: 'build' },
      annotations: { [annotations.pacSender]: 'jane' },
    },
  })
  const { user, container } = await renderRoute(searchFor('jane'), { objects: [...objects, other] })
  expect(await screen.findByRole('heading', { name: 'From commit to release (2 commits)' })).toBeVisible()
  await user.click(screen.getByRole('button', { name: /Round prices/ }))
  await waitFor(() => expect(stepOf('Snapshot')).toHaveTextContent('checkout-snapshot'))
  expect((await axe.run(container)).violations).toEqual([])
})

const inArchive = <T extends KubeObject>({ metadata, ...object }: T) => ({
  ...object,
  metadata: { ...metadata, uid: `uid-${metadata.name}`, creationTimestamp: '2026-01-31T08:59:00Z' },
})
const scope = () => screen.findByText(/Searched in the archives of/)
const hitOf = (name: string) => screen.getAllByRole('link', { name }).at(-1)?.closest('li')

it.each([sha, 'web-on-push', '#12', 'web-on-push-x4k2p-build-pod'])(
  '%s finds what only an archive has',
  async (text) => {
    const taskRun = aTaskRun({
      metadata: { name: 'web-on-push-x4k2p-build', namespace, labels: { [labels.pipelineRun]: 'web-on-push-x4k2p' } },
    })
    const pullRequest = { [labels.pullRequestNumber]: '12' }
    const archivedRun = { ...run, metadata: { ...run.metadata, labels: { ...run.metadata.labels, ...pullRequest } } }
    const archive = await fakeArchive([archivedRun, taskRun].map(inArchive))
    await renderRoute(searchFor(text), { objects: [anApplication()], archives: { kubeArchive: archive.plugin } })
    expect(await scope()).toHaveTextContent('these namespaces (KubeArchive).')
    await waitFor(() => expect(hitOf('web-on-push-x4k2p')).toHaveTextContent(/Succeeded.*Archived.*Round prices/))
    await waitFor(() => expect(stepOf('Build')).toHaveTextContent('Archived'))
    await waitFor(() =>
      expect(stepOf('Snapshot')).toHaveTextContent('No snapshot of it is in the cluster or in the archive.'),
    )
  },
)

it('a chain whose build and release only the archive has is whole', async () => {
  const [release] = released.filter(({ kind }) => kind === 'Release')
  if (!release) throw new Error('There is no release')
  const archive = await fakeArchive([run, release].map(inArchive))
  const objects = released.filter((each) => each !== run && each !== release)
  const { container } = await renderRoute(searchFor('checkout-snapshot'), {
    objects,
    archives: { kubeArchive: archive.plugin },
  })
  expect(await screen.findByText('quay.io/released/web:1')).toBeVisible()
  await waitFor(() => expect(stepOf('Build')).toHaveTextContent('web-on-push-x4k2p Archived'))
  expect(stepOf('Release')).toHaveTextContent('checkout-r1 Archived')
  expect(stepOf('Snapshot')).not.toHaveTextContent('Archived')
  expect((await axe.run(container)).violations).toEqual([])
})

it('looks through an archive for what it cannot select only when it is asked to, a page at a time', async () => {
  const others = Array.from({ length: 200 }, (_, index) =>
    aPipelineRun({ metadata: { name: `other-${index}`, namespace, creationTimestamp: '2026-02-01T00:00:00Z' } }),
  )
  const archive = await fakeArchive([
    ...others.map((each) => ({ ...each, metadata: { ...each.metadata, uid: each.metadata.name } })),
    inArchive(run),
  ])
  const { user } = await renderRoute(searchFor(digest), {
    objects: [anApplication()],
    archives: { kubeArchive: archive.plugin },
  })
  const status = await screen.findByText(/^Nothing was found\./)
  expect(status).toHaveTextContent('Archives were not searched: they select only names, full SHAs and pull requests.')
  expect(archive.requests).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Also look in the archive of one more namespace' }))
  await scope()
  expect(screen.queryByRole('link', { name: 'web-on-push-x4k2p' })).not.toBeInTheDocument()
  await user.click(await screen.findByRole('button', { name: 'Look further back' }))
  await waitFor(() => expect(hitOf('web-on-push-x4k2p')).toHaveTextContent('Archived'))
})

it('names the archive that failed, and searches it again', async () => {
  const archive = await fakeArchive([inArchive(run)])
  archive.failure = 422
  const { user } = await renderRoute(searchFor('web-on-push'), {
    objects: [anApplication()],
    archives: { kubeArchive: archive.plugin },
  })
  const failure = await screen.findByText(/^Could not search the archive of namespace/)
  archive.failure = undefined
  await user.click(within(failure).getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(hitOf('web-on-push-x4k2p')).toHaveTextContent('Archived'))
})
