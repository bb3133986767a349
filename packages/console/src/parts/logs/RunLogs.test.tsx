import { aPipelineRun, condition } from '@slipway/model/testing'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { fakeArchive } from '../../../test/fake-archive'
import { ended, running, write } from '../../../test/pod-logs'
import { aRun, failed, goingOn, layOut, lineOf, pod, show, steps, taskRun } from '../../../test/run-logs'

beforeEach(layOut)

describe('the tasks of a run', () => {
  it('LOG-01, LOG-02 are listed in the order in which they ran, and the URL names the one whose log is shown', async () => {
    const { user } = await show({
      run: aRun(['scan', 'build', 'deploy']),
      taskRuns: [
        taskRun('scan', pod('scan', { startTime: '2026-01-31T09:02:00Z' })),
        taskRun('build', pod('build', { startTime: '2026-01-31T09:01:00Z' })),
      ],
      pods: {
        build: { 'step-build': { state: ended(), log: 'Building\n' } },
        scan: { 'step-scan': { state: ended(), log: 'Scanning\n' } },
      },
    })
    const tasks = within(await screen.findByRole('navigation', { name: 'Tasks of the run' })).getAllByRole('link')
    expect(tasks.map((task) => task.textContent)).toEqual(['buildSucceeded', 'scanSucceeded', 'deployIdle'])
    expect(await lineOf('Building')).toBeVisible()
    await user.click(screen.getByRole('link', { name: /^scan/ }))
    expect(await lineOf('Scanning')).toBeVisible()
    await waitFor(() => expect(location.search).toBe('?task=scan'))
  })

  it('are rendered only where they are on screen, if there are 1,200', async () => {
    const height = vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(50)
    onTestFinished(() => height.mockRestore())
    const names = Array.from({ length: 1_200 }, (_, index) => `task-${index}`)
    await show({ run: aRun(names), taskRuns: [taskRun('task-0', { conditions: failed })] })
    const tasks = within(await screen.findByRole('navigation', { name: 'Tasks of the run' })).getAllByRole('listitem')
    expect(tasks.length).toBeLessThan(100)
    expect(tasks[0]).toHaveAttribute('aria-setsize', '1200')
  })

  it('LOG-03 without a pod have no logs', async () => {
    await show({ taskRuns: [taskRun('build', { conditions: failed })] })
    expect(await screen.findByText('No logs found.')).toBeVisible()
  })

  it('LOG-14 that could not start say why, and do not blame the archive', async () => {
    const message = 'The step "build" in TaskRun "build" failed to pull the image "q/tools".'
    const conditions = [{ ...condition('Succeeded', 'False', 'TaskRunImagePullFailed'), message }]
    await show({ taskRuns: [taskRun('build', pod('build', { conditions }))] })
    expect(await screen.findByText(`No logs. This task could not start. ${message}`)).toBeVisible()
    expect(screen.queryByText(/no longer accessible/)).not.toBeInTheDocument()
  })

  it('LOG-03 without a pod, and a run without tasks, say what their condition says', async () => {
    const refused = [
      { ...condition('Succeeded', 'False', 'Failed'), message: 'It asks for a secret that does not exist' },
    ]
    await show({ taskRuns: [taskRun('build', { conditions: refused })] })
    expect(await screen.findByText('It asks for a secret that does not exist.')).toBeVisible()
    cleanup()
    await show({ run: aRun(['build'], { conditions: refused }) })
    expect(await screen.findByText('No logs found')).toBeVisible()
    expect(screen.getByText('It asks for a secret that does not exist.')).toBeVisible()
  })

  it('LOG-04 that were skipped say so in place of a log', async () => {
    await show({
      run: aRun(['build', 'scan'], { conditions: goingOn, skippedTasks: [{ name: 'scan', reason: 'x' }] }),
      taskRuns: [taskRun('build', { conditions: goingOn })],
      address: '?task=scan',
    })
    expect(await screen.findByText('No logs. This task was skipped.')).toBeVisible()
  })

  it('LOG-05 that are pending say so in place of a log', async () => {
    await show({ taskRuns: [taskRun('build', { conditions: [condition('Succeeded', 'Unknown', 'Pending')] })] })
    expect(await screen.findByText('Waiting on task to start.')).toBeVisible()
  })

  describe('LOG-05 whose pod is pending', () => {
    const message = 'pod status "Initialized":"False"; message: "containers with incomplete status: [prepare]"'
    const conditions = [{ ...condition('Succeeded', 'Unknown', 'Pending'), message }]
    const states = [{ name: 'build', container: 'step-build', waiting: { reason: 'PodInitializing' } }]
    const pending = taskRun('build', pod('build', { conditions, steps: states }))
    const isPod = (path: string) => path.endsWith('/pods/build-pod')
    const refused = (code: number) => Response.json({ code, message: 'not now' }, { status: code })
    const expectWaiting = async () => {
      expect(await screen.findByText('Waiting on task to start.')).toBeVisible()
      expect(screen.getByText(`${message}.`)).toBeVisible()
      expect(screen.queryByText(/no longer accessible/)).not.toBeInTheDocument()
      const tasks = within(screen.getByRole('navigation', { name: 'Tasks of the run' })).getAllByRole('link')
      expect(tasks.map((task) => task.textContent)).toEqual(['buildPending'])
    }

    it.each<[string, (path: string) => Response | undefined, string | undefined]>([
      [
        'may not be read',
        (path) => (isPod(path) ? refused(403) : undefined),
        'does not let you read pods in team-payments',
      ],
      ['cannot be read', (path) => (isPod(path) ? refused(422) : undefined), 'it could not be read: not now.'],
      ['does not exist', () => undefined, undefined],
    ])('and %s have not started, so nothing is missing', async (_, fault, reason) => {
      await show({ run: aRun(['build']), taskRuns: [pending], faults: (faults) => faults.intercept(fault) })
      await expectWaiting()
      if (reason) expect(screen.getByText(reason, { exact: false })).toBeVisible()
      expect(screen.queryAllByRole('button', { name: 'Try again' })).toHaveLength(reason ? 1 : 0)
    })
  })

  it('LOG-06 that have not started say so in place of a log', async () => {
    await show({ run: aRun(['build', 'scan']), address: '?task=scan' })
    expect(await screen.findByText('Waiting for scan task to start')).toBeVisible()
  })

  it('LOG-07 have no logs if the run has no tasks', async () => {
    await show({})
    expect(await screen.findByText('No logs found')).toBeVisible()
  })

  it('LOG-14 whose log was deleted say so, with a retry', async () => {
    await show({ taskRuns: [taskRun('build', pod('build'))] })
    expect(await screen.findByText('Logs are no longer accessible for build task')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible()
  })

  it('whose log an archive cannot return now can be retried', async () => {
    const archive = await fakeArchive()
    archive.failure = 503
    const build = taskRun('build', pod('build', { steps: [{ name: 'build', container: 'step-build', ...ended() }] }))
    const { user } = await show({ taskRuns: [build], archives: { kubeArchive: archive.plugin } })
    expect(await screen.findByText(/^the archive is unavailable \(request \S+\)$/)).toBeVisible()
    archive.failure = undefined
    archive.logs['build-pod/step-build'] = 'built\n'
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await lineOf('built')
  })
})

describe('a log', () => {
  it('finds text in any case, steps from match to match, and keeps the search in the URL', async () => {
    const { user, container } = await show(steps('one Error\ntwo\nthree ERROR error\n'))
    await lineOf('two')
    await user.type(screen.getByRole('textbox', { name: 'Find in the log of build' }), 'error')
    expect(await screen.findByText('3', { exact: false, selector: '.pf-v6-c-badge' })).toBeVisible()
    await waitFor(() => expect(container.querySelector('.pf-v6-c-badge')).toHaveTextContent('1 / 3'))
    expect(container.querySelector('mark[data-current]')).toHaveTextContent('Error')
    await user.keyboard('{Enter}')
    await waitFor(() => expect(container.querySelector('.pf-v6-c-badge')).toHaveTextContent('2 / 3'))
    expect([...container.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual(['Error', 'ERROR', 'error'])
    expect(container.querySelector('mark[data-current]')).toHaveTextContent('ERROR')
    await waitFor(() => expect(location.search).toBe('?find=error'))
    await user.click(screen.getByRole('button', { name: 'Match case' }))
    await waitFor(() => expect(container.querySelectorAll('mark')).toHaveLength(1))
    expect(await screen.findByText('1 found in the whole run')).toBeVisible()
  })

  it('says what is wrong with a regular expression', async () => {
    await show({ ...steps('one\n'), address: '?find=(&findAs=regex' })
    expect(await screen.findByText('Invalid regular expression: Unterminated group')).toBeVisible()
  })

  it('steps from error to error by keyboard', async () => {
    const { user, container } = await show(steps('fine\nerror: one\nfine\nerror: two\n'))
    await lineOf('error: one')
    screen.getByRole('log').focus()
    const current = () => container.querySelector('[data-selected]')?.textContent
    await user.keyboard('e')
    await waitFor(() => expect(current()).toContain('error: one'))
    await user.keyboard('e')
    await waitFor(() => expect(current()).toContain('error: two'))
    await user.keyboard('{Shift>}E{/Shift}')
    await waitFor(() => expect(current()).toContain('error: one'))
    await user.keyboard('/')
    expect(screen.getByRole('textbox', { name: 'Find in the log of build' })).toHaveFocus()
  })

  it('opens at the line in the URL, and puts selected lines into the URL', async () => {
    const { user, container } = await show({ ...steps('1\n2\n3\n4\n'), address: '?task=build#Lbuild:2' })
    await lineOf('2')
    const selected = () =>
      [...container.querySelectorAll('[data-selected] .slipway-log__text')].map((e) => e.textContent)
    expect(selected()).toEqual(['2'])
    await user.keyboard('{Shift>}')
    await user.click(screen.getByRole('link', { name: 'Line 4 of build' }))
    await user.keyboard('{/Shift}')
    await waitFor(() => expect(selected()).toEqual(['2', '3', '4']))
    expect(location.search + location.hash).toBe('?task=build#Lbuild:2-4')
  })

  it('moves the focus to the line in the URL, unless the user has moved it', async () => {
    const opened = { ...steps('1\n2\n3\n4\n'), address: '?task=build#Lbuild:2' }
    await show(opened)
    await waitFor(() => expect(screen.getByRole('link', { name: 'Line 2 of build' })).toHaveFocus())
    // In the next frame, the line would have the focus again.
    await new Promise(requestAnimationFrame)
    screen.getByRole('textbox', { name: 'Find in the log of build' }).focus()
    await act(async () => {
      history.pushState(null, '', '?task=build#Lbuild:3')
      window.dispatchEvent(new PopStateEvent('popstate'))
    })
    await waitFor(() => expect(document.querySelector('[data-selected]')).toHaveTextContent('3'))
    expect(screen.getByRole('textbox', { name: 'Find in the log of build' })).toHaveFocus()
  })

  it('expands what the line in the URL is folded into', async () => {
    const { user, container } = await show(steps('::group::Tests\ninside\n::endgroup::\n'))
    await lineOf('inside')
    await user.click(screen.getByRole('button', { name: 'build' }))
    await waitFor(() => expect(screen.queryByText('inside')).toBeNull())
    await act(async () => {
      history.pushState(null, '', '#Lbuild:2')
      window.dispatchEvent(new PopStateEvent('popstate'))
    })
    expect(await lineOf('inside')).toBeVisible()
    expect(container.querySelector('[data-selected]')).toHaveTextContent('inside')
  })

  it('follows new lines unless the user has scrolled up', async () => {
    const { user, cluster } = await show({
      taskRuns: [taskRun('build', pod('build', { conditions: goingOn }))],
      pods: { build: { 'step-build': { state: running, log: 'one\n' } } },
    })
    await lineOf('one')
    const log = screen.getByRole('log')
    expect(screen.queryByRole('button', { name: /^Follow/ })).toBeNull()
    Object.defineProperty(log, 'scrollHeight', { value: 2_000, configurable: true })
    log.scrollTop = 1_400
    fireEvent.scroll(log)
    log.scrollTop = 500
    fireEvent.scroll(log)
    expect(await screen.findByRole('button', { name: 'Follow' })).toBeVisible()
    await write(cluster.system, 'build-pod', 'step-build', 'two\nthree\n', '2026-01-31T09:00:02Z')
    await user.click(await screen.findByRole('button', { name: 'Follow (2 new)' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Follow/ })).toBeNull())
  })

  it('a new line of a live log does not render all lines before it again', async () => {
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}\n`)
    const { user, cluster, container } = await show({
      taskRuns: [taskRun('build', pod('build', { conditions: goingOn }))],
      pods: { build: { 'step-build': { state: running, log: lines.join('') } } },
    })
    await lineOf('line 19')
    await user.click(screen.getByRole('button', { name: 'Log options' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Clock time' }))
    await waitFor(() => expect(container.querySelectorAll('time')).toHaveLength(20))
    // A line formats its time whenever it is rendered; so does the kubelet, in this process, whenever it is read.
    const rendered: string[] = []
    const format = Date.prototype.toISOString
    const formatted = vi.spyOn(Date.prototype, 'toISOString').mockImplementation(function (this: Date) {
      const text = format.call(this)
      if (new Error().stack?.includes('LogRowView')) rendered.push(text)
      return text
    })
    onTestFinished(() => formatted.mockRestore())
    await write(cluster.system, 'build-pod', 'step-build', 'the next\n', '2026-01-31T09:00:02Z')
    await lineOf('the next')
    expect(rendered).toContain('2026-01-31T09:00:02.000Z')
    // The tab stop may move from one line to another, which renders these two.
    expect(rendered.filter((time) => time === '2026-01-31T09:00:01.000Z').length).toBeLessThan(lines.length)
  })

  it('folds steps and groups', async () => {
    const { user } = await show(steps('::group::Tests\ninside\n::endgroup::\nafter\n'))
    await lineOf('inside')
    expect(screen.queryByText('::endgroup::')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Tests' }))
    await waitFor(() => expect(screen.queryByText('inside')).toBeNull())
    expect(await lineOf('after')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'build' }))
    await waitFor(() => expect(screen.queryByText('after')).toBeNull())
  })

  it('shows timestamps on demand, and remembers the choice', async () => {
    const { user, container } = await show(steps('one\n'))
    await lineOf('one')
    await user.click(screen.getByRole('button', { name: 'Log options' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Time since step start' }))
    await waitFor(() => expect(container.querySelector('time')).toHaveTextContent('+0.000'))
    expect(localStorage.getItem('slipway-log-times')).toBe('relative')
  })

  it('truncates a very long line until the user expands it', async () => {
    const { user, container } = await show(steps(`${'x'.repeat(9_000)}\n`))
    const text = () => container.querySelector('.slipway-log__text')?.textContent ?? ''
    const button = await screen.findByRole('button', { name: 'Show whole line (9,000 characters)' })
    expect(text().length).toBeLessThan(2_100)
    await user.click(button)
    await waitFor(() => expect(text()).toHaveLength(9_000))
  })

  it('expands a truncated line to show a match', async () => {
    const { user, container } = await show(steps(`fine\n${'x'.repeat(5_000)} needle\n`))
    await screen.findByRole('button', { name: /^Show whole line/ })
    await user.type(screen.getByRole('textbox', { name: 'Find in the log of build' }), 'needle')
    await waitFor(() => expect(container.querySelector('mark[data-current]')).toHaveTextContent('needle'))
  })

  it('says whether it is live', async () => {
    await show({
      taskRuns: [taskRun('build', pod('build', { conditions: goingOn }))],
      pods: { build: { 'step-build': { state: running, log: 'one\n' } } },
    })
    expect(await screen.findByText('Live')).toBeVisible()
  })

  it('passes axe', async () => {
    const { container } = await show(steps('one\n::group::Tests\nerror: two\n'))
    await lineOf('error: two')
    expect((await axe.run(container)).violations).toEqual([])
  })
})

/** The files that are saved from now on. */
function savedFiles() {
  const files: { name: string; text: Promise<string> }[] = []
  let blob: Blob | undefined
  URL.createObjectURL = (made) => {
    blob = made as Blob // The console creates URLs only for files.
    return 'blob:log'
  }
  URL.revokeObjectURL = () => undefined
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    if (blob) files.push({ name: this.download, text: blob.text() })
  })
  onTestFinished(() => click.mockRestore())
  return files
}

describe('a download', () => {
  it('LOG-16, LOG-17, LOG-18, LOG-20 contains all steps in the order in which they ran, in one file named after the run', async () => {
    const files = savedFiles()
    const { user } = await show({
      run: aPipelineRun({ metadata: { name: 'the-run' } }),
      taskRuns: [
        taskRun('scan', pod('scan', { startTime: '2026-01-31T09:02:00Z', steps: [{ name: 'scan', ...ended() }] })),
        taskRun(
          'build',
          pod('build', {
            startTime: '2026-01-31T09:01:00Z',
            steps: [
              { name: 'clone', ...ended() },
              { name: 'build', ...ended() },
            ],
          }),
        ),
      ],
      pods: {
        scan: { 'step-scan': { state: ended(), log: 'Scanning' } },
        build: {
          'step-clone': { state: ended(), log: 'Cloning\n' },
          'step-build': { state: ended(), log: `${'x'.repeat(2_000)}\nBuilt\n` },
        },
      },
    })
    await screen.findByText('Cloning')
    await user.click(screen.getByRole('button', { name: 'Download' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Download all tasks' }))
    await waitFor(() => expect(files).toHaveLength(1))
    expect(files[0]?.name).toBe('the-run.log')
    expect(await files[0]?.text).toBe(
      [
        '===== build / clone =====\nCloning\n',
        `===== build / build =====\n${'x'.repeat(1_024)}\nBuilt\n`,
        '===== scan / scan =====\nScanning\n',
      ].join('\n'),
    )
  })

  it.each([
    ['Download step build', 'run-build-build.log', 'Built\n'],
    [
      'Download task build',
      'run-build.log',
      '===== build / clone =====\nCloning\n\n===== build / build =====\nBuilt\n',
    ],
  ])('can be limited to a part: %s', async (choice, name, text) => {
    const files = savedFiles()
    const steps = ['clone', 'build'].map((step) => ({ name: step, ...ended() }))
    const { user } = await show({
      taskRuns: [taskRun('build', pod('build', { steps }))],
      pods: {
        build: {
          'step-clone': { state: ended(), log: 'Cloning\n' },
          'step-build': { state: ended(), log: 'Built\n' },
        },
      },
    })
    await screen.findByText('Cloning')
    await user.click(screen.getByRole('button', { name: 'Download' }))
    await user.click(await screen.findByRole('menuitem', { name: choice }))
    await waitFor(() => expect(files).toHaveLength(1))
    expect([files[0]?.name, await files[0]?.text]).toEqual([name, text])
  })
})
