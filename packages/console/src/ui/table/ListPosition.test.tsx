import { labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { anApplication, aPipelineRun, condition } from '@slipway/model/testing'
import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, it, onTestFinished } from 'vitest'
import { namespace } from '../../../test/cluster'
import { renderRoute } from '../../../test/render-route'
import { paths } from '../../paths'
import { singleKeys } from '../page/keys'

const at = { namespace, application: 'checkout' }
const list = paths.pipelineRuns({ namespace })
const pageOf = (pipelineRun: string) => paths.pipelineRun({ ...at, pipelineRun })
const run = (name: string, minute: number, status: 'True' | 'False' = 'True') =>
  aPipelineRun({
    metadata: { name, labels: { [labels.application]: 'checkout' } },
    status: { startTime: `2026-01-31T09:0${minute}:00Z`, conditions: [condition('Succeeded', status)] },
  })
const objects = [anApplication(), run('a', 1, 'False'), run('b', 2), run('c', 3, 'False'), run('d', 4, 'False')]

/** The page of a run that was opened from the list. */
async function opened(name: string, query = '?status=Failed') {
  const view = await renderRoute(list + query, { objects })
  await view.user.click(await screen.findByRole('link', { name }))
  await screen.findByRole('heading', { name, level: 1 })
  return view
}
const position = () => screen.findByRole('navigation', { name: 'Position in pipeline runs' })
const expectPage = async (name: string, text: string) => {
  expect(await screen.findByRole('heading', { name, level: 1 })).toBeVisible()
  expect(within(await position()).getByRole('link')).toHaveTextContent(text)
}

it('] and [ lead to the neighbours in the list that an item was opened from, with its filter and order', async () => {
  const { user, router } = await opened('c')
  await expectPage('c', '2 of 3')
  await user.keyboard(']')
  await expectPage('a', '3 of 3')
  expect(router.state.location.pathname).toBe(pageOf('a'))
  await user.keyboard('[[')
  await expectPage('c', '2 of 3')
  await user.keyboard('[[')
  await expectPage('d', '1 of 3')
})

it('the buttons do the same, until the end of the list', async () => {
  const { user } = await opened('c', '?sort=started')
  await expectPage('c', '3 of 4')
  await user.click(screen.getByRole('button', { name: 'Next item' }))
  await expectPage('d', '4 of 4')
  expect(screen.getByRole('button', { name: 'Next item' })).toHaveAttribute('aria-disabled', 'true')
  await user.keyboard(']')
  await expectPage('d', '4 of 4')
  await user.click(screen.getByRole('button', { name: 'Previous item' }))
  await expectPage('c', '3 of 4')
})

it('Back leads to the list, and so does the position', async () => {
  const { user, router } = await opened('c')
  await position()
  await user.keyboard(']')
  await expectPage('a', '3 of 3')
  await user.click(within(await position()).getByRole('link'))
  await waitFor(() =>
    expect(router.state.location.pathname + router.state.location.search).toBe(`${list}?status=Failed`),
  )
  await act(() => router.navigate(-1))
  await expectPage('a', '3 of 3')
  await act(() => router.navigate(-1))
  await waitFor(() => expect(router.state.location.pathname).toBe(list))
})

it('the neighbours open with the same tab', async () => {
  const { user, router } = await opened('c')
  await user.click(await screen.findByRole('tab', { name: 'Task runs' }))
  // Before the tab is rendered, perhaps.
  await waitFor(() => expect(router.state.location.pathname).toBe(`${pageOf('c')}/taskruns`))
  await user.keyboard(']')
  await waitFor(() => expect(router.state.location.pathname).toBe(`${pageOf('a')}/taskruns`))
})

it('an item that has been deleted does not end the list', async () => {
  const { user, cluster } = await opened('d')
  await expectPage('d', '1 of 3')
  await cluster.system.delete(pipelineRunType, 'c', { namespace })
  await user.keyboard(']')
  await expectPage('404: Page not found', '2 of 3')
  await user.keyboard(']')
  await expectPage('a', '3 of 3')
})

it('the keys do nothing in a field or while a dialog is open', async () => {
  const { user } = await opened('c')
  await position()
  await user.keyboard('?')
  await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
  expect(screen.getByText('Next item of the list')).toBeVisible()
  await user.keyboard(']')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  await expectPage('c', '2 of 3')
})

it('the keys do nothing if single-key shortcuts are off; the buttons do', async () => {
  const { user } = await opened('c')
  await position()
  onTestFinished(() => singleKeys.clear())
  act(() => singleKeys.set(false))
  await user.keyboard(']')
  await user.click(screen.getByRole('button', { name: 'Previous item' }))
  await expectPage('d', '1 of 3')
})

it('an item that was not opened from a list has no position', async () => {
  await renderRoute(pageOf('c'), { objects })
  expect(await screen.findByRole('heading', { name: 'c', level: 1 })).toBeVisible()
  expect(await screen.findByRole('tab', { name: 'Details', selected: true })).toBeVisible()
  expect(screen.queryByRole('navigation', { name: /^Position/ })).not.toBeInTheDocument()
})

it('a link of another column does not lead through the rows', async () => {
  const { user } = await renderRoute(list, { objects })
  const [link] = await screen.findAllByRole('link', { name: 'checkout' })
  await user.click(link as HTMLElement)
  expect(await screen.findByRole('heading', { name: 'checkout', level: 1 })).toBeVisible()
  expect(screen.queryByRole('navigation', { name: /^Position/ })).not.toBeInTheDocument()
})
