import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeArchive } from '../../../test/fake-archive'
import { ended, running } from '../../../test/pod-logs'
import { goingOn, layOut, lineOf, pod, show, steps, taskRun } from '../../../test/run-logs'

beforeEach(layOut)

const choose = async (user: Awaited<ReturnType<typeof show>>['user'], choice: string) => {
  await user.click(screen.getByRole('button', { name: 'Log options' }))
  await user.click(await screen.findByRole('menuitem', { name: choice }))
}

describe('the controls of a log', () => {
  it('wrap its lines, and remember the choice', async () => {
    const { user, container } = await show(steps('one\n'))
    await lineOf('one')
    const isWrapped = () => container.querySelector('.slipway-log')?.hasAttribute('data-wrap')
    expect(isWrapped()).toBe(true)
    await choose(user, 'Wrap long lines')
    await waitFor(() => expect(isWrapped()).toBe(false))
    expect(localStorage.getItem('slipway-log-wrap')).toBe('false')
  })

  it('show clock times if the source has timestamps', async () => {
    const { user, container } = await show(steps('one\n'))
    await lineOf('one')
    await choose(user, 'Clock time')
    await waitFor(() => expect(container.querySelector('time')).toHaveTextContent(/^\d\d:\d\d:01\.000$/))
    expect(container.querySelector('time')).toHaveAttribute('datetime', '2026-01-31T09:00:01.000Z')
  })

  it('collapse and expand all of it', async () => {
    const { user } = await show(steps('::group::Tests\ninside\n::endgroup::\nafter\n'))
    await lineOf('inside')
    await choose(user, 'Collapse all')
    await waitFor(() => expect(screen.queryByText('after')).toBeNull())
    expect(screen.getByRole('button', { name: 'build' })).toHaveAttribute('aria-expanded', 'false')
    await choose(user, 'Expand all')
    expect(await lineOf('inside')).toBeVisible()
  })

  it('copy a link to the selected lines', async () => {
    const { user } = await show({ ...steps('1\n2\n3\n'), address: '?task=build#Lbuild:2-3' })
    await lineOf('2')
    const writeText = vi.spyOn(navigator.clipboard, 'writeText')
    await choose(user, 'Copy link to selected lines')
    expect(writeText).toHaveBeenCalledWith(`${location.origin}/?task=build#Lbuild:2-3`)
  })

  it('do not scroll when the number of a visible line is clicked', async () => {
    const { user } = await show(steps(Array.from({ length: 200 }, (_, line) => `row ${line + 1}`).join('\n')))
    await lineOf('row 9')
    const scrolled = vi.spyOn(screen.getByRole('log'), 'scrollTo')
    for (const number of [9, 7]) {
      await user.click(screen.getByRole('link', { name: `Line ${number} of build` }))
      await waitFor(() => expect(location.hash).toBe(`#Lbuild:${number}`))
      await waitFor(() => expect(screen.getByText(`row ${number}`).closest('[data-selected]')).not.toBeNull())
    }
    expect(scrolled).not.toHaveBeenCalled()
  })

  it('step from error to error, and from match to match', async () => {
    const { user, container } = await show(steps('fine\nerror: one\nfine\nerror: two\n'))
    await lineOf('error: one')
    expect(screen.getByText('2 error lines')).toBeVisible()
    const current = () => container.querySelector('[data-selected] .slipway-log__text')?.textContent
    for (const [button, line] of [
      ['Next error', 'error: one'],
      ['Next error', 'error: two'],
      ['Next error', 'error: one'],
      ['Previous error', 'error: two'],
    ] as const) {
      await user.click(screen.getByRole('button', { name: button }))
      await waitFor(() => expect(current()).toBe(line))
    }
    await user.type(screen.getByRole('textbox', { name: 'Find in the log of build' }), 'fine')
    const mark = () =>
      container.querySelector('mark[data-current]')?.closest('[data-index]')?.getAttribute('data-index')
    await waitFor(() => expect(mark()).toBeDefined())
    const first = mark()
    await user.click(screen.getByRole('button', { name: 'Next match' }))
    await waitFor(() => expect(mark()).not.toBe(first))
    await user.click(screen.getByRole('button', { name: 'Previous match' }))
    await waitFor(() => expect(mark()).toBe(first))
  })
})

describe('the state of a log', () => {
  const going = {
    taskRuns: [taskRun('build', pod('build', { conditions: goingOn }))],
    pods: { build: { 'step-build': { state: running, log: 'one\n' } } },
  }
  const log = /\/pods\/build-pod\/log/

  it('says when its connection was lost', async () => {
    await show({
      ...going,
      faults: ({ intercept }) =>
        void intercept((path) =>
          log.test(path) ? Response.json({ message: 'overloaded' }, { status: 503 }) : undefined,
        ),
    })
    expect(await screen.findByText(/^Reconnecting since \d\d:\d\d:\d\d/)).toBeVisible()
    expect(screen.getByText(/^The connection was lost at .* overloaded\. Trying again…$/)).toBeVisible()
  })

  it('says that it is incomplete, and can be read again', async () => {
    let heal = () => {}
    const { user } = await show({
      ...steps('one\n'),
      faults: ({ intercept }) =>
        (heal = intercept((path) =>
          log.test(path) ? Response.json({ message: 'no logs for you' }, { status: 403 }) : undefined,
        )),
    })
    expect(await screen.findByText('Incomplete')).toBeVisible()
    expect(screen.getByText(/no logs for you/)).toBeVisible()
    heal()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await lineOf('one')).toBeVisible()
    expect(await screen.findByText('Complete')).toBeVisible()
  })

  it('says that it comes from the archive, which has no timestamps', async () => {
    const archive = await fakeArchive()
    archive.logs['build-pod/step-build'] = 'kept\n'
    const build = taskRun('build', pod('build', { steps: [{ name: 'build', container: 'step-build', ...ended() }] }))
    const { user } = await show({ taskRuns: [build], archives: { kubeArchive: archive.plugin } })
    expect(await lineOf('kept')).toBeVisible()
    expect(await screen.findByText('From the archive')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Log options' }))
    expect(await screen.findByRole('menuitem', { name: 'Clock time' })).toHaveAttribute('aria-disabled', 'true')
  })

  it('says that a search of the whole run leaves out running tasks', async () => {
    const { user } = await show({
      taskRuns: [...steps('').taskRuns, taskRun('scan', pod('scan', { conditions: goingOn }))],
      pods: {
        build: { 'step-build': { state: ended(1), log: 'needle\nneedle\n' } },
        scan: { 'step-scan': { state: running, log: 'needle\n' } },
      },
      address: '?task=build',
    })
    expect(await screen.findAllByText('needle')).toHaveLength(2)
    await user.type(screen.getByRole('textbox', { name: 'Find in the log of build' }), 'needle')
    expect(await screen.findByText('2 found in the whole run, without 1 task that is still running')).toBeVisible()
    const tasks = within(screen.getByRole('navigation', { name: 'Tasks of the run' }))
    expect(tasks.getByText('2 found')).toBeVisible()
  })
})
