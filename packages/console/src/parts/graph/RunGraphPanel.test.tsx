import { labels } from '@slipway/model/labels'
import { runGraph } from '@slipway/model/graphs/pipeline-graph'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { aPipelineRun, aTaskRun, condition, type Overrides } from '@slipway/model/testing'
import { render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { columnGaps } from '../../../test/column-gaps'
import { markArchived } from '../../api/archive/origin'
import { PipelineGraph } from './PipelineGraph'
import { RunGraphPanel } from './RunGraphPanel'

const at = (seconds: number) => new Date(Date.parse('2026-01-31T09:00:00Z') + seconds * 1_000).toISOString()

const run: PipelineRun = aPipelineRun({
  status: {
    conditions: [condition('Succeeded', 'False', 'Failed')],
    startTime: at(0),
    completionTime: at(100),
    pipelineSpec: {
      tasks: [
        { name: 'init' },
        { name: 'build', runAfter: ['init'], matrix: { params: [{ name: 'PLATFORM', value: ['x86', 'arm'] }] } },
        { name: 'scan', runAfter: ['build'] },
        { name: 'sign', runAfter: ['build'], when: [{ input: 'no', operator: 'in', values: ['yes'] }] },
      ],
      finally: [{ name: 'summary' }],
    },
    skippedTasks: [{ name: 'sign', reason: 'When Expressions evaluated to false' }],
  },
})

const taskRun = (task: string, name: string, from: number, to: number, overrides: Overrides<TaskRun> = {}): TaskRun =>
  aTaskRun({
    ...overrides,
    metadata: { name, labels: { [labels.pipelineTask]: task }, creationTimestamp: at(from) },
    status: {
      conditions: [condition('Succeeded', 'True')],
      startTime: at(from),
      completionTime: at(to),
      steps: [
        { name: 'one', terminated: { exitCode: 0, reason: 'Completed', startedAt: at(from + 2), finishedAt: at(to) } },
      ],
      ...overrides.status,
    },
  })

const on = (value: string) => ({ spec: { params: [{ name: 'PLATFORM', value }] } })
const taskRuns = [
  taskRun('init', 'run-init', 0, 10),
  taskRun('build', 'run-build-0', 10, 30, on('x86')),
  taskRun('build', 'run-build-1', 10, 60, on('arm')),
  taskRun('scan', 'run-scan', 60, 90, {
    status: {
      results: [
        { name: 'TEST_OUTPUT', value: JSON.stringify({ result: 'FAILURE', failures: 7, warnings: 1 }) },
        { name: 'SCAN_OUTPUT', value: JSON.stringify({ vulnerabilities: { critical: 1, high: 2 } }) },
      ],
    },
  }),
  taskRun('summary', 'run-summary', 90, 100),
]

/** @param query such as `?view=list` */
function show(query = '', given: readonly TaskRun[] | 'unknown' = taskRuns, of = run, areAll?: boolean) {
  history.replaceState(null, '', `/${query}`)
  const element = (
    <RunGraphPanel
      run={of}
      taskRuns={given === 'unknown' ? undefined : given}
      isComplete={areAll}
      renderDetails={(taskRun, node) => <p>{`details of ${taskRun?.metadata.name ?? 'nothing'} at ${node.id}`}</p>}
      renderLogs={(taskRun) => <p>{`log of ${taskRun.metadata.name}`}</p>}
    />
  )
  const router = createBrowserRouter([{ path: '*', element }])
  onTestFinished(() => router.dispose())
  render(<RouterProvider router={router} />)
  return userEvent.setup()
}

const onSelect = () => undefined
const graph = () => screen.findByRole('application', { name: /^Tasks of/ })
const nodeNames = async () =>
  within(await graph())
    .getAllByRole('button', { pressed: false })
    .map((node) => node.getAttribute('aria-label'))
const panel = (name: string) => screen.findByRole('region', { name })

describe('the graph', () => {
  it.each([
    ['GRAPH-04, GRAPH-06, GRAPH-09 a task with its status and duration', 'init, Succeeded, 10 seconds'],
    ['GRAPH-15, GRAPH-16 each instance of a matrix', 'build x86, Succeeded, 20 seconds'],
    ['GRAPH-15, GRAPH-16 another instance of it', 'build arm, Succeeded, 50 seconds'],
    [
      'GRAPH-07, GRAPH-08, GRAPH-10 what tests and scans have found',
      'scan, Test Failures, 30 seconds, 7 test failures, 1 test warning, 1 critical and 2 high vulnerabilities',
    ],
    ['GRAPH-21 the conditions of a skipped task', 'sign, Skipped, conditions unmet'],
    ['GRAPH-04 a final task', 'summary, Succeeded, 10 seconds'],
  ])('%s is in the name of its node', async (_, name) => {
    show()
    expect(await nodeNames()).toContain(name)
  })

  it('has one node for each task or instance', async () => {
    show()
    expect(await nodeNames()).toHaveLength(6)
  })

  describe('with a task run that was archived before it ended', () => {
    const scan = markArchived(
      taskRun('scan', 'run-scan', 60, 90, {
        status: { conditions: [condition('Succeeded', 'Unknown', 'Running')], completionTime: undefined },
      }),
    )
    const given = [...taskRuns.filter(({ metadata }) => metadata.name !== 'run-scan'), scan]

    it('shows the status as Unknown, without a duration', async () => {
      show('', given)
      expect(await nodeNames()).toContain('scan, Unknown')
    })

    it('does not show it as running until now', async () => {
      show('?view=timeline', given)
      expect(await screen.findByText('Start times unavailable: scan (Unknown)')).toBeVisible()
      expect(screen.queryByText('Running', { selector: '.pf-v6-c-label__text' })).not.toBeInTheDocument()
    })

    it('stops the clock of a run that was deleted as well', async () => {
      const goingOn = { conditions: [condition('Succeeded', 'Unknown', 'Running')], completionTime: undefined }
      show('?view=timeline', given, markArchived({ ...run, status: { ...run.status, ...goingOn } }))
      expect(await screen.findByText(/^Total 1m 40s/)).toBeVisible()
    })
  })

  it.each([
    [
      'GRAPH-07, GRAPH-08, GRAPH-10 counts of failures, warnings and vulnerabilities',
      /^scan,/,
      'scanTest Failures30s71C\u00a01H\u00a02',
    ],
    ['GRAPH-06, GRAPH-09 status and duration', /^build arm,/, 'buildarmSucceeded50s'],
    ['GRAPH-21 unmet conditions', /^sign,/, 'signSkipped5s✕'],
  ])('%s are visible in a node', async (_, name, text) => {
    const skippedByItself = taskRun('sign', 'run-sign', 60, 65, {
      status: { results: [{ name: 'TEST_OUTPUT', value: JSON.stringify({ result: 'SKIPPED' }) }] },
    })
    show('', [...taskRuns, skippedByItself])
    await graph()
    const box = screen.getByRole('button', { name }).closest('.react-flow__node')
    // What is said for those who do not see it stands beside it.
    for (const hidden of box?.querySelectorAll('.pf-v6-screen-reader') ?? []) hidden.remove()
    expect(box?.textContent).toBe(text)
  })

  it('GRAPH-05, GRAPH-27, GRAPH-28 shows the conditions of tasks until they are switched off', async () => {
    const user = show()
    await graph()
    const sign = 'When (unmet): "no" is one of "yes"'
    expect(screen.getByTitle(sign)).toBeVisible()
    expect(columnGaps(await graph())).toEqual([85])
    await user.click(screen.getByRole('switch', { name: 'Show conditions' }))
    expect(screen.queryByTitle(sign)).not.toBeInTheDocument()
    expect(columnGaps(await graph())).toEqual([50])
    await waitFor(() => expect(location.search).toBe('?when=false'))
  })

  it('is navigated with arrow keys, and Enter selects', async () => {
    const user = show()
    await graph()
    const focused = () => document.activeElement?.getAttribute('aria-label')?.split(',')[0]
    screen.getByRole('button', { name: /^init,/ }).focus()
    const steps: [string, string][] = [
      ['{ArrowRight}', 'build x86'],
      ['{ArrowDown}', 'build arm'],
      ['{ArrowDown}', 'build arm'],
      ['{ArrowUp}', 'build x86'],
      ['{ArrowLeft}', 'init'],
      ['{End}', 'summary'],
      ['{ArrowLeft}', 'scan'],
      ['{Home}', 'init'],
      ['{ArrowRight}', 'build x86'],
    ]
    for (const [key, expected] of steps) {
      await user.keyboard(key)
      expect([key, focused()]).toEqual([key, expected])
    }
    await user.keyboard('{Enter}')
    expect(await panel('build x86')).toBeVisible()
  })

  it('has one node that Tab reaches', async () => {
    show()
    const nodes = within(await graph()).getAllByRole('button', { pressed: false })
    expect(nodes.filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(1)
  })

  it('has controls with names', async () => {
    show()
    await graph()
    for (const name of ['Zoom in', 'Zoom out', 'Fit to screen'])
      expect(screen.getByRole('button', { name })).toBeVisible()
  })

  it('shows what it can if task runs cannot be read', async () => {
    show('', 'unknown')
    expect((await nodeNames())[0]).toBe('init, Idle')
  })
})

describe('a run that timed out', () => {
  const message = 'TaskRun "run-build" was cancelled. TaskRun cancelled as the PipelineRun it belongs to has timed out.'
  const over = {
    ...run,
    status: {
      ...run.status,
      pipelineSpec: {
        tasks: [
          { name: 'build' },
          {
            name: 'scan',
            runAfter: ['build'],
            when: [{ input: '$(params.scan)', operator: 'in' as const, values: ['yes'] }],
          },
        ],
      },
      skippedTasks: [],
      conditions: [condition('Succeeded', 'False', 'PipelineRunTimeout')],
    },
  }
  const cut = [
    taskRun('build', 'run-build', 0, 90, {
      status: { conditions: [{ ...condition('Succeeded', 'False', 'TaskRunCancelled'), message }] },
    }),
  ]

  it('GRAPH-06, GRAPH-18 says which task timed out and which did not run in the graph', async () => {
    show('?when=true', cut, over)
    expect(await nodeNames()).toEqual([
      'build, Cancelled, timed out, 1 minute 30 seconds',
      'scan, Idle, did not run, conditions not evaluated',
    ])
  })

  it('GRAPH-18 says so in the list', async () => {
    show('?view=list', cut, over)
    const rows = within(await screen.findByRole('list', { name: /^Tasks of/ })).getAllByRole('listitem')
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      'buildtimed outCancelled1m 30s1 minute 30 seconds',
      'scanafter builddid not runconditions not evaluatedIdle-',
    ])
  })

  it('GRAPH-18 says so in the timeline', async () => {
    show('?view=timeline', cut, over)
    expect(await screen.findByText('Did not run: scan')).toBeVisible()
    expect(screen.getByRole('button', { name: 'build' }).closest('li')).toHaveTextContent(
      'Cancelled, timed out, waited',
    )
  })

  it('GRAPH-18, LOG-03 says so in the panel of the task', async () => {
    show('?selected=scan&panel=logs', cut, over)
    expect(await screen.findByText('No logs found. This task did not run.')).toBeVisible()
  })
})

describe('a deleted task run', () => {
  const childReferences = [...taskRuns, { metadata: { name: 'run-init' } }].map(({ metadata: { name = '' } }) => ({
    name,
    pipelineTaskName: /run-([a-z]+)/.exec(name)?.[1] ?? '',
  }))
  const pruned = { ...run, status: { ...run.status, childReferences } }
  const left = taskRuns.slice(1)

  it('GRAPH-18 is reported next to the status', async () => {
    const user = show('', left, pruned)
    expect((await nodeNames())[0]).toBe('init, Idle, task run deleted')
    await user.click(screen.getByRole('button', { name: /^init,/ }))
    const beside = within(await panel('init'))
    expect(beside.getByText(/^It has run: run-init/)).toBeVisible()
    await user.click(beside.getByRole('tab', { name: 'Logs' }))
    expect(beside.getByText('No logs found.')).toBeVisible()
  })

  it('is not listed among those that did not run', async () => {
    show('?view=timeline', left, pruned)
    expect(await screen.findByText('Did not run: sign (Skipped)')).toBeVisible()
    expect(screen.getByText('Start times unavailable: init (Idle)')).toBeVisible()
  })

  it('is not assumed if it merely could not be read', async () => {
    show('?view=timeline&selected=init&panel=logs', [], pruned, false)
    expect(await screen.findByText('The start times of the tasks are no longer available.')).toBeVisible()
    expect(screen.getByText('The task run of this task cannot be read.')).toBeVisible()
  })
})

it('GRAPH-06 a live graph stays in place and shows what has changed', () => {
  const before = taskRuns.slice(0, 4)
  const live = { ...run, status: { ...run.status, conditions: [condition('Succeeded', 'Unknown', 'Running')] } }
  const shown = (runs: readonly TaskRun[]) => (
    <PipelineGraph graph={runGraph(live, runs)} kind="run" selected={undefined} onSelect={onSelect} label="Tasks" />
  )
  const { rerender, container } = render(shown(before))
  const transforms = () =>
    [...container.querySelectorAll<HTMLElement>('.react-flow__node, .react-flow__viewport')].map(
      ({ style }) => style.transform,
    )
  const places = transforms()
  expect(places).toHaveLength(7)
  const summary = screen.getByRole('button', { name: 'summary, Idle' })
  rerender(shown(taskRuns))
  expect(transforms()).toEqual(places)
  expect(screen.getByRole('button', { name: 'summary, Succeeded, 10 seconds' })).toBe(summary)
})

describe('the panel', () => {
  it('GRAPH-12, GRAPH-13, GRAPH-14 opens with the details and the log of a task, 500 px wide', async () => {
    const user = show()
    await graph()
    await user.click(screen.getByRole('button', { name: /^scan,/ }))
    const beside = await panel('scan')
    expect(beside.getAttribute('style')).toContain('500px')
    expect(
      within(beside)
        .getAllByRole('tab')
        .map(({ textContent }) => textContent),
    ).toEqual(['Details', 'Logs'])
    expect(within(beside).getByText('details of run-scan at scan')).toBeVisible()
    expect(within(beside).getByText('Test Failures')).toBeVisible()
    expect(within(beside).getByRole('heading', { name: 'scan' })).toHaveFocus()
    await user.click(within(beside).getByRole('tab', { name: 'Logs' }))
    expect(within(beside).getByText('log of run-scan')).toBeVisible()
    await waitFor(() => expect(new URLSearchParams(location.search).get('panel')).toBe('logs'))
    expect(new URLSearchParams(location.search).get('selected')).toBe('scan')
  })

  it('opens from the URL without moving the focus', async () => {
    show('?selected=build%2Frun-build-1&panel=logs')
    expect(await screen.findByText('log of run-build-1')).toBeVisible()
    expect(document.body).toHaveFocus()
  })

  it('closes with Escape and returns the focus to its node', async () => {
    const user = show()
    await graph()
    await user.click(screen.getByRole('button', { name: /^scan,/ }))
    await panel('scan')
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('region', { name: 'scan' })).not.toBeInTheDocument()
    expect(screen.getByRole('button', { name: /^scan,/ })).toHaveFocus()
    await waitFor(() => expect(location.search).toBe(''))
  })

  it('says why a task was skipped, and on which conditions', async () => {
    show('?selected=sign')
    const beside = await panel('sign')
    expect(beside).toHaveTextContent('When Expressions evaluated to false')
    expect(beside).toHaveTextContent('Unmet"no" is one of "yes"')
    expect(beside).toHaveTextContent('details of nothing at sign')
  })

  it('stays closed for an unknown node', async () => {
    show('?selected=gone')
    await graph()
    expect(screen.queryByRole('region')).not.toBeInTheDocument()
  })
})

describe('the other views', () => {
  it('include a list with the parents of each task', async () => {
    const user = show('?view=list')
    const rows = within(await screen.findByRole('list', { name: /^Tasks of/ })).getAllByRole('listitem')
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      'initSucceeded10s10 seconds',
      'build x86after initSucceeded20s20 seconds',
      'build armafter initSucceeded50s50 seconds',
      expect.stringMatching(
        /^scanafter build x86, build armTest Failures30s30 seconds7 test failures1 test warning1 critical/,
      ),
      'signafter build x86, build armconditions unmetSkipped-',
      'summaryfinally, after every other taskSucceeded10s10 seconds',
    ])
    await user.click(screen.getByRole('button', { name: 'scan' }))
    expect(await panel('scan')).toBeVisible()
  })

  it('include a timeline with the critical path and steps', async () => {
    const user = show('?view=timeline')
    expect(await screen.findByText(/Critical path/)).toHaveTextContent(
      'Total 1m 40s. Critical path (4 tasks): init → build arm → scan → summary',
    )
    const row = screen.getByRole('button', { name: 'build arm' }).closest('li')
    expect(row).toHaveTextContent('Succeeded, waited 2 seconds, ran 48 seconds, on the critical path')
    // The graph says 50 seconds, which include the wait.
    expect(row?.querySelector('.slipway-timeline__time')).toHaveTextContent(/^48s \+2s$/)
    expect(screen.getByText('Did not run: sign (Skipped)')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Steps of build arm' }))
    expect(screen.getByRole('list', { name: 'Steps of build arm' })).toHaveTextContent('one, 48 seconds, Succeeded')
  })

  it('GRAPH-18 list tasks that have not started yet while the run is unfinished', async () => {
    const conditions = [condition('Succeeded', 'Unknown', 'Running')]
    const going = { ...run, status: { ...run.status, completionTime: undefined, conditions } }
    show('?view=timeline', taskRuns.slice(0, 1), going)
    expect(await screen.findByText('Not started yet: build (Idle), scan (Idle), summary (Idle)')).toBeVisible()
    expect(screen.getByText('Did not run: sign (Skipped)')).toBeVisible()
  })

  it('list a task that ended without a start time separately', async () => {
    const ended = taskRun('init', 'run-init', 0, 10, { status: { completionTime: undefined, steps: [] } })
    show('?view=timeline', [ended, ...taskRuns.slice(1)])
    expect(await screen.findByText('Start times unavailable: init (Succeeded)')).toBeVisible()
    expect(screen.queryByText(/Did not run: .*init/)).not.toBeInTheDocument()
  })

  it('are switched by buttons and kept in the URL', async () => {
    const user = show()
    await graph()
    await user.click(screen.getByRole('button', { name: 'Timeline' }))
    expect(await screen.findByText(/Critical path/)).toBeVisible()
    await waitFor(() => expect(location.search).toBe('?view=timeline'))
    await user.click(screen.getByRole('button', { name: 'Graph' }))
    await graph()
    await waitFor(() => expect(location.search).toBe(''))
  })
})

describe('a run with 1,200 tasks', () => {
  const names = Array.from({ length: 1_200 }, (_, index) => `task-${index}`)
  const many = names.map((name, index) => taskRun(name, `run-${name}`, index, index + 1))
  const large = aPipelineRun({
    status: { ...run.status, skippedTasks: [], pipelineSpec: { tasks: names.map((name) => ({ name })) } },
  })

  it.each(['list', 'timeline'])('renders only the rows on screen, and says how many there are (%s)', async (view) => {
    // jsdom has no layout, and which rows render depends on the height of the scrolling element.
    vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600)
    vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(50)
    show(`?view=${view}`, many, large)
    const rows = await within(screen.getByRole('list', { name: /^Tasks of / })).findAllByRole('listitem')
    expect(rows.length).toBeLessThan(100)
    expect(rows[0]).toHaveAttribute('aria-setsize', '1200')
    expect(rows[0]).toHaveAttribute('aria-posinset', '1')
    expect(within(rows[0] as HTMLElement).getByRole('button', { name: 'task-0' })).toBeVisible()
  })
})
