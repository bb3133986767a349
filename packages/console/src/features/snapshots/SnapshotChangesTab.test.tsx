import { type KubeObject, nameOf } from '@slipway/kube/object'
import { annotations, copiedPacKey, labels } from '@slipway/model/labels'
import { type Snapshot, type SnapshotComponent, snapshotType } from '@slipway/model/snapshots/snapshot'
import { anApplication, aPipelineRun, aRelease, aTaskRun, condition } from '@slipway/model/testing'
import { aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { describe, expect, it } from 'vitest'
import { namespace } from '../../../test/cluster'
import { fakeArchive } from '../../../test/fake-archive'
import { renderRoute } from '../../../test/render-route'
import { seeTooltip } from '../../../test/tooltip'
import { paths } from '../../paths'

const at = { namespace, application: 'checkout' }
const page = (snapshot: string, from?: string) =>
  paths.snapshotChanges({ ...at, snapshot }) + (from ? `?from=${from}` : '')
const application = anApplication()

const sha = (digit: string) => digit.repeat(40)
const image = (digit: string) => `registry.slipway.test/shop@sha256:${digit.repeat(64)}`
const component = (name: string, digit: string): SnapshotComponent => ({
  name,
  containerImage: image(digit),
  source: { git: { url: `https://github.com/shop/${name}`, revision: sha(digit) } },
})
/** Marks of the metadata are added to those of a push. */
const snapshot = (
  name: string,
  components: SnapshotComponent[],
  marks: { title?: string; labels?: Record<string, string> } = {},
): Snapshot =>
  aSnapshot({
    metadata: {
      name,
      labels: marks.labels ?? {},
      annotations: { [copiedPacKey(annotations.pacShaTitle)]: marks.title ?? `Commit of ${name}` },
    },
    spec: { components },
  })
const first = snapshot('shop-1', [component('api', 'a'), component('old', 'c'), component('same', 'd')])
const second = snapshot('shop-2', [component('api', 'b'), component('same', 'd')])
const third = snapshot('shop-3', [component('api', 'b'), component('new', 'e'), component('same', 'd')])
const pullRequest = snapshot('shop-0-pr', [component('api', 'f')], {
  title: 'Try something',
  labels: { [copiedPacKey(labels.eventType)]: 'pull_request', [copiedPacKey(labels.pullRequestNumber)]: '7' },
})
const release = (of: string) =>
  aRelease({
    metadata: { name: `${of}-release` },
    spec: { snapshot: of },
    status: { completionTime: '2026-01-31T04:00:00Z', conditions: [condition('Released', 'True', 'Succeeded')] },
  })
const archived = (object: Snapshot): Snapshot => ({
  ...object,
  metadata: {
    ...object.metadata,
    namespace,
    uid: `uid-of-${nameOf(object)}`,
    creationTimestamp: '2026-01-31T09:00:00Z',
  },
})
const build = (name: string, digit: string) =>
  aPipelineRun({
    metadata: { name, labels: { [labels.commitSha]: sha(digit), [labels.component]: 'api' } },
    status: {
      conditions: [condition('Succeeded', 'True')],
      results: [{ name: 'IMAGE_DIGEST', value: `sha256:${digit.repeat(64)}` }],
    },
  })
const scan = (run: string, found: object) =>
  aTaskRun({
    metadata: { name: `${run}-scan`, labels: { [labels.pipelineRun]: run } },
    status: {
      conditions: [condition('Succeeded', 'True')],
      results: [{ name: 'SCAN_OUTPUT', value: JSON.stringify({ vulnerabilities: found }) }],
    },
  })

const fact = (term: string) => {
  const name = screen.getByText(term, { selector: 'dt *' }).closest('dt')
  return name?.nextElementSibling ?? expect.fail(`no fact ${term}`)
}
const rows = () =>
  within(screen.getByRole('table', { name: 'Changes' }))
    .getAllByRole('rowheader')
    .map((header) => header.closest('tr')?.textContent)
const summary = (text: string) => waitFor(() => expect(fact('Components')).toHaveTextContent(text))
const baseline = (name: string) => screen.findByRole('button', { name: `Switch baseline, now ${name}` })
const denyReleases = (path: string) =>
  path.includes('/releases?') ? Response.json({ message: 'no releases for you' }, { status: 403 }) : undefined

const finished = (name: string, marks: Record<string, string>, step: string) =>
  aTaskRun({
    metadata: { name, labels: { [labels.application]: 'checkout', ...marks } },
    status: {
      podName: `${name}-pod`,
      startTime: '2026-01-31T04:00:00Z',
      completionTime: '2026-01-31T04:01:00Z',
      conditions: [condition('Succeeded', 'True')],
      steps: [{ name: step, terminated: { exitCode: 0, reason: 'Completed' } }],
      results: step === 'get-vulnerabilities' ? [{ name: 'SCAN_OUTPUT', value: '{"vulnerabilities":{}}' }] : [],
    },
  })
const reportedScan = (run: string) => finished(run + '-scan', { [labels.pipelineRun]: run }, 'get-vulnerabilities')
const verification = (of: string) =>
  finished(
    `verify-${of}`,
    {
      [labels.snapshot]: of,
      [labels.scenario]: 'policy',
      [labels.pipelineTask]: 'verify',
      [labels.pipelineRun]: `test-${of}`,
    },
    'report-json',
  )
const vulnerabilities = (...ids: string[]) =>
  JSON.stringify({
    result: {
      vulnerabilities: ids.map((cveId) => ({
        cveId,
        cveSeverity: 'IMPORTANT',
        componentName: 'zlib',
        componentVersion: '1.0',
        componentFixedVersion: '2.0',
      })),
    },
  })
const violations = (...codes: string[]) =>
  JSON.stringify({
    components: [
      {
        name: 'api',
        violations: codes.map((code) => ({ msg: `${code}?`, metadata: { code, title: `Rule ${code}` } })),
        successes: [{ msg: 'Pass', metadata: { code: 'tests.other', title: 'Other' } }],
      },
    ],
  })

describe('the reports of two snapshots', () => {
  const reported = [
    application,
    snapshot('shop-1', [component('api', 'a')]),
    snapshot('shop-2', [component('api', 'b')]),
  ]
  const scanned = [
    build('old-build', 'a'),
    build('new-build', 'b'),
    reportedScan('old-build'),
    reportedScan('new-build'),
  ]
  const open = async (
    objects: KubeObject[],
    logs: Record<string, string>,
    button = 'Compare what scans and the policy say',
  ) => {
    const rendered = await renderRoute(page('shop-2', 'shop-1'), {
      objects,
      prepare: (faults) =>
        faults.intercept((url) => {
          const [, task = ''] = /\/pods\/(.+)-pod\/log/.exec(url) ?? []
          const log = logs[task]
          return log === undefined ? undefined : new Response(log)
        }),
    })
    await rendered.user.click(await screen.findByRole('button', { name: button }))
    return rendered
  }
  const section = (name: string) => screen.findByRole('region', { name })
  const textsIn = (container: HTMLElement) =>
    within(container)
      .queryAllByRole('rowheader')
      .map((header) => header.closest('tr')?.textContent)

  it('are compared on request: vulnerabilities that arrived or were fixed, and rules that fail now or no longer', async () => {
    const { router } = await open([...reported, ...scanned, verification('shop-1'), verification('shop-2')], {
      'old-build-scan': vulnerabilities('CVE-2026-1001', 'CVE-2026-1002'),
      'new-build-scan': vulnerabilities('CVE-2026-1002', 'CVE-2026-1003'),
      'verify-shop-1': violations('tests.a', 'tests.b'),
      'verify-shop-2': violations('tests.b', 'tests.c'),
    })
    expect(router.state.location.search).toContain('reports=compared')
    const changed = await section('Changed vulnerabilities')
    await waitFor(() =>
      expect(textsIn(changed)).toEqual([
        expect.stringMatching(/^NewCVE-2026-1003High.*zlib.*api/),
        expect.stringMatching(/^FixedCVE-2026-1001High.*zlib.*api/),
      ]),
    )
    const policy = await section('Changed policy results')
    await waitFor(() =>
      expect(textsIn(policy)).toEqual([
        expect.stringMatching(/Fails nowRule tests\.capi/),
        expect.stringMatching(/No longer failsRule tests\.aapi/),
      ]),
    )
    expect(within(policy).getByText('Verified in both: api.')).toBeVisible()
    const { violations: found } = await axe.run(screen.getByRole('main'), {
      rules: { 'color-contrast': { enabled: false } },
    })
    expect(found.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  })

  it('are equal if nothing arrived, was fixed or fails', async () => {
    await open([...reported, ...scanned, verification('shop-1'), verification('shop-2')], {
      'old-build-scan': vulnerabilities('CVE-2026-1001'),
      'new-build-scan': vulnerabilities('CVE-2026-1001'),
      'verify-shop-1': violations('tests.a'),
      'verify-shop-2': violations('tests.a'),
    })
    expect(await screen.findByRole('heading', { name: 'No vulnerability arrived or was fixed' })).toBeVisible()
    expect(await screen.findByRole('heading', { name: 'The same rules fail as before' })).toBeVisible()
  })

  it('are unknown where a snapshot was not scanned or not verified', async () => {
    await open([...reported, build('old-build', 'a'), reportedScan('old-build'), verification('shop-2')], {
      'old-build-scan': vulnerabilities('CVE-2026-1001'),
      'verify-shop-2': violations('tests.a'),
    })
    expect(await screen.findByText(/the build of api in shop-2: It is not known\./)).toBeVisible()
    expect(await screen.findByText(/a verification in shop-1: None is known\./)).toBeVisible()
    expect(screen.queryByText('CVE-2026-1001')).not.toBeInTheDocument()
    expect(screen.queryByText('Rule tests.a')).not.toBeInTheDocument()
  })

  const sbomOf = (run: string) =>
    finished(`${run}-sbom`, { [labels.pipelineRun]: run, [labels.pipelineTask]: 'show-sbom' }, 'show-sbom')
  const builds = [build('old-build', 'a'), build('new-build', 'b')]
  const sbom = (versions: Record<string, string>) =>
    JSON.stringify({
      spdxVersion: 'SPDX-2.3',
      packages: Object.entries(versions).map(([name, versionInfo]) => ({
        name,
        versionInfo,
        externalRefs: [{ referenceType: 'purl', referenceLocator: `pkg:rpm/redhat/${name}@${versionInfo}` }],
      })),
    })

  it('have packages that were added, removed or changed', async () => {
    const { router } = await open(
      [...reported, ...builds, sbomOf('old-build'), sbomOf('new-build')],
      {
        'old-build-sbom': sbom({ zlib: '1.0', curl: '8.0', glibc: '2.34' }),
        'new-build-sbom': sbom({ zlib: '1.1', expat: '2.6', glibc: '2.34' }),
      },
      'Compare packages',
    )
    expect(router.state.location.search).toContain('sboms=compared')
    const changed = await section('Changed packages')
    await waitFor(() =>
      expect(textsIn(changed)).toEqual(['Addedexpatrpm-2.6api', 'Changedzlibrpm1.01.1api', 'Removedcurlrpm8.0-api']),
    )
    const { violations: found } = await axe.run(changed, { rules: { 'color-contrast': { enabled: false } } })
    expect(found.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  })

  it('have the same packages if none changed', async () => {
    await open(
      [...reported, ...builds, sbomOf('old-build'), sbomOf('new-build')],
      { 'old-build-sbom': sbom({ zlib: '1.0' }), 'new-build-sbom': sbom({ zlib: '1.0' }) },
      'Compare packages',
    )
    expect(await screen.findByRole('heading', { name: 'No package changed' })).toBeVisible()
  })

  it('have unknown packages without an SBOM, with the command that reads it from the registry', async () => {
    await open(
      [...reported, ...builds, sbomOf('old-build')],
      { 'old-build-sbom': 'Failed to get SBOM' },
      'Compare packages',
    )
    const command = (digit: string) => `cosign download sbom ${image(digit)}`
    expect(
      await screen.findByText(new RegExp(`packages of api in shop-1: Its log has no SBOM.*${command('a')}`)),
    ).toBeVisible()
    expect(
      screen.getByText(new RegExp(`packages of api in shop-2: Its build has no task.*${command('b')}`)),
    ).toBeVisible()
    expect(screen.queryByRole('heading', { name: 'No package changed' })).not.toBeInTheDocument()
  })
})

describe('the changes of a snapshot', () => {
  it('are those since the snapshot that was released last', async () => {
    await renderRoute(page('shop-3'), { objects: [application, first, second, third, release('shop-1')] })
    await summary('1 changed, 1 added, 1 removed, 1 unchanged')
    expect(rows()).toEqual([
      expect.stringMatching(/^Changedapiaaaaaaa →to bbbbbbb Compare.* aaaaaaaaaaaa →to  bbbbbbbbbbbb/),
      expect.stringMatching(/^Addednew ?eeeeeee eeeeeeeeeeee/),
      expect.stringMatching(/^Removedold ?ccccccc cccccccccccc/),
      expect.stringMatching(/^Unchangedsame ?dddddddSame image/),
    ])
    expect(screen.getByRole('link', { name: /^Compare/ })).toHaveAttribute(
      'href',
      `https://github.com/shop/api/compare/${sha('a')}...${sha('b')}`,
    )
    expect(await baseline('shop-1')).toBeVisible()
    expect(screen.getByText('Released last')).toBeVisible()
    const { violations } = await axe.run(screen.getByRole('main'), { rules: { 'color-contrast': { enabled: false } } })
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  })

  it('are those since the one before it if none was released', async () => {
    await renderRoute(page('shop-3'), { objects: [application, pullRequest, second, third] })
    expect(await baseline('shop-2')).toBeVisible()
    expect(screen.getByText('The one before this')).toBeVisible()
    await summary('1 added, 2 unchanged')
  })

  it('include vulnerabilities before and after, which are unknown for an image without a scan', async () => {
    const { user } = await renderRoute(page('shop-3'), {
      objects: [
        application,
        first,
        third,
        release('shop-1'),
        ...[build('old-build', 'a'), build('new-build', 'b')],
        ...[scan('old-build', { critical: 2, low: 1 }), scan('new-build', { low: 1 })],
      ],
    })
    await waitFor(() =>
      expect(fact('Vulnerabilities before')).toHaveTextContent('Critical 2Low 1 (1 of 3 images scanned)'),
    )
    await waitFor(() => expect(fact('Vulnerabilities after')).toHaveTextContent('Low 1 (1 of 3 images scanned)'))
    await waitFor(() => expect(rows()[0]).toMatch(/Critical 2Low 1 →to Low 1$/))
    expect(rows()[1]).toMatch(/Unknown$/)
    expect(rows()[3]).toMatch(/Unknown →to Unknown$/)
    await user.click(screen.getByRole('button', { name: 'Copy as Markdown' }))
    expect((await navigator.clipboard.readText()).split('\n')).toEqual(
      expect.arrayContaining([
        '**Changes from `shop-1` to `shop-3`**: 1 changed, 1 added, 1 removed, 1 unchanged',
        'Vulnerabilities: Critical 2, Low 1 (1 of 3 images scanned) → Low 1 (1 of 3 images scanned)',
        '| `new` | Added | `eeeeeee` | `eeeeeeeeeeee` | unknown |',
      ]),
    )
  })

  it('are one action away from the list of snapshots', async () => {
    const { user } = await renderRoute(paths.snapshots(at), { objects: [application, first, third] })
    await user.click(await screen.findByRole('button', { name: 'Actions for shop-3' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Compare' }))
    await waitFor(() => expect(location.pathname).toBe(page('shop-3')))
    await summary('1 changed, 1 added, 1 removed, 1 unchanged')
  })

  it('are not copied before all vulnerabilities are known', async () => {
    const { cluster, router, user } = await renderRoute(paths.about(), { objects: [application, first, third] })
    let answer = (_: Response) => {}
    cluster.faults.intercept((path) =>
      path.includes('/pipelineruns?') && decodeURIComponent(path).includes(labels.commitSha)
        ? new Promise<Response>((resolve) => (answer = resolve))
        : undefined,
    )
    await screen.findByRole('heading', { name: 'About Slipway' })
    await router.navigate(page('shop-3'))
    const copy = await screen.findByRole('button', { name: 'Copy as Markdown' })
    expect(copy).toHaveAttribute('aria-disabled', 'true')
    await seeTooltip(user, copy, 'The vulnerabilities are still being read')
    expect(rows()[0]).not.toContain('Unknown')
    answer(Response.json({ message: 'no builds for you' }, { status: 403 }))
  })
})

describe('the snapshot to compare with', () => {
  const objects = [application, first, second, third, pullRequest, release('shop-1')]

  it('is selected from all of the application, by name or commit', async () => {
    const { user } = await renderRoute(page('shop-3'), { objects })
    await user.click(await baseline('shop-1'))
    const choices = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)
    expect(choices.sort()).toEqual([
      'shop-0-pr Pull request #7: Try something',
      'shop-1 Commit of shop-1',
      'shop-2 Commit of shop-2',
    ])
    await user.type(screen.getByRole('textbox', { name: 'Filter baselines by name' }), 'of shop-2')
    await user.click(screen.getByRole('menuitem'))
    await summary('1 added, 2 unchanged')
    expect(location.search).toBe('?from=shop-2')
    expect(screen.queryByText('Released last')).not.toBeInTheDocument()
  })

  it('becomes the compared one with Swap', async () => {
    const { user } = await renderRoute(page('shop-3', 'shop-1'), { objects })
    await user.click(await screen.findByRole('link', { name: 'Swap' }))
    await waitFor(() => expect(location.pathname + location.search).toBe(page('shop-1', 'shop-3')))
    await summary('1 changed, 1 added, 1 removed, 1 unchanged')
    await waitFor(() => expect(rows()[1]).toMatch(/^Addedold/))
  })

  it('does not exist for the first snapshot of an application', async () => {
    await renderRoute(page('shop-1'), { objects: [application, first] })
    expect(await screen.findByRole('heading', { name: 'Nothing to compare with' })).toBeVisible()
    expect(screen.queryByRole('button', { name: /^Switch baseline/ })).not.toBeInTheDocument()
  })

  it('is selected by the user for the oldest snapshot of an application', async () => {
    const { user } = await renderRoute(page('shop-1'), { objects: [application, first, third] })
    expect(await screen.findByRole('heading', { name: 'Nothing to compare with' })).toBeVisible()
    await user.click(await baseline('none'))
    await user.click(await screen.findByRole('menuitem', { name: /^shop-3/ }))
    await summary('1 changed, 1 added, 1 removed, 1 unchanged')
  })

  it.each([
    ['does not exist', 'shop-0', /shop-0.*not found/],
    ['belongs to another application', 'ledger-1', /The application checkout has no snapshot ledger-1/],
  ])('that %s is reported, and another one is offered', async (_, name, expected) => {
    const ledger = snapshot('ledger-1', [], { labels: { [labels.application]: 'ledger' } })
    ledger.spec.application = 'ledger'
    const { user } = await renderRoute(page('shop-3', name), { objects: [application, first, third, ledger] })
    expect(await screen.findByRole('heading', { name: '404: Not Found' })).toBeVisible()
    expect(screen.getByText(expected)).toBeVisible()
    await user.click(await screen.findByRole('link', { name: 'Compare with shop-1' }))
    await summary('1 changed, 1 added, 1 removed, 1 unchanged')
  })

  it('is another one once it is deleted, if the user did not select it', async () => {
    const { cluster } = await renderRoute(page('shop-3'), { objects: [application, second, third, pullRequest] })
    await baseline('shop-2')
    await cluster.system.delete(snapshotType, 'shop-2', { namespace })
    expect(await baseline('shop-0-pr')).toBeVisible()
    await summary('1 changed, 2 added')
  })

  it('is reported once it is deleted, if the user selected it', async () => {
    const { cluster } = await renderRoute(page('shop-3', 'shop-2'), { objects: [application, first, second, third] })
    await summary('1 added, 2 unchanged')
    await cluster.system.delete(snapshotType, 'shop-2', { namespace })
    expect(await screen.findByRole('heading', { name: '404: Not Found' })).toBeVisible()
    expect(await screen.findByRole('link', { name: 'Compare with shop-1' })).toBeVisible()
  })

  it('may be one that only the archive has', async () => {
    const archive = await fakeArchive([archived(first)])
    await renderRoute(page('shop-3'), {
      objects: [application, second, third, release('shop-1')],
      archives: { kubeArchive: archive.plugin },
    })
    expect(await baseline('shop-1')).toBeVisible()
    await summary('1 changed, 1 added, 1 removed, 1 unchanged')
  })

  it('is the one before it if the releases cannot be read, which the page says', async () => {
    const { cluster, router } = await renderRoute(paths.about(), { objects: [application, first, third] })
    cluster.faults.intercept(denyReleases)
    await screen.findByRole('heading', { name: 'About Slipway' })
    await router.navigate(page('shop-3'))
    expect(
      await screen.findByText(/It is not known which snapshot was released last: .*no releases for you/),
    ).toBeVisible()
    expect(await baseline('shop-1')).toBeVisible()
    await summary('1 changed, 1 added, 1 removed, 1 unchanged')
  })

  it('is not known if neither releases nor snapshots can be listed, but may be in the URL', async () => {
    const { cluster, router, user } = await renderRoute(paths.about(), { objects })
    cluster.faults.intercept(denyReleases)
    cluster.faults.intercept((path) =>
      path.includes('/snapshots?') ? Response.json({ message: 'no snapshots for you' }, { status: 403 }) : undefined,
    )
    await screen.findByRole('heading', { name: 'About Slipway' })
    await router.navigate(page('shop-3'))
    expect(await screen.findByRole('heading', { name: 'Restricted Access' })).toBeVisible()
    expect(screen.queryByRole('heading', { name: 'Nothing to compare with' })).not.toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: /^Switch baseline/ }))
    expect(await screen.findByRole('tabpanel', { name: 'All' })).toHaveTextContent('no snapshots for you')
    await router.navigate(page('shop-3', 'shop-2'))
    await summary('1 added, 2 unchanged')
  })
})
