import { annotations, labels } from '@slipway/model/labels'
import { anApplication, aComponent, aPipelineRun, condition } from '@slipway/model/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { namespace } from '../../../test/cluster'
import { fakeArchive } from '../../../test/fake-archive'
import { renderRoute } from '../../../test/render-route'
import { paths } from '../../paths'

const at = { namespace, application: 'checkout' }
const path = paths.activityTab({ ...at, activityTab: 'latest-commits' })
const sha = 'faef902212a6c7cd3c6a79fa778410972259ef03'
const otherSha = 'abcdef0123456789abcdef0123456789abcdef01'
const time = (minute: number) => `2026-01-31T09:${String(minute).padStart(2, '0')}:00Z`

interface Given {
  isFailed?: boolean
  commit?: string
  title?: string
  component?: string
}

const run = (name: string, minute: number, { isFailed = false, commit = sha, title, component }: Given = {}) =>
  aPipelineRun({
    metadata: {
      name,
      uid: name,
      creationTimestamp: time(minute),
      labels: {
        [labels.commitSha]: commit,
        [labels.eventType]: 'push',
        ...(component && { [labels.component]: component }),
      },
      annotations: title ? { [annotations.pacShaTitle]: title } : {},
    },
    status: {
      startTime: time(minute),
      completionTime: time(minute + 1),
      conditions: [condition('Succeeded', isFailed ? 'False' : 'True')],
    },
  })

const rowNames = () => screen.queryAllByRole('rowheader').map((cell) => cell.textContent)

it('COM-05, ARCH-11 are made of runs in the cluster and of those that an archive has of the same commit', async () => {
  const archive = await fakeArchive([run('build', 1, { isFailed: true, title: 'Add a checkout' })])
  await renderRoute(path, {
    objects: [anApplication(), run('rerun', 5)],
    archives: { kubeArchive: archive.plugin },
  })
  const row = await screen.findByRole('row', { name: /Add a checkout/ })
  expect(rowNames()).toEqual(['faef902 Add a checkout'])
  expect(within(row).getByText('Succeeded')).toBeVisible()
  expect(row.querySelector('time')).toHaveAttribute('datetime', time(1))
})

it('that a filter leaves out stay left out, although the archive has runs of them that would match', async () => {
  const archive = await fakeArchive([
    run('build', 1, { isFailed: true }),
    run('old', 1, { isFailed: true, commit: otherSha, title: 'Break it' }),
  ])
  await renderRoute(`${path}?status=Failed`, {
    objects: [anApplication(), run('rerun', 5)],
    archives: { kubeArchive: archive.plugin },
  })
  await waitFor(() => expect(rowNames()).toEqual(['abcdef0 Break it']))
  expect(archive.requests.length).toBeGreaterThan(0)
})

it('CMP-32, STAT-44 of a component have the status of its own runs', async () => {
  const component = 'checkout-web'
  await renderRoute(paths.componentActivityTab({ ...at, component, activityTab: 'latest-commits' }), {
    objects: [
      anApplication(),
      aComponent(),
      aComponent({ metadata: { name: component } }),
      run('web', 1, { component }),
      run('api', 5, { isFailed: true }),
      run('elsewhere', 6, { commit: otherSha }),
    ],
  })
  const row = await screen.findByRole('row', { name: /manual build/ })
  expect(rowNames()).toEqual(['faef902 manual build'])
  expect(within(row).getByText('Succeeded')).toBeVisible()
  expect(within(row).queryByRole('link', { name: 'checkout-api' })).not.toBeInTheDocument()
})
