import { nameOf } from '@slipway/kube/object'
import { annotations, labels } from '@slipway/model/labels'
import {
  aComponent,
  anApplication,
  aNamespace,
  aPipelineRun,
  aRelease,
  aTaskRun,
  condition,
} from '@slipway/model/testing'
import { aSecret } from '@slipway/model/testing/build-services'
import { aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { act, screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { namespace, reviewsIn } from '../../../test/cluster'
import { ended, putPod } from '../../../test/pod-logs'
import { renderRoute } from '../../../test/render-route'
import { paths } from '../../paths'

const list = paths.applications({ namespace })
const objects = ['checkout', 'ledger'].map((name) => anApplication({ metadata: { name } }))

async function opened(path = list, options: Parameters<typeof renderRoute>[1] = {}) {
  const view = await renderRoute(path, { objects, ...options })
  await screen.findByRole('heading', { level: 1 })
  await view.user.keyboard('{Control>}k{/Control}')
  const dialog = within(await screen.findByRole('dialog', { name: 'Search or run a command' }))
  const input = dialog.getByRole('combobox')
  await waitFor(() => expect(input).toHaveFocus())
  return { ...view, dialog, input }
}
const chosen = () => screen.getByRole('option', { selected: true })

describe('the palette', () => {
  it('opens with its shortcut and closes with Escape', async () => {
    const { user, dialog, input } = await opened(paths.overview())
    expect(await dialog.findByRole('option', { name: 'Overview' })).toHaveAttribute('aria-selected', 'true')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(input).not.toBeInTheDocument()
  })

  it('opens once its code has come, if its shortcut was typed before that', async () => {
    const root = document.body.appendChild(document.createElement('div'))
    onTestFinished(() => root.remove())
    root.id = 'root'
    root.dataset.shortcuts = 'palette'
    await renderRoute(paths.overview(), { objects })
    expect(await screen.findByRole('dialog', { name: 'Search or run a command' })).toBeVisible()
    expect(root.dataset.shortcuts).toBe('ready')
  })

  it('closes with its shortcut too, which the browser does not handle', async () => {
    const { user } = await opened(paths.overview())
    const taken = vi.fn<(event: KeyboardEvent) => void>()
    document.addEventListener('keydown', taken)
    await user.keyboard('{Control>}k{/Control}')
    document.removeEventListener('keydown', taken)
    expect(taken.mock.lastCall?.[0]).toMatchObject({ key: 'k', defaultPrevented: true })
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  })

  it('opens an application of the namespace', async () => {
    const { user } = await opened()
    expect(await screen.findByRole('option', { name: 'ledger' })).toBeInTheDocument()
    await user.keyboard('ledg')
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(1))
    await user.keyboard('{Enter}')
    await waitFor(() => expect(location.pathname + location.search).toBe(`${list}/ledger`))
    expect(await screen.findByRole('heading', { name: 'ledger', level: 1 })).toBeVisible()
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })

  it('changes the theme', async () => {
    const { user } = await opened()
    await user.keyboard('dark')
    await waitFor(() => expect(chosen()).toHaveTextContent('Dark theme'))
    await user.keyboard('{Enter}')
    await waitFor(() => expect(document.documentElement).toHaveClass('pf-v6-theme-dark'))
    expect(screen.getByRole('button', { name: 'Theme: Dark' })).toBeVisible()
  })

  it.each(['help', 'shortcuts'])('opens the list of shortcuts for %s', async (typed) => {
    const { user } = await opened()
    await user.keyboard(typed)
    await waitFor(() => expect(chosen()).toHaveTextContent('Keyboard shortcuts'))
    await user.keyboard('{Enter}')
    expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  })

  it('shows what to report with a problem, without names', async () => {
    const { user, cluster } = await opened()
    cluster.faults.intercept((path) =>
      path.includes('/secrets') ? Response.json({}, { status: 503, headers: { 'x-request-id': 'req-7' } }) : undefined,
    )
    await user.keyboard('report')
    await waitFor(() => expect(chosen()).toHaveTextContent('Report a problem'))
    await waitFor(() => expect(cluster.calls.some(({ path }) => path.includes('/secrets'))).toBe(true))
    await user.keyboard('{Enter}')
    const dialog = await screen.findByRole('dialog', { name: 'Report a problem' })
    await waitFor(() => expect(dialog).toHaveTextContent(/cluster: v\d/))
    expect(dialog).toHaveTextContent('503 Service Unavailable /api/k8s/api/v1/namespaces/{namespace}/secrets')
    expect(dialog).toHaveTextContent('(request req-7)')
    expect(dialog).toHaveTextContent('page: /ns/{namespace}/applications')
    expect(dialog).not.toHaveTextContent(namespace)
    await user.click(within(dialog).getByRole('button', { name: 'Copy report' }))
    expect(await navigator.clipboard.readText()).toContain('page: /ns/{namespace}/applications')
  })

  it('opens a screen and another namespace', async () => {
    const { user } = await opened(list, {
      objects: [...objects, aNamespace({ metadata: { name: 'team-ships' } })],
      as: 'admin',
    })
    await user.keyboard('over{Enter}')
    expect(await screen.findByRole('heading', { name: 'Overview', level: 1 })).toBeVisible()
    await user.keyboard('{Meta>}k{/Meta}')
    await user.type(await screen.findByRole('combobox'), `${namespace} namespaces`)
    expect(await screen.findByRole('option', { name: namespace })).toBeInTheDocument()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(location.pathname).toBe(list))
  })

  it('opens the release monitor while its flag is on', async () => {
    const { user } = await opened(`${list}?ff=release-monitor`)
    await user.keyboard('monitor{Enter}')
    expect(await screen.findByRole('heading', { name: 'Release Monitor', level: 1 })).toBeVisible()
  })

  it('TRIG-01, TRIG-03 leads to the form that triggers a release, if the user may', async () => {
    const { user } = await opened()
    await user.keyboard('trigger')
    const option = await screen.findByRole('option', { name: 'Trigger release plan' })
    await waitFor(() => expect(option).toHaveAttribute('aria-disabled', 'false'))
    await user.keyboard('{Enter}')
    await waitFor(() => expect(location.pathname).toBe(paths.triggerRelease({ namespace })))
  })

  it('TRIG-03 says why a user cannot trigger a release', async () => {
    const { user } = await opened(list, { as: 'contributor' })
    await user.keyboard('trigger')
    const option = await screen.findByRole('option', { name: /^Trigger release plan/ })
    await waitFor(() => expect(option).toHaveTextContent("You don't have access to trigger releases"))
    expect(option).toHaveAttribute('aria-disabled', 'true')
  })

  it('runs an action of the page', async () => {
    const { user } = await opened()
    const option = await screen.findByRole('option', { name: 'Create application' })
    await waitFor(() => expect(option).toHaveAttribute('aria-disabled', 'false'))
    expect(option).toBe(chosen())
    await user.keyboard('{Enter}')
    expect(await screen.findByRole('heading', { name: 'Create an Application', level: 1 })).toBeVisible()
  })

  it('finds components, runs and commits of the application, a commit by its full SHA', async () => {
    const sha = '8fbdf42'.padEnd(40, '0')
    const of = (application: string) => ({ [labels.application]: application })
    const { user, input } = await opened(paths.application({ namespace, application: 'checkout' }), {
      objects: [
        ...objects,
        aComponent({ metadata: { name: 'checkout-web' }, spec: { application: 'checkout' } }),
        aComponent({ metadata: { name: 'ledger-web' }, spec: { application: 'ledger' } }),
        aPipelineRun({ metadata: { name: 'web-build-1', labels: { ...of('checkout'), [labels.commitSha]: sha } } }),
        aPipelineRun({ metadata: { name: 'web-build-2', labels: of('ledger') } }),
      ],
    })
    await user.keyboard('web')
    expect(await screen.findByRole('option', { name: 'checkout-web' })).toBeInTheDocument()
    expect(await screen.findByRole('option', { name: 'web-build-1' })).toBeInTheDocument()
    expect(screen.queryByRole('option', { name: 'ledger-web' })).not.toBeInTheDocument()
    expect(screen.queryByRole('option', { name: 'web-build-2' })).not.toBeInTheDocument()
    expect(screen.getByText(/Searched in application checkout: all runs in the cluster\./)).toBeInTheDocument()
    await user.clear(input)
    await user.keyboard(sha)
    expect(await screen.findByRole('option', { name: /^8fbdf42 / })).toBe(chosen())
    await user.keyboard('{Enter}')
    await waitFor(() =>
      expect(location.pathname).toBe(paths.commit({ namespace, application: 'checkout', commit: sha })),
    )
  })

  describe('finds what was pasted from elsewhere', () => {
    const sha = '8fbdf42'.padEnd(40, '0')
    const digest = `sha256:${'4'.repeat(64)}`
    const build = aPipelineRun({
      metadata: {
        name: 'web-on-push-1',
        labels: {
          [labels.application]: 'ledger',
          [labels.pipelineType]: 'build',
          [labels.commitSha]: sha,
          [labels.pullRequestNumber]: '12',
        },
        annotations: {
          [annotations.pacShaTitle]: 'Fix rounding',
          [annotations.pacSender]: 'mona',
          [annotations.pacRepositoryUrl]: 'https://github.com/acme/web',
        },
      },
      status: { results: [{ name: 'IMAGE_DIGEST', value: `${digest}\n` }] },
    })
    const later = aPipelineRun({ metadata: { name: 'web-on-push-2', labels: { [labels.application]: 'ledger' } } })
    const containing = (name: string, image: string) =>
      aSnapshot({
        metadata: { name, labels: { [labels.application]: 'ledger' } },
        spec: { application: 'ledger', components: [{ name: 'web', containerImage: image }] },
      })
    const pasted = [
      ...objects,
      build,
      later,
      containing('ledger-first', `quay.io/acme/web@${digest}`),
      containing('ledger-next', `quay.io/acme/web@sha256:${'5'.repeat(64)}`),
      aRelease({ metadata: { name: 'ledger-release-7', labels: { [labels.application]: 'ledger' } } }),
    ]
    const commit = '8fbdf42 Fix rounding #12 by mona'

    it.each([
      ['the URL of a pull request', 'https://github.com/acme/web/pull/12/files', [commit]],
      ['that of another repository', 'https://github.com/acme/api/pull/12', []],
      ['that of another pull request', 'https://github.com/acme/web/pull/1', []],
      ['the number of a pull request', '#12', [commit]],
      ['the URL of a commit', `https://github.com/acme/web/commit/${sha}`, [commit]],
      ['an author', 'mona', [commit]],
      ['a release', 'release-7', ['ledger-release-7']],
      ['an image', `quay.io/acme/web:latest@${digest}`, ['ledger-first', 'web-on-push-1']],
      ['the start of a digest', digest.slice(0, 20), ['web-on-push-1']],
      ['a CVE', 'cve-2026-1234', ['Components with CVE-2026-1234', 'Components with CVE-2026-1234 in all namespaces']],
    ])('%s', async (_, typed, found) => {
      const { user, dialog } = await opened(list, { objects: pasted })
      await user.click(dialog.getByRole('combobox'))
      await user.paste(typed)
      await waitFor(() => expect(screen.queryByText(/Loading/)).not.toBeInTheDocument())
      await waitFor(() => expect(screen.queryAllByRole('option').map(({ textContent }) => textContent)).toEqual(found))
    })

    it('an image of the application that is open', async () => {
      const { user, dialog } = await opened(paths.application({ namespace, application: 'ledger' }), {
        objects: pasted,
      })
      await user.click(dialog.getByRole('combobox'))
      await user.paste(digest)
      await user.click(await screen.findByRole('option', { name: 'ledger-first' }))
      await waitFor(() =>
        expect(location.pathname).toBe(paths.snapshot({ namespace, application: 'ledger', snapshot: 'ledger-first' })),
      )
    })

    it('with one limited request for each kind, and none for images before there is a digest', async () => {
      const { cluster, user, dialog } = await opened(list, { objects: pasted })
      const limits = (plural: string) =>
        cluster.calls
          .filter(({ path }) => path.includes(`/${plural}?`))
          .map(({ path }) => new URLSearchParams(path.split('?')[1]).get('limit'))
      const reads = () => ['releases', 'snapshots', 'pipelineruns'].map(limits)
      const before = reads()
      await user.click(dialog.getByRole('combobox'))
      await user.keyboard('ledger-rel')
      expect(await screen.findByRole('option', { name: 'ledger-release-7' })).toBeInTheDocument()
      const [others, none, runs] = before
      await waitFor(() => expect(reads()).toEqual([[...(others ?? []), '1000'], none, [...(runs ?? []), '1000']]))
      await user.clear(dialog.getByRole('combobox'))
      await user.paste(digest)
      expect(await screen.findByRole('option', { name: 'ledger-first' })).toBeInTheDocument()
      expect(reads()).toEqual([
        [...(others ?? []), '1000'],
        [...(none ?? []), '500'],
        [...(runs ?? []), '1000'],
      ])
    })

    it('a pull request in a namespace with more runs than are read', async () => {
      const { cluster, user, dialog } = await opened()
      const page = (items: unknown[], more: object) =>
        Response.json({ kind: 'PipelineRunList', metadata: { resourceVersion: '1', ...more }, items })
      cluster.faults.intercept((path) => {
        if (!path.includes('/pipelineruns?')) return undefined
        const selector = new URLSearchParams(path.split('?')[1]).get('labelSelector')
        return selector === `${labels.pullRequestNumber}=12` ? page([build], {}) : page([later], { continue: 'more' })
      })
      await user.click(dialog.getByRole('combobox'))
      await user.paste('https://github.com/acme/web/pull/12')
      expect(await screen.findByRole('option', { name: commit })).toBe(chosen())
    })
  })

  it('logs the user out, and says why it could not', async () => {
    const { cluster, user } = await opened()
    const heal = cluster.faults.intercept((path) =>
      path === '/oauth2/sign_out' ? new Response('', { status: 502 }) : undefined,
    )
    await user.keyboard('log out')
    await waitFor(() => expect(chosen()).toHaveTextContent('Log out'))
    await user.keyboard('{Enter}')
    expect(await screen.findByText('Signing out failed. You are still signed in.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: /close/i }))
    await waitFor(() => expect(screen.queryByText(/Signing out failed/)).not.toBeInTheDocument())
    heal()
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await screen.findByRole('combobox'), 'sign out')
    await waitFor(() => expect(chosen()).toHaveTextContent('Log out'))
    await user.keyboard('{Enter}')
    await waitFor(() => expect(cluster.departures).toHaveLength(1))
  })

  it('offers to search the namespace, and says what it did not search', async () => {
    const { user, dialog } = await opened(paths.application({ namespace, application: 'checkout' }), {
      objects: [
        ...objects,
        aPipelineRun({ metadata: { name: 'refunds-api-on-push', labels: { [labels.application]: 'ledger' } } }),
      ],
    })
    await user.keyboard('refunds-api')
    const unsearched = 'task runs, pods, images other than by their full digest, and what is only in the archive.'
    expect(await screen.findByText(/^No results\./)).toHaveTextContent(
      `Searched in application checkout: all runs in the cluster. Not searched: ${unsearched}`,
    )
    const wider = `Search all applications of namespace ${namespace}`
    expect(dialog.getByRole('button', { name: wider })).toBeVisible()
    await user.keyboard('{Enter}')
    expect(await screen.findByRole('option', { name: 'refunds-api-on-push' })).toBe(chosen())
    expect(screen.queryByText(/Not searched/)).not.toBeInTheDocument()
    expect(dialog.queryByRole('button', { name: wider })).not.toBeInTheDocument()
    await user.keyboard('-none')
    expect(await screen.findByText(/^No results\./)).toHaveTextContent(
      `Searched in namespace ${namespace}: all runs in the cluster. Not searched: snapshots by name, ${unsearched}`,
    )
    expect(screen.queryByRole('option')).not.toBeInTheDocument()
  })

  it('searches all namespaces with Enter for what was pasted and not found', async () => {
    const { user, dialog } = await opened(paths.overview())
    await user.click(dialog.getByRole('combobox'))
    await user.paste('sha256:dd90')
    expect(await screen.findByText(/^No results\./)).toHaveTextContent('Press Enter to search all namespaces.')
    await user.keyboard('{Enter}')
    expect(await screen.findByRole('heading', { name: /Search/, level: 1 })).toBeVisible()
    expect(new URLSearchParams(location.search).get('q')).toBe('sha256:dd90')
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })

  it('offers to search the namespace although something was found, and returns the focus to what was typed', async () => {
    const { user, dialog, input } = await opened(paths.application({ namespace, application: 'checkout' }), {
      objects: [
        ...objects,
        aPipelineRun({ metadata: { name: 'ledger-on-push', labels: { [labels.application]: 'ledger' } } }),
      ],
    })
    await user.keyboard('ledger')
    expect(await screen.findByRole('option', { name: 'ledger' })).toBe(chosen())
    await user.click(await dialog.findByRole('button', { name: `Search all applications of namespace ${namespace}` }))
    expect(await screen.findByRole('option', { name: 'ledger-on-push' })).toBeInTheDocument()
    expect(input).toHaveFocus()
  })

  it('searches a namespace with a single request for runs, sent once the user types', async () => {
    const run = aPipelineRun({ metadata: { name: 'web-build-2', labels: { [labels.application]: 'ledger' } } })
    const { cluster, user } = await opened(paths.access({ namespace }), { objects: [...objects, run] })
    const reads = () => cluster.calls.filter(({ path }) => path.includes('/pipelineruns?'))
    await screen.findByRole('option', { name: 'ledger' })
    expect(reads()).toEqual([])
    await user.keyboard('web-build')
    expect(await screen.findByRole('option', { name: 'web-build-2' })).toBe(chosen())
    await user.keyboard('{Backspace}{Backspace}')
    expect(reads().map(({ path }) => new URLSearchParams(path.split('?')[1]).get('limit'))).toEqual(['1000'])
  })

  it('finds secrets of the namespace, and leads to the list of secrets with that name', async () => {
    const secret = aSecret({ metadata: { name: 'web-registry', namespace } })
    const { user } = await opened(list, { objects: [...objects, secret], as: 'admin' })
    await user.keyboard('web-reg')
    expect(await screen.findByRole('option', { name: 'web-registry' })).toBe(chosen())
    await user.keyboard('{Enter}')
    await waitFor(() =>
      expect(location.pathname + location.search).toBe(`${paths.secrets({ namespace })}?name=web-registry`),
    )
    expect(await screen.findByRole('rowheader', { name: 'web-registry' })).toBeVisible()
  })

  it('does not request secrets for users who may not list them', async () => {
    const { cluster, user } = await opened(list, { objects, as: 'contributor' })
    await user.keyboard('ledger')
    expect(await screen.findByRole('option', { name: 'ledger' })).toBe(chosen())
    await waitFor(() =>
      expect(JSON.stringify(reviewsIn(cluster.calls, 'SelfSubjectAccessReview'))).toContain('"resource":"secrets"'),
    )
    await waitFor(() => expect(screen.queryByText(/Loading/)).not.toBeInTheDocument())
    expect(cluster.calls.filter(({ path }) => path.includes('/secrets?'))).toEqual([])
    expect(screen.queryByText(/Unable to load/)).not.toBeInTheDocument()
  })

  it('says how many runs it searched if the namespace has more', async () => {
    const { cluster, user, input } = await opened()
    const sha = '8fbdf42'.padEnd(40, '0')
    const found = aPipelineRun({
      metadata: { name: 'old-build', labels: { [labels.application]: 'ledger', [labels.commitSha]: sha } },
    })
    const other = aPipelineRun({ metadata: { name: 'a-build', labels: { [labels.application]: 'ledger' } } })
    const listOf = (items: unknown[], more: object) =>
      Response.json({
        apiVersion: 'tekton.dev/v1',
        kind: 'PipelineRunList',
        metadata: { resourceVersion: '1', ...more },
        items,
      })
    cluster.faults.intercept((path) => {
      if (!path.includes('/pipelineruns?')) return undefined
      return path.includes(sha) ? listOf([found], {}) : listOf([other], { continue: 'more', remainingItemCount: 2412 })
    })
    await user.keyboard('8fbdf42')
    expect(
      await screen.findByText(/1 of 2,413 runs in the cluster. Enter a full SHA or the URL of a pull request to/),
    ).toBeVisible()
    expect(screen.queryByRole('option')).not.toBeInTheDocument()
    await user.type(input, sha.slice(7))
    expect(await screen.findByRole('option', { name: /^8fbdf42 / })).toBe(chosen())
  })

  it('says what it could not search when runs fail to load', async () => {
    const { cluster, user } = await opened()
    cluster.faults.intercept((path) =>
      path.includes('/pipelineruns') ? Response.json({ message: 'no' }, { status: 422 }) : undefined,
    )
    await user.keyboard('web')
    expect(await screen.findByText(/Unable to load pipeline runs and commits\./)).toBeInTheDocument()
  })

  it('says why a command is disabled, and does not run it', async () => {
    const { user } = await opened(list, { as: 'contributor' })
    const option = await screen.findByRole('option', { name: /^Create application/ })
    await waitFor(() => expect(option).toHaveTextContent("You don't have access to create an application"))
    expect(option).toHaveAttribute('aria-disabled', 'true')
    expect(chosen()).toHaveTextContent('Overview')
    await user.keyboard('create{Enter}')
    expect(chosen()).toBe(option)
    expect(screen.getByRole('dialog')).toBeVisible()
    expect(location.pathname).toBe(list)
  })

  it('lists destructive actions last', async () => {
    await opened(paths.application({ namespace, application: 'checkout' }))
    const actions = within(await screen.findByRole('group', { name: 'Actions' }))
    const labels = () => actions.getAllByRole('option').map((option) => option.textContent)
    await waitFor(() => expect(labels()).toEqual(expect.arrayContaining(['View YAML', 'Add secret'])))
    expect(labels().at(-1)).toBe('Delete application')
  })

  it('disables commands that change something while offline, and says why', async () => {
    const run = aPipelineRun({ status: { conditions: [condition('Succeeded', 'Unknown', 'Running')] } })
    const path = paths.pipelineRun({ namespace, application: 'checkout', pipelineRun: nameOf(run) })
    const { cluster, user } = await opened(path, { objects: [...objects, run] })
    const option = await screen.findByRole('option', { name: /^Stop/ })
    await waitFor(() => expect(option).toHaveAttribute('aria-disabled', 'false'))
    cluster.faults.intercept(() => {
      throw new TypeError('no network')
    })
    act(() => void dispatchEvent(new Event('offline')))
    await waitFor(() => expect(option).toHaveTextContent(/You have been offline since/))
    expect(option).toHaveAttribute('aria-disabled', 'true')
    await user.keyboard('stop{Enter}')
    expect(cluster.calls.filter(({ method }) => method === 'PATCH')).toEqual([])
  })

  it('never preselects an action that changes something, and confirms it before it runs', async () => {
    const run = aPipelineRun({
      metadata: { name: 'build-1', labels: { [labels.application]: 'checkout' } },
      status: { conditions: [condition('Succeeded', 'Unknown', 'Running')] },
    })
    const path = paths.pipelineRun({ namespace, application: 'checkout', pipelineRun: nameOf(run) })
    const { cluster, user, input } = await opened(path, { objects: [...objects, run] })
    const option = await screen.findByRole('option', { name: /^Stop/ })
    await waitFor(() => expect(option).toHaveAttribute('aria-disabled', 'false'))
    const writes = () => cluster.calls.filter(({ method }) => method === 'PATCH')
    expect(chosen()).toHaveTextContent('View YAML')
    await user.keyboard('stop')
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(1))
    expect(input).not.toHaveAttribute('aria-activedescendant')
    await user.keyboard('{Enter}')
    expect(screen.queryByRole('dialog', { name: 'Stop?' })).not.toBeInTheDocument()
    await user.keyboard('{ArrowDown}{Enter}')
    const question = within(await screen.findByRole('dialog', { name: 'Stop?' }))
    expect(question.getByText('build-1')).toBeVisible()
    await waitFor(() => expect(question.getByRole('button', { name: 'Back' })).toHaveFocus())
    await user.keyboard('{Enter}')
    await screen.findByRole('combobox')
    expect(writes()).toEqual([])
    await user.click(await screen.findByRole('option', { name: /^Stop/ }))
    await user.click(await screen.findByRole('button', { name: 'Stop' }))
    await waitFor(() => expect(writes()).not.toEqual([]))
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })

  it('tells assistive technology which option the arrow keys have selected', async () => {
    const { user, input } = await opened()
    await screen.findByRole('option', { name: 'ledger' })
    await screen.findByRole('option', { name: namespace })
    const options = screen.getAllByRole('option')
    expect(input).toHaveAttribute('aria-activedescendant', options[0]?.id)
    await user.keyboard('{ArrowUp}')
    expect(chosen()).toBe(options.at(-1))
    await user.keyboard('{ArrowDown}{ArrowDown}')
    expect(chosen()).toBe(options[1])
    expect(input).toHaveAttribute('aria-activedescendant', options[1]?.id)
    for (const { id } of options) expect(id).not.toMatch(/\s/)
    await user.keyboard('no such thing')
    expect(await screen.findByText(/^No results\./)).toHaveAttribute('role', 'status')
    expect(input).not.toHaveAttribute('aria-activedescendant')
  })

  it('does not say that there are no results while some are loading', async () => {
    const { user, cluster } = await renderRoute(paths.about())
    await screen.findByRole('heading', { name: 'About Slipway', level: 1 })
    let answer = (_: Response) => {}
    const answered = new Promise<Response>((resolve) => (answer = resolve))
    cluster.faults.intercept((path) => (path.includes('/api/v1/namespaces') ? answered : undefined))
    await user.click(screen.getByRole('button', { name: 'Search or run a command' }))
    await user.type(await screen.findByRole('combobox'), namespace)
    expect(await screen.findByText('Loading namespaces…')).toHaveAttribute('role', 'status')
    const list = { apiVersion: 'v1', kind: 'NamespaceList', metadata: { resourceVersion: '1' } }
    answer(Response.json({ ...list, items: [aNamespace({ metadata: { name: namespace } })] }))
    expect(await screen.findByRole('option', { name: namespace })).toBeInTheDocument()
    expect(screen.getByText('1 result.')).toBeInTheDocument()
  })

  it('says what it could not load', async () => {
    const { user, cluster } = await renderRoute(paths.about())
    await screen.findByRole('heading', { name: 'About Slipway', level: 1 })
    cluster.faults.intercept((path) =>
      path.includes('/api/v1/namespaces') ? Response.json({ message: 'no' }, { status: 422 }) : undefined,
    )
    await user.click(screen.getByRole('button', { name: 'Search or run a command' }))
    expect(await screen.findByText(/Unable to load namespaces\./)).toBeInTheDocument()
    const applications = await screen.findByRole('option', { name: /^Applications/ })
    expect(applications).toHaveTextContent('Select a namespace first')
  })

  it('has no axe violations', async () => {
    await opened()
    await screen.findByRole('option', { name: 'ledger' })
    const { violations } = await axe.run(screen.getByRole('dialog'), {
      rules: { 'color-contrast': { enabled: false } },
    })
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  })
})

describe('keyboard shortcuts', () => {
  it('/ focuses the filter of the list', async () => {
    const { user } = await renderRoute(list, { objects })
    const filter = await screen.findByRole('textbox', { name: 'Filter by name' })
    await user.keyboard('/')
    expect(filter).toHaveFocus()
    await user.keyboard('/?')
    expect(filter).toHaveValue('/?')
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })

  it('? lists the shortcuts, and lets the user turn off the single-key ones', async () => {
    const { user } = await renderRoute(list, { objects })
    await screen.findByRole('textbox', { name: 'Filter by name' })
    await user.keyboard('?')
    const dialog = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }))
    expect(dialog.getByText('Filter the list')).toBeVisible()
    await user.click(dialog.getByRole('switch', { name: 'Enable single-key shortcuts' }))
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    await user.keyboard('?/')
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    expect(screen.getByRole('textbox', { name: 'Filter by name' })).not.toHaveFocus()
  })

  it('/ focuses the search of a log, wherever the focus is on its page', async () => {
    // jsdom does not scroll.
    Element.prototype.scrollTo ??= () => undefined
    const taskRun = aTaskRun({ status: { podName: 'built-pod', conditions: [condition('Succeeded', 'True')] } })
    const view = await renderRoute(list, { objects: [...objects, taskRun] })
    await putPod(view.cluster.system, 'built-pod', { 'step-build': { state: ended(), log: 'made' } })
    await view.router.navigate(paths.taskRunLogs({ namespace, application: 'checkout', taskRun: nameOf(taskRun) }))
    const search = await screen.findByRole('textbox', { name: /^Find in the log/ })
    await view.user.keyboard('/')
    expect(search).toHaveFocus()
    expect(search).toHaveValue('')
  })

  it('? includes the shortcuts of a log if there is one', async () => {
    // jsdom does not scroll.
    Element.prototype.scrollTo ??= () => undefined
    const taskRun = aTaskRun({ status: { podName: 'built-pod', conditions: [condition('Succeeded', 'True')] } })
    const view = await renderRoute(list, { objects: [...objects, taskRun] })
    await putPod(view.cluster.system, 'built-pod', { 'step-build': { state: ended(), log: 'made' } })
    await view.router.navigate(paths.taskRunLogs({ namespace, application: 'checkout', taskRun: nameOf(taskRun) }))
    await screen.findByRole('log')
    await view.user.keyboard('?')
    const dialog = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }))
    expect(dialog.getByText('In a log: find')).toBeVisible()
    await view.user.keyboard('{Escape}')
    await view.router.navigate(list)
    await screen.findByRole('textbox', { name: 'Filter by name' })
    await view.user.keyboard('?')
    await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
    expect(screen.queryByText('In a log: find')).not.toBeInTheDocument()
  })

  it('do nothing while a dialog is open', async () => {
    const { user } = await renderRoute(list, { objects })
    await user.click(await screen.findByRole('button', { name: 'Actions for ledger' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Delete application' }))
    await screen.findByRole('dialog', { name: /Delete application/ })
    await user.keyboard('{Control>}k{/Control}')
    expect(screen.getAllByRole('dialog')).toHaveLength(1)
    expect(screen.queryByRole('combobox')).not.toBeInTheDocument()
  })
})
