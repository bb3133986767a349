import { annotations, copiedPacKey, labels } from '@slipway/model/labels'
import { type Release, releaseType } from '@slipway/model/releases/release'
import { releasePlanType } from '@slipway/model/releases/release-plan'
import { type Snapshot, snapshotType } from '@slipway/model/snapshots/snapshot'
import { anApplication, aPipelineRun, aRelease, aTaskRun, condition, type Overrides } from '@slipway/model/testing'
import { aReleasePlan, aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { describe, expect, it } from 'vitest'
import { isDryRun, namespace } from '../../../test/cluster'
import { renderRoute } from '../../../test/render-route'
import { paths } from '../../paths'

const plan = 'checkout-to-production'
const matched = { releasePlanAdmission: { name: `release-managed/${plan}`, active: true } }
const snapshot = (name: string, overrides: Overrides<Snapshot> = {}) =>
  aSnapshot({ ...overrides, metadata: { name, ...overrides.metadata } })
const objects = [
  anApplication({ metadata: { name: 'checkout' } }),
  aReleasePlan({ status: matched }),
  aReleasePlan({ metadata: { name: 'ledger-to-production' }, spec: { application: 'ledger' }, status: matched }),
  snapshot('checkout-1'),
  snapshot('checkout-2'),
  snapshot('ledger-1', { metadata: { labels: { [labels.application]: 'ledger' } }, spec: { application: 'ledger' } }),
]

const box = (name: string) => screen.getByRole('textbox', { name })
const button = (name: string | RegExp) => screen.getByRole('button', { name })
const group = (name: string) => within(screen.getByRole('group', { name }))
const dialog = () => within(screen.getByRole('dialog'))
const isReleases = (path: string) => /\/releases(\?|$)/.test(path)
const isSnapshots = (path: string) => path.includes('/snapshots?')
const fault = (code: number, reason: string, message: string, causes?: object[]) =>
  Response.json(
    { kind: 'Status', status: 'Failure', reason, code, message, ...(causes && { details: { causes } }) },
    { status: code },
  )

interface SceneOptions extends NonNullable<Parameters<typeof renderRoute>[1]> {
  fields?: { releasePlan?: string; snapshot?: string }
}

async function scene({ fields, ...options }: SceneOptions = {}) {
  const path = fields ? paths.triggerReleaseOf({ namespace, ...fields }) : paths.triggerRelease({ namespace })
  const view = await renderRoute(path, { objects, ...options })
  await screen.findByRole('heading', { name: 'Trigger release plan', level: 1 })
  const { user, cluster, router } = view
  const select = async (field: string, name: string) => {
    // Disabled while its list is loading.
    await waitFor(() => expect(button(new RegExp(`^${field} `))).toBeEnabled())
    await user.click(button(new RegExp(`^${field} `)))
    await user.click(await screen.findByRole('option', { name: new RegExp(`^${name}`) }))
  }
  const enabled = () => waitFor(() => expect(button('Trigger')).not.toHaveAttribute('aria-disabled', 'true'))
  const trigger = async () => {
    await enabled()
    await user.click(button('Trigger'))
  }
  const done = () =>
    waitFor(() => expect(router.state.location.pathname).toBe(paths.releases({ namespace, application: 'checkout' })))
  const posts = () => cluster.calls.filter(({ method, path }) => method === 'POST' && isReleases(path))
  const released = async () => (await cluster.system.list(releaseType, { namespace })).items
  const addBug = async (id: string, source = `https://bugs.example.com/${id}`) => {
    await user.click(button('Add a bug'))
    await user.type(dialog().getByRole('textbox', { name: 'Bug ID' }), id)
    await user.type(dialog().getByRole('textbox', { name: 'Source' }), source)
    await user.click(dialog().getByRole('button', { name: 'Add bug' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  }
  return { ...view, select, enabled, trigger, done, posts, released, addBug }
}
const filled = { fields: { releasePlan: plan, snapshot: 'checkout-1' } }
const both = Object.values(filled.fields)
const selection = () => ['Release plan', 'Snapshot'].map((name) => button(new RegExp(`^${name} `)).textContent)

describe('a release', () => {
  it('TRIG-01, TRIG-30, TRIG-31, TRIG-34 names a plan and a snapshot, and is written after a dry run', async () => {
    const { select, trigger, done, posts, released } = await scene()
    await select('Release plan', plan)
    await select('Snapshot', 'checkout-2')
    await trigger()
    await done()
    expect(posts().map(isDryRun)).toEqual([true, false])
    expect(posts()[1]?.body).toEqual({
      apiVersion: 'appstudio.redhat.com/v1alpha1',
      kind: 'Release',
      metadata: { namespace, generateName: plan, labels: { [labels.application]: 'checkout' } },
      spec: { releasePlan: plan, snapshot: 'checkout-2' },
    })
    expect((await released()).map(({ metadata }) => metadata.name)).toEqual([
      expect.stringMatching(/^checkout-to-production[a-z0-9]{5}$/),
    ])
    const toasts = within(screen.getByRole('list', { name: 'Notices' }))
    expect(toasts.getByText('Release triggered.')).toBeVisible()
    expect(toasts.getByRole('link', { name: 'View release' }).getAttribute('href')).toMatch(
      /\/applications\/checkout\/releases\/checkout-to-production[a-z0-9]{5}$/,
    )
    // No release service is running, which would label it later.
    expect(await screen.findByRole('rowheader', { name: /^checkout-to-production[a-z0-9]{5}/ })).toBeVisible()
  })

  it('TRIG-13, TRIG-14, TRIG-15, TRIG-16 has the texts of the release notes that are not blank', async () => {
    const { user, trigger, done, released } = await scene(filled)
    await user.type(box('Synopsis'), 'Faster checkout')
    await user.type(box('Topic'), ' ')
    await user.type(box('Description'), 'First{Enter}second')
    await user.type(box('Solution'), 'Update')
    await trigger()
    await done()
    expect((await released())[0]?.spec.data).toEqual({
      releaseNotes: { synopsis: 'Faster checkout', description: 'First\nsecond', solution: 'Update' },
    })
  })

  it('TRIG-14, TRIG-17, TRIG-18, TRIG-21 has references and labels, and a topic', async () => {
    const { user, trigger, done, released } = await scene(filled)
    await user.type(box('Topic'), 'Speed')
    await user.click(button('Add reference'))
    await user.type(group('Reference 1').getByRole('textbox'), 'https://example.com/notes')
    // A row that stays empty is not written.
    await user.click(button('Add reference'))
    await user.click(button('Add label'))
    await user.type(group('Label 1').getByRole('textbox', { name: 'Key' }), 'example.com/team')
    await user.type(group('Label 1').getByRole('textbox', { name: 'Value' }), 'shop')
    await trigger()
    await done()
    const [release] = await released()
    expect(release?.spec.data).toEqual({ releaseNotes: { topic: 'Speed', references: ['https://example.com/notes'] } })
    expect(release?.metadata.labels).toEqual({ 'example.com/team': 'shop', [labels.application]: 'checkout' })
  })

  it('TRIG-28, TRIG-32, TRIG-33, TRIG-36 has the bugs and CVEs that it fixes', async () => {
    const { user, trigger, done, released, addBug } = await scene(filled)
    await addBug('BUG-1')
    await user.click(button('Add a CVE'))
    await user.type(dialog().getByRole('textbox', { name: 'CVE key' }), 'CVE-2026-1234')
    await user.type(dialog().getByRole('combobox', { name: 'Component' }), 'Checkout A.PI')
    for (const [index, name] of ['openssl', 'zlib'].entries()) {
      await user.click(dialog().getByRole('button', { name: 'Add package' }))
      const row = within(dialog().getByRole('group', { name: `Package ${index + 1}` }))
      await user.type(row.getByRole('textbox', { name: 'Name' }), name)
    }
    await user.click(dialog().getByRole('button', { name: 'Add CVE' }))
    const row = await screen.findByRole('row', { name: /CVE-2026-1234/ })
    expect(row).toHaveTextContent('checkout-a-pi')
    expect(row).toHaveTextContent('openssl, zlib')
    await trigger()
    await done()
    expect((await released())[0]?.spec.data).toEqual({
      releaseNotes: {
        issues: { fixed: [{ id: 'BUG-1', source: 'https://bugs.example.com/BUG-1' }] },
        cves: [{ key: 'CVE-2026-1234', component: 'checkout-a-pi', packages: ['openssl', 'zlib'] }],
      },
    })
  })
})

describe('the release plan and the snapshot', () => {
  it('TRIG-04, TRIG-05 come from the address, so that the form can be sent as it is', async () => {
    const { trigger, done, released } = await scene(filled)
    await waitFor(() => expect(selection()).toEqual(both))
    await trigger()
    await done()
    expect((await released())[0]?.spec).toEqual({ releasePlan: plan, snapshot: 'checkout-1' })
  })

  it('TRIG-07, TRIG-08 offer the plans of the namespace, and the snapshots of the application of one', async () => {
    const { user, select } = await scene()
    expect(screen.getByText('Select a release plan first.')).toBeVisible()
    await user.click(button(/^Release plan /))
    expect(await screen.findByRole('option', { name: /^ledger-to-production/ })).toHaveTextContent(
      'Releases ledger to release-managed',
    )
    await user.keyboard('{Escape}')
    await select('Release plan', 'ledger-to-production')
    await waitFor(() => expect(button(/^Snapshot /)).toBeEnabled())
    await user.click(button(/^Snapshot /))
    await screen.findByRole('option', { name: /^ledger-1/ })
    expect(screen.getAllByRole('option')).toHaveLength(1)
  })

  it('TRIG-35 are required: nothing is sent without them', async () => {
    const { user, posts } = await scene()
    expect(screen.getByText('Nothing has been changed yet.')).toBeVisible()
    await user.type(box('Synopsis'), 'a')
    expect(await screen.findByText('Some fields are incomplete or invalid.')).toBeVisible()
    await user.click(button('Go to the first one'))
    expect(await screen.findAllByText('Required')).toHaveLength(2)
    expect(button(/^Release plan /)).toHaveFocus()
    expect(posts()).toEqual([])
  })

  it('TRIG-19, TRIG-20 pass the shared rule if they come from the address', async () => {
    const { cluster, user } = await scene({
      fields: { releasePlan: 'no plan', snapshot: 'x' },
    })
    expect(await screen.findByText(/^Must be 2 to 45 characters long/)).toBeVisible()
    cluster.faults.intercept((path) =>
      isSnapshots(path) ? fault(403, 'Forbidden', 'no snapshots for you') : undefined,
    )
    await user.click(button(/^Release plan /))
    await user.click(await screen.findByRole('option', { name: new RegExp(`^${plan}`) }))
    await screen.findByText(/no snapshots for you/)
    await user.click(button('Go to the first one'))
    expect(await screen.findByText(/^Must be 2 to 45 characters long/)).toBeVisible()
  })

  it('can have the longer names that clusters accept, if the lists have them', async () => {
    const long = `checkout-${'a'.repeat(50)}`
    const { trigger, done, released } = await scene({
      objects: [...objects, snapshot(long)],
      fields: { releasePlan: plan, snapshot: long },
    })
    await trigger()
    await done()
    expect((await released())[0]?.spec.snapshot).toBe(long)
  })

  it('TRIG-22 a snapshot of another application is cleared, which the field says', async () => {
    const { select, enabled } = await scene({ fields: { releasePlan: plan, snapshot: 'ledger-1' } })
    expect(await screen.findByText('ledger-1 was cleared, since checkout has no such snapshot.')).toBeVisible()
    expect(button(/^Snapshot /)).toHaveTextContent('Select…')
    expect(button('Trigger')).toHaveAttribute('aria-disabled', 'true')
    await select('Snapshot', 'checkout-1')
    expect(screen.queryByText(/was cleared/)).not.toBeInTheDocument()
    await enabled()
    await select('Release plan', 'ledger-to-production')
    expect(await screen.findByText('checkout-1 was cleared, since ledger has no such snapshot.')).toBeVisible()
  })

  it('TRIG-22 a snapshot that is deleted meanwhile is cleared, and a new one is offered', async () => {
    const { cluster, user, enabled } = await scene(filled)
    await enabled()
    await cluster.system.delete(snapshotType, 'checkout-1', { namespace })
    expect(await screen.findByText('checkout-1 was cleared, since checkout has no such snapshot.')).toBeVisible()
    await cluster.system.create(snapshotType, snapshot('checkout-3'))
    await user.click(button(/^Snapshot /))
    expect(await screen.findByRole('option', { name: /^checkout-3/ })).toBeInTheDocument()
  })

  it('TRIG-23 a failed list of snapshots is reported below the field, keeps what is there, and can be retried', async () => {
    const view = await renderRoute(paths.applications({ namespace }), { objects })
    await screen.findByRole('heading', { level: 1 })
    const heal = view.cluster.faults.intercept((path) =>
      isSnapshots(path) ? fault(403, 'Forbidden', 'no snapshots for you') : undefined,
    )
    await view.router.navigate(paths.triggerReleaseOf({ namespace, ...filled.fields }))
    expect(await screen.findByText(/no snapshots for you/)).toBeVisible()
    expect(selection()).toEqual(both)
    heal()
    await view.user.click(button('Try again'))
    await waitFor(() => expect(screen.queryByText(/no snapshots for you/)).not.toBeInTheDocument())
    await waitFor(() => expect(selection()).toEqual(both))
  })

  it('a plan that is deleted meanwhile is an error at its field, and the input is kept', async () => {
    const { cluster, user, enabled, posts } = await scene(filled)
    await user.type(box('Synopsis'), 'Kept')
    await enabled()
    await cluster.system.delete(releasePlanType, plan, { namespace })
    expect(
      await screen.findByText('There is no release plan checkout-to-production. It may have been deleted.'),
    ).toBeVisible()
    expect(button('Trigger')).toHaveAttribute('aria-disabled', 'true')
    expect(box('Synopsis')).toHaveValue('Kept')
    expect(selection()).toEqual(both)
    expect(posts()).toEqual([])
  })

  it('warn early about what would fail, without blocking', async () => {
    const { enabled } = await scene({
      objects: [
        aReleasePlan({ status: { releasePlanAdmission: { name: 'release-managed/x', active: false } } }),
        snapshot('checkout-1', {
          status: {
            conditions: [
              condition('AppStudioIntegrationStatus', 'True', 'Finished'),
              condition('AppStudioTestSucceeded', 'False', 'Failed'),
            ],
          },
        }),
      ],
      ...filled,
    })
    expect(await screen.findByText('The admission release-managed/x blocks releases.')).toBeVisible()
    expect(await screen.findByText('Required integration tests of this snapshot failed.')).toBeVisible()
    await enabled()
  })

  it('knows the pipelines of plans of earlier shapes, although it reads only parts of plans', async () => {
    const pipelineRef = { resolver: 'git', params: [{ name: 'url', value: 'https://github.com/payments/pipelines' }] }
    await scene({
      ...filled,
      objects: [snapshot('checkout-1'), aReleasePlan({ spec: { target: namespace, pipelineRef }, status: {} })],
    })
    await waitFor(() =>
      expect(selection()).toEqual([expect.stringContaining(plan), expect.stringContaining('checkout-1')]),
    )
    expect(screen.queryByText(/its releases fail/)).not.toBeInTheDocument()
  })

  it('warns about a plan that no admission matches', async () => {
    await scene({ objects: [aReleasePlan()], fields: { releasePlan: plan } })
    expect(await screen.findByText(/^No release plan admission in release-managed matches/)).toBeVisible()
  })
})

describe('the section of bugs', () => {
  it('TRIG-09, TRIG-10, TRIG-24 adds bugs with all their fields', async () => {
    const { user } = await scene()
    const bugs = group('Bugs')
    expect(bugs.getByText('No Bugs found')).toBeVisible()
    await user.click(button('Add a bug'))
    await user.type(dialog().getByRole('textbox', { name: 'Bug ID' }), '12')
    await user.type(dialog().getByRole('textbox', { name: 'Source' }), 'https://bugs.example.com/12')
    await user.type(dialog().getByRole('textbox', { name: 'Summary' }), 'It leaks')
    expect(dialog().getByRole('textbox', { name: 'Upload date' })).toHaveValue(
      new Date()
        .toLocaleDateString('en-US', { year: 'numeric', month: '2-digit', day: '2-digit' })
        .replaceAll('/', '-'),
    )
    await user.clear(dialog().getByRole('textbox', { name: 'Upload date' }))
    await user.type(dialog().getByRole('textbox', { name: 'Upload date' }), '02-30-2026')
    expect(await screen.findByText('Must be a date in the format MM-DD-YYYY.')).toBeVisible()
    await user.clear(dialog().getByRole('textbox', { name: 'Upload date' }))
    await user.type(dialog().getByRole('textbox', { name: 'Upload date' }), '01-31-2026')
    expect(dialog().getByRole('radio', { name: 'Unresolved' })).toBeChecked()
    await user.click(dialog().getByRole('radio', { name: 'Resolved' }))
    await user.click(dialog().getByRole('button', { name: 'Add bug' }))
    const row = await bugs.findByRole('row', { name: /It leaks/ })
    for (const text of ['12', 'https://bugs.example.com/12', '01-31-2026', 'Resolved'])
      expect(within(row).getByText(text)).toBeVisible()
    expect(bugs.queryByText('No Bugs found')).not.toBeInTheDocument()
  })

  it('TRIG-25, TRIG-26, TRIG-27 requires an id and a source, which is a URL', async () => {
    const { user } = await scene()
    await user.click(button('Add a bug'))
    await user.click(dialog().getByRole('textbox', { name: 'Bug ID' }))
    await user.tab()
    await user.tab()
    expect(await dialog().findAllByText('Required')).toHaveLength(2)
    for (const text of ['bugs.example.com', 'javascript:alert(1)']) {
      await user.clear(dialog().getByRole('textbox', { name: 'Source' }))
      await user.type(dialog().getByRole('textbox', { name: 'Source' }), text)
      expect(await dialog().findByText('Invalid URL.')).toBeVisible()
    }
    expect(dialog().getByRole('button', { name: 'Add bug' })).toHaveAttribute('aria-disabled', 'true')
  })

  it('refuses the same bug twice, changes one, and removes it', async () => {
    const { user, addBug } = await scene()
    await addBug('7')
    await user.click(button('Add a bug'))
    await user.type(dialog().getByRole('textbox', { name: 'Bug ID' }), '7')
    await user.type(dialog().getByRole('textbox', { name: 'Source' }), 'https://bugs.example.com/7')
    expect(await dialog().findByText('This bug has already been added.')).toBeVisible()
    await user.click(dialog().getByRole('button', { name: 'Cancel' }))
    await user.click(await screen.findByRole('button', { name: 'Close anyway' }))

    await user.click(button('Actions for 7'))
    await user.click(await screen.findByRole('menuitem', { name: 'Edit' }))
    await user.type(dialog().getByRole('textbox', { name: 'Bug ID' }), '8')
    await user.click(dialog().getByRole('button', { name: 'Save' }))
    await user.click(await screen.findByRole('button', { name: 'Actions for 78' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Remove' }))
    expect(await screen.findByText('No Bugs found')).toBeVisible()
    // The pressed button is gone, and the focus is still in the section.
    expect(document.activeElement).toContainElement(button('Add a bug'))
  })

  it('TRIG-09 has pages of ten, and a filter in which Enter sends nothing', async () => {
    const { user, posts, enabled } = await scene({
      ...filled,
      objects: [
        ...objects.filter(({ metadata }) => metadata.name !== 'checkout-1'),
        snapshot('checkout-1', {
          metadata: {
            annotations: {
              [copiedPacKey(annotations.pacShaTitle)]:
                `Many\n\nFixes ${Array.from({ length: 12 }, (_, at) => `#${at + 100}`).join(', ')}`,
              [copiedPacKey(annotations.pacRepositoryUrl)]: 'https://github.com/shop/checkout',
            },
          },
        }),
      ],
    })
    await user.click(await screen.findByRole('button', { name: 'Use in release notes' }))
    await enabled()
    const bugs = group('Bugs')
    expect(await bugs.findAllByRole('rowheader')).toHaveLength(10)
    await user.click(bugs.getByRole('button', { name: /next page/i }))
    await waitFor(() => expect(bugs.getAllByRole('rowheader')).toHaveLength(2))
    await user.type(bugs.getByRole('textbox', { name: /^Filter by/ }), '105{Enter}')
    await waitFor(() => expect(bugs.getAllByRole('rowheader').map((cell) => cell.textContent)).toEqual(['105']))
    expect(posts()).toEqual([])
  })
})

describe('the section of CVEs', () => {
  it('TRIG-11, TRIG-12, TRIG-29 adds CVEs, which need a key', async () => {
    const { user } = await scene()
    const cves = group('CVEs')
    expect(cves.getByText('No CVEs found')).toBeVisible()
    await user.click(button('Add a CVE'))
    await user.click(dialog().getByRole('textbox', { name: 'CVE key' }))
    await user.tab()
    expect(await dialog().findByText('Required')).toBeVisible()
    await user.type(dialog().getByRole('textbox', { name: 'CVE key' }), 'CVE-2026-1')
    await user.click(dialog().getByRole('button', { name: 'Add CVE' }))
    expect(await cves.findByRole('row', { name: /CVE-2026-1/ })).toBeVisible()
    await user.type(cves.getByRole('textbox', { name: /^Filter by/ }), 'nothing')
    expect(await cves.findByText('No results found')).toBeVisible()
  })

  it('TRIG-28, TRIG-36 suggests the components of the snapshot, and takes one CVE for each', async () => {
    const { user } = await scene(filled)
    const add = async (component: string) => {
      await user.click(button('Add a CVE'))
      await user.type(dialog().getByRole('textbox', { name: 'CVE key' }), 'CVE-2026-1')
      await user.type(dialog().getByRole('combobox', { name: 'Component' }), component)
    }
    await add('check')
    await user.click(await screen.findByRole('option', { name: 'checkout-api' }))
    await user.click(dialog().getByRole('button', { name: 'Add CVE' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    await add('Checkout.API')
    expect(await dialog().findByText('This CVE has already been added for the same component.')).toBeVisible()
    await user.type(dialog().getByRole('combobox', { name: 'Component' }), '-2')
    await user.click(dialog().getByRole('button', { name: 'Add CVE' }))
    expect(await screen.findByRole('row', { name: /checkout-api-2/ })).toBeVisible()
  })
})

describe('what the commits of a snapshot name', () => {
  const digest = `sha256:${'0123456789abcdef'.repeat(4)}`
  const build = aPipelineRun({
    metadata: {
      name: 'api-build',
      labels: { [labels.commitSha]: 'c0ffee'.padEnd(40, '0') },
      annotations: {
        [annotations.pacShaTitle]: 'Update openssl for CVE-2026-5555\n\nSee https://bugs.example.com/browse/SHOP-9.',
      },
    },
    status: { results: [{ name: 'IMAGE_DIGEST', value: digest }], conditions: [condition('Succeeded', 'True')] },
  })

  it('is offered once the snapshot is selected, and becomes part of the release notes', async () => {
    const { user, select, trigger, done, released } = await scene({ objects: [...objects, build] })
    await select('Release plan', plan)
    await select('Snapshot', 'checkout-1')
    expect(await screen.findByText('The commits of this snapshot name 1 bug and 1 CVE.')).toBeVisible()
    await user.click(button('Use in release notes'))
    expect(screen.queryByText(/^The commits of this snapshot/)).not.toBeInTheDocument()
    await trigger()
    await done()
    expect((await released())[0]?.spec.data).toEqual({
      releaseNotes: {
        issues: { fixed: [{ id: 'SHOP-9', source: 'https://bugs.example.com/browse/SHOP-9' }] },
        cves: [{ key: 'CVE-2026-5555', component: 'checkout-api' }],
      },
    })
  })

  it('is reported as unknown if the builds cannot be read', async () => {
    const view = await renderRoute(paths.applications({ namespace }), { objects })
    await screen.findByRole('heading', { level: 1 })
    view.cluster.faults.intercept((path) =>
      path.includes('/pipelineruns?') ? fault(403, 'Forbidden', 'no runs') : undefined,
    )
    await view.router.navigate(paths.triggerReleaseOf({ namespace, ...filled.fields }))
    expect(await screen.findByText(/^Some commits of this snapshot could not be read/)).toBeVisible()
  })
})

describe('the contents of the release', () => {
  it('are compared with the previous release of the plan, and filtering them keeps the input', async () => {
    const image = (digit: string) => `registry.slipway.test/api@sha256:${digit.repeat(64)}`
    const snapshotOf = (name: string, digit: string) =>
      snapshot(name, { spec: { components: [{ name: 'checkout-api', containerImage: image(digit) }] } })
    const { user, cluster } = await scene({
      fields: { releasePlan: plan, snapshot: 'now' },
      objects: [
        aReleasePlan({ status: matched }),
        snapshotOf('before', 'a'),
        snapshotOf('now', 'b'),
        aRelease({
          metadata: { name: 'previous' },
          spec: { releasePlan: plan, snapshot: 'before' },
          status: { conditions: [condition('Released', 'True', 'Succeeded')] },
        }),
      ],
    })
    await user.type(box('Synopsis'), 'Fixes')
    const contents = await screen.findByRole('button', { name: 'Contents' })
    expect(cluster.calls.filter(({ path }) => isReleases(path))).toEqual([])
    await user.click(contents)
    expect(await screen.findByRole('link', { name: 'previous' })).toHaveAttribute(
      'href',
      paths.release({ namespace, application: 'checkout', release: 'previous' }),
    )
    expect(await screen.findByText('1 changed')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Component' }))
    await waitFor(() => expect(location.search).toContain('changes-sort='))
    expect(box('Synopsis')).toHaveValue('Fixes')
    const { violations } = await axe.run(screen.getByRole('main'), { rules: { 'color-contrast': { enabled: false } } })
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  })
})

describe('the CVEs that a snapshot fixes', () => {
  const digestOf = (digit: string) => `sha256:${digit.repeat(64)}`
  const vulnerability = (cveId: string, componentName: string) => ({
    cveId,
    cveSeverity: 'IMPORTANT',
    componentName,
    componentVersion: '1.0',
    componentFixedVersion: '1.1',
  })
  const logs: Record<string, object[]> = {
    'build-a': [
      vulnerability('CVE-2026-1001', 'zlib'),
      vulnerability('CVE-2026-1001', 'expat'),
      vulnerability('CVE-2026-1002', 'curl'),
    ],
    'build-b': [vulnerability('CVE-2026-1002', 'curl'), vulnerability('CVE-2026-1003', 'curl')],
  }
  const scanned = (name: string, digit: string) => {
    const done = { conditions: [condition('Succeeded', 'True')], completionTime: '2026-01-02T09:00:00Z' }
    const own = { [labels.commitSha]: digit.repeat(40), [labels.pipelineType]: 'build' }
    return [
      snapshot(name, {
        spec: {
          components: [
            {
              name: 'checkout-api',
              containerImage: `registry.slipway.test/api@${digestOf(digit)}`,
              source: { git: { url: 'https://git.slipway.test/api', revision: digit.repeat(40) } },
            },
          ],
        },
      }),
      aPipelineRun({
        metadata: { name: `build-${digit}`, labels: own },
        status: { ...done, results: [{ name: 'IMAGE_DIGEST', value: digestOf(digit) }] },
      }),
      aTaskRun({
        metadata: {
          name: `build-${digit}-scan`,
          labels: { ...own, [labels.pipelineRun]: `build-${digit}`, [labels.pipelineTask]: 'roxctl-scan' },
        },
        status: { ...done, podName: `build-${digit}-pod`, steps: [{ name: 'rox-image-scan' }] },
      }),
    ]
  }

  it('TRIG-33 are offered by its scans and those of the previous release, and exactly these are written', async () => {
    const { user, cluster, trigger, done, released } = await scene({
      fields: { releasePlan: plan, snapshot: 'now' },
      objects: [
        aReleasePlan({ status: matched }),
        ...scanned('before', 'a'),
        ...scanned('now', 'b'),
        aRelease({
          metadata: { name: 'previous' },
          spec: { releasePlan: plan, snapshot: 'before' },
          status: { conditions: [condition('Released', 'True', 'Succeeded')] },
        }),
      ],
    })
    cluster.faults.intercept((url) => {
      const [, run = ''] = /\/pods\/(.+)-pod\/log/.exec(url) ?? []
      const vulnerabilities = logs[run]
      return vulnerabilities && new Response(JSON.stringify({ result: { vulnerabilities } }))
    })
    await user.click(await screen.findByRole('button', { name: 'Find the CVEs that this snapshot fixes' }))
    expect(await screen.findByText('The scans name 1 CVE that previous has and this snapshot does not.')).toBeVisible()
    await user.click(button('Use in release notes'))
    expect(await screen.findByRole('row', { name: /CVE-2026-1001 checkout-api expat, zlib/ })).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Use in release notes' })).not.toBeInTheDocument()
    await trigger()
    await done()
    expect((await released()).find(({ spec }) => spec.snapshot === 'now')?.spec.data).toEqual({
      releaseNotes: { cves: [{ key: 'CVE-2026-1001', component: 'checkout-api', packages: ['expat', 'zlib'] }] },
    })
  })

  it('are none without an earlier release of the plan', async () => {
    const { user } = await scene({
      fields: { releasePlan: plan, snapshot: 'now' },
      objects: [aReleasePlan({ status: matched }), ...scanned('now', 'b')],
    })
    await user.click(await screen.findByRole('button', { name: 'Find the CVEs that this snapshot fixes' }))
    expect(await screen.findByText(/^No earlier release of .* has succeeded/)).toBeVisible()
  })
})

describe('limits of the fields', () => {
  it.each([
    ['text', 'nonsense', 'Invalid URL.'],
    ['a URL with another protocol', 'ftp://example.com/notes', 'Invalid URL.'],
    [
      'a URL of over 2000 characters',
      `https://example.com/${'a'.repeat(2000)}`,
      'Must be at most 2000 characters long.',
    ],
  ])('LIM-02 a reference is not %s', async (_, text, message) => {
    const { user } = await scene()
    await user.click(button('Add reference'))
    await user.click(group('Reference 1').getByRole('textbox'))
    await user.paste(text)
    await user.tab()
    expect(await screen.findByText(message)).toBeVisible()
  })

  it('LIM-02 the source of a bug too', async () => {
    const { user } = await scene()
    await user.click(button('Add a bug'))
    await user.click(dialog().getByRole('textbox', { name: 'Source' }))
    await user.paste(`https://example.com/${'a'.repeat(2000)}`)
    expect(await dialog().findByText('Must be at most 2000 characters long.')).toBeVisible()
  })

  it('TRIG-18 a label has a key and a value that clusters accept', async () => {
    const { user } = await scene()
    await user.click(button('Add label'))
    await user.type(group('Label 1').getByRole('textbox', { name: 'Key' }), 'not a key')
    await user.type(group('Label 1').getByRole('textbox', { name: 'Value' }), '-x-')
    await user.tab()
    expect(await screen.findByText(/^Must be a label key/)).toBeVisible()
    expect(await screen.findByText(/^Must be at most 63 letters/)).toBeVisible()
    // A row without a key is not written, as in every form.
    await user.clear(group('Label 1').getByRole('textbox', { name: 'Key' }))
    await waitFor(() => expect(screen.queryByText(/^Must be at most 63 letters/)).not.toBeInTheDocument())
    expect(screen.queryByText('Required')).not.toBeInTheDocument()
  })
})

describe('what the server refuses', () => {
  it('TRIG-35 appears in the footer, sends nothing for real, and keeps the input', async () => {
    const { user, cluster, trigger, posts, released } = await scene(filled)
    await user.type(box('Synopsis'), 'Kept')
    cluster.faults.intercept((path, { method }) =>
      method === 'POST' && isReleases(path) ? fault(409, 'Conflict', 'the plan is being changed') : undefined,
    )
    await trigger()
    expect(await screen.findByText(/the plan is being changed/i)).toBeVisible()
    expect(posts().map(isDryRun)).toEqual([true])
    expect(box('Synopsis')).toHaveValue('Kept')
    await waitFor(() => expect(selection()).toEqual(both))
    expect(await released()).toEqual([])
  })

  it('TRIG-35 an invalid member is reported at its field', async () => {
    const { cluster, trigger } = await scene(filled)
    cluster.faults.intercept((path, { method }) =>
      method === 'POST' && isReleases(path)
        ? fault(422, 'Invalid', 'invalid', [{ field: 'spec.snapshot', message: 'snapshot is too old' }])
        : undefined,
    )
    await waitFor(() => expect(button(/^Snapshot /)).toBeEnabled())
    await trigger()
    expect(await screen.findByText('snapshot is too old')).toBeVisible()
    expect(button(/^Snapshot /)).toHaveFocus()
    expect(selection()).toEqual(both)
  })
})

it('TRIG-06, TRIG-35 Cancel leads to the release area, as the breadcrumb does', async () => {
  const { user, router } = await scene()
  expect(screen.getByRole('link', { name: 'Releases' })).toHaveAttribute('href', paths.releaseArea({ namespace }))
  expect(within(screen.getByRole('navigation', { name: 'Breadcrumb' })).getByText('Trigger release plan')).toBeVisible()
  await user.click(button('Cancel'))
  await waitFor(() => expect(router.state.location.pathname).toBe(paths.releaseArea({ namespace })))
})

it('shows the change before it is made', async () => {
  const { user } = await scene(filled)
  await user.click(button('Show change'))
  const [line] = await screen.findAllByText(/generateName: checkout-to-production/)
  expect(line).toBeVisible()
})

describe('release plans that cannot be read', () => {
  it('are reported in place of the form, and can be read again', async () => {
    const view = await renderRoute(paths.applications({ namespace }), { objects })
    await screen.findByRole('heading', { level: 1 })
    const heal = view.cluster.faults.intercept((path) =>
      path.includes('/releaseplans?') ? fault(400, 'BadRequest', 'no plans today') : undefined,
    )
    await view.router.navigate(paths.triggerRelease({ namespace }))
    expect(await screen.findByText('Unable to load release plans')).toBeVisible()
    expect(screen.getByText(/no plans today/)).toBeVisible()
    heal()
    await view.user.click(button('Try again'))
    expect(await screen.findByRole('button', { name: /^Release plan / })).toBeVisible()
  })

  it('and an empty list offers nothing to choose from', async () => {
    const { user } = await scene({ objects: [] })
    await user.click(button(/^Release plan /))
    expect(await screen.findByRole('option', { name: 'Nothing to choose from' })).toBeVisible()
  })

  it('a plan of unknown shape can be selected, and says why no snapshot can', async () => {
    const { select } = await scene({
      objects: [{ ...aReleasePlan(), spec: { componentGroup: 'group' } } as unknown as Release],
    })
    await select('Release plan', plan)
    expect(
      await screen.findByText('checkout-to-production names no application, so its snapshots are not known.'),
    ).toBeVisible()
  })
})

it('TRIG-02 is forbidden without permission to create releases', async () => {
  await renderRoute(paths.triggerRelease({ namespace }), { as: 'contributor', objects })
  expect(await screen.findByRole('heading', { name: "Let's get you access" })).toBeVisible()
})

it('works by keyboard alone, from the plan to the release', async () => {
  const { user, done, enabled, released } = await scene()
  button(/^Release plan /).focus()
  await user.keyboard('{Enter}')
  await screen.findByRole('option', { name: new RegExp(`^${plan}`) })
  await user.keyboard('{Enter}')
  await waitFor(() => expect(button(/^Release plan /)).toHaveFocus())
  await waitFor(() => expect(button(/^Snapshot /)).toBeEnabled())
  await user.tab()
  expect(button(/^Snapshot /)).toHaveFocus()
  await user.keyboard('{Enter}')
  await screen.findByRole('option', { name: /^checkout-1/ })
  await user.keyboard('{Enter}')
  await enabled()
  button('Add a bug').focus()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(dialog().getByRole('textbox', { name: 'Bug ID' })).toHaveFocus())
  await user.keyboard('5{Tab}https://bugs.example.com/5')
  dialog().getByRole('button', { name: 'Add bug' }).focus()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  button('Trigger').focus()
  await user.keyboard('{Enter}')
  await done()
  expect((await released())[0]?.spec.data).toMatchObject({ releaseNotes: { issues: { fixed: [{ id: '5' }] } } })
})

it.each([
  ['the empty form', false],
  ['a form with entries', true],
])('has no accessibility problems: %s', async (_, isFilled) => {
  const { user, container, addBug } = await scene(isFilled ? filled : {})
  if (isFilled) {
    await addBug('1')
    await user.click(button('Add reference'))
    await user.click(button('Add label'))
    await user.click(button('Add a CVE'))
  }
  for (const root of [container.querySelector('main') ?? container, ...screen.queryAllByRole('dialog')]) {
    const { violations } = await axe.run(root, {
      // jsdom has no layout.
      rules: { 'color-contrast': { enabled: false } },
    })
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  }
})
