import { labels } from '@slipway/model/labels'
import { taskRunType } from '@slipway/model/runs/task-run'
import { anApplication, aPipelineRun, aTaskRun, condition } from '@slipway/model/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { namespace } from '../../../test/cluster'
import { fakeArchive } from '../../../test/fake-archive'
import { grantTo } from '../../../test/grant-to'
import { renderRoute } from '../../../test/render-route'
import { paths } from '../../paths'

const name = 'checkout-enterprise-contract-x4k2p'
const params = { namespace, application: 'checkout', pipelineRun: name }
const ec = { [labels.buildPipeline]: 'enterprise-contract', [labels.pipelineType]: 'test' }
const done = [condition('Succeeded', 'True')]
const run = aPipelineRun({ metadata: { name, labels: ec }, status: { conditions: done } })
const verify = (podName = 'verify-pod') =>
  aTaskRun({
    metadata: {
      name: `${name}-verify`,
      labels: {
        ...ec,
        [labels.pipelineRun]: name,
        [labels.pipelineTask]: 'verify',
        [labels.pipelineRunUid]: 'uid-of-run',
      },
    },
    status: {
      podName,
      conditions: done,
      steps: [{ name: 'report-json', terminated: { exitCode: 0, reason: 'Completed' } }],
    },
  })
const rule = (title: string) => ({
  msg: `${title} says so`,
  metadata: {
    code: `tests.${title.toLowerCase()}`,
    title,
    description: `about ${title}`,
    collections: ['slsa3'],
    solution: `mend ${title}`,
    effective_on: '2026-01-01T00:00:00Z',
  },
})
const report = JSON.stringify({
  components: [
    { name: 'api', violations: [rule('Signed')], warnings: [rule('Fresh')] },
    { name: 'web', successes: [rule('Tested')] },
  ],
})

async function scene(path: string, log: string | undefined) {
  const view = await renderRoute(paths.about(), { objects: [anApplication(), run, verify()] })
  const asked: string[] = []
  view.cluster.faults.intercept((url) => {
    if (!url.includes('/pods/verify-pod/log')) return undefined
    asked.push(url)
    return log === undefined
      ? Response.json({ kind: 'Status', code: 404, message: 'not found' }, { status: 404 })
      : new Response(log)
  })
  await view.router.navigate(path)
  return { ...view, asked }
}
const rows = () => screen.getAllByRole('rowheader').map((cell) => cell.textContent)

describe('the report of a run', () => {
  it('RUN-06, EC-01, EC-14 is read from the log of its step, and shown in a tab of its own', async () => {
    const { asked } = await scene(paths.pipelineRunSecurity(params), report)
    expect(await screen.findByRole('heading', { name: 'Testing apps against Enterprise Contract' })).toBeVisible()
    expect(screen.getByRole('tab', { name: 'Security' })).toHaveAttribute('aria-selected', 'true')
    expect(await screen.findByRole('row', { name: /Failed Signed/ })).toBeVisible()
    expect(asked.every((url) => url.includes('container=step-report-json'))).toBe(true)
  })

  it('EC-02, EC-09 has a table, and counts of each outcome', async () => {
    await scene(paths.pipelineRunSecurity(params), report)
    expect(await screen.findByRole('row', { name: /Failed Signed Signed says so api/ })).toBeVisible()
    expect(screen.getByRole('row', { name: /Success Tested - web/ })).toBeVisible()
    const headers = screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
    // The first is for screen readers.
    expect(headers).toEqual(['Details', 'Status', 'Rules', 'Message', 'Component'])
    expect(screen.getByRole('group', { name: 'Summary' })).toHaveTextContent('Failed 1Warning 1Success 1')
  })

  it('EC-03, EC-06, EC-07, EC-08 can be sorted and filtered', async () => {
    const { user } = await scene(paths.pipelineRunSecurity(params), report)
    await screen.findByRole('row', { name: /Signed/ })
    expect(rows()).toEqual(['Signed', 'Fresh', 'Tested'])
    await user.click(within(screen.getByRole('columnheader', { name: 'Rules' })).getByRole('button'))
    expect(rows()).toEqual(['Fresh', 'Signed', 'Tested'])
    for (const [filter, choice, expected] of [
      ['Component', /^api/, ['Fresh', 'Signed']],
      ['Status', /^Warning/, ['Fresh']],
    ] as const) {
      // The column of the same name has a button too.
      await user.click(screen.getByRole('button', { name: filter, expanded: false }))
      await user.click(within(screen.getByRole('menu')).getByRole('checkbox', { name: choice }))
      await waitFor(() => expect(rows()).toEqual(expected))
      await user.keyboard('{Escape}')
    }
    await user.click(screen.getByRole('button', { name: 'Clear all filters' }))
    await user.type(screen.getByRole('textbox', { name: /Filter by rule/ }), 'tested')
    await waitFor(() => expect(rows()).toEqual(['Tested']))
  })

  it('EC-04, EC-05 a rule that is expanded says what it is about, by keyboard too', async () => {
    const { user } = await scene(paths.pipelineRunSecurity(params), report)
    const toggle = await screen.findByRole('button', { name: 'Details of Signed', expanded: false })
    toggle.focus()
    await user.keyboard('{Enter}')
    expect(toggle).toHaveAttribute('aria-expanded', 'true')
    expect(toggle).toHaveFocus()
    const details = screen.getByRole('row', { name: /Failed Signed/ }).nextElementSibling as HTMLElement
    for (const text of ['Rule Description', 'about Signed', 'Collection', 'slsa3', 'Solution', 'mend Signed']) {
      expect(within(details).getByText(text)).toBeVisible()
    }
    expect(within(details).getByText('Effective from')).toBeVisible()
    expect(within(details).getByText(/^\w+ \d\d, 202\d, /)).toHaveAttribute('datetime', '2026-01-01T00:00:00Z')
    // The whole message, which the row may cut off, and the code by which policies name the rule.
    expect(within(details).getByText('Signed says so')).toBeVisible()
    expect(within(details).getByText('tests.signed')).toBeVisible()
    await user.click(within(details).getByRole('button', { name: 'Copy rule code' }))
    expect(await navigator.clipboard.readText()).toBe('tests.signed')
    await user.click(toggle)
    expect(screen.queryByText('about Signed')).not.toBeInTheDocument()
  })

  it('EC-06 rules are found by their code', async () => {
    const { user } = await scene(paths.pipelineRunSecurity(params), report)
    await screen.findByRole('row', { name: /Signed/ })
    await user.type(screen.getByRole('textbox', { name: /Filter by rule/ }), 'tests.fresh')
    await waitFor(() => expect(rows()).toEqual(['Fresh']))
  })

  it('a rule that is expanded stays so while a filter hides it and another order moves it', async () => {
    const { user } = await scene(paths.pipelineRunSecurity(params), report)
    await user.click(await screen.findByRole('button', { name: 'Details of Signed' }))
    await user.click(within(screen.getByRole('columnheader', { name: 'Rules' })).getByRole('button'))
    expect(screen.getByText('about Signed')).toBeVisible()
    const filter = screen.getByRole('textbox', { name: /Filter by rule/ })
    await user.type(filter, 'tested')
    await waitFor(() => expect(screen.queryByText('about Signed')).not.toBeInTheDocument())
    await user.clear(filter)
    expect(await screen.findByText('about Signed')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Details of Signed', expanded: true })).toBeVisible()
  })

  it('EC-16 says that a log contains no report', async () => {
    await scene(paths.pipelineRunSecurity(params), 'panic')
    expect(await screen.findByText('No valid EC report JSON found in logs')).toBeVisible()
  })

  it.each(['kubeArchive', 'tektonResults'])('EC-15 is read from %s where the cluster has no log', async (name) => {
    const archive = await fakeArchive()
    const task = verify('gone')
    const { cluster, router } = await renderRoute(paths.about(), {
      objects: [anApplication(), run, task],
      archives: { [name]: archive.plugin },
    })
    const { metadata, status } = await cluster.system.get(taskRunType, task.metadata.name ?? '', { namespace })
    archive.logs[`${status?.podName}/step-report-json`] = report
    archive.logs[`uid-of-run/${metadata.uid}`] = `step-init :-\nx\n\nstep-report-json :-\n${report}\n`
    await router.navigate(paths.pipelineRunSecurity(params))
    expect(await screen.findByRole('row', { name: /Failed Signed/ })).toBeVisible()
  })

  it('EC-20 requires the permissions that its page requires', async () => {
    const objects = [anApplication(), run, verify(), ...grantTo()]
    const { router } = await renderRoute(paths.pipelineRunSecurity(params), { as: 'outsider', objects })
    expect(await screen.findByRole('heading', { name: "Let's get you access", level: 1 })).toBeVisible()
    await router.navigate(paths.taskRunSecurity({ ...params, taskRun: `${name}-verify` }))
    await waitFor(() => expect(location.pathname).toContain('taskruns'))
    expect(await screen.findByRole('heading', { name: "Let's get you access", level: 1 })).toBeVisible()
  })

  it('EC-13 is unavailable for a run without the task', async () => {
    await renderRoute(paths.pipelineRunSecurity(params), { objects: [anApplication(), run] })
    expect(await screen.findByRole('heading', { name: 'Security information unavailable' })).toBeVisible()
  })
})

it('TASK-04 a task run of an Enterprise Contract run has a report too', async () => {
  const taskRun = `${name}-verify`
  await scene(paths.taskRunSecurity({ ...params, taskRun }), report)
  expect(await screen.findByRole('row', { name: /Failed Signed/ })).toBeVisible()
  expect(screen.getByRole('tab', { name: 'Security' })).toHaveAttribute('aria-selected', 'true')
})
