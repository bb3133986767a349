import { labels } from '@slipway/model/labels'
import { releaseType } from '@slipway/model/releases/release'
import { anApplication, aRelease, condition } from '@slipway/model/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { namespace } from '../../../test/cluster'
import { renderRoute } from '../../../test/render-route'
import { queryClient } from '../../api/query-client'
import { viewsServiceQuery } from '../../api/views/service-probe'
import { paths } from '../../paths'

const failed = aRelease({
  metadata: { name: 'checkout-release', namespace, labels: { [labels.application]: 'checkout' } },
  status: { conditions: [condition('Released', 'False', 'Failed')] },
})
const openSidebar = async ({ user }: Awaited<ReturnType<typeof renderRoute>>) => {
  await user.click(await screen.findByRole('button', { name: 'Show navigation' }))
  return within(screen.getByRole('navigation', { name: 'Main' }))
}
const other = anApplication({ metadata: { name: 'atlas' } })

it('the sidebar says how much fails in the namespace, and leads to it, where a service counts it', async () => {
  const view = await renderRoute(paths.applications({ namespace }), {
    objects: [other, anApplication(), failed],
  })
  const sidebar = await openSidebar(view)
  expect(await sidebar.findByText('Failures are not counted')).toBeInTheDocument()
  queryClient.setQueryData(viewsServiceQuery.queryKey, true)
  await view.user.click(await sidebar.findByRole('link', { name: `1 failing in ${namespace}` }))
  await waitFor(() =>
    expect(screen.getAllByRole('rowheader').map((cell) => cell.textContent)).toEqual(['checkout', 'atlas']),
  )
  const again = await openSidebar(view)
  expect(again.getByRole('link', { name: /failing/ })).toBeVisible()
  await view.cluster.system.delete(releaseType, 'checkout-release', { namespace })
  await waitFor(() => expect(again.queryByRole('link', { name: /failing/ })).not.toBeInTheDocument())
})

it('the sidebar does not say that nothing fails before that is known', async () => {
  const view = await renderRoute(paths.applications({ namespace }), {
    objects: [anApplication(), failed],
    prepare: (faults) =>
      void faults.intercept((path) =>
        /\/pipelineruns\b/.test(path) ? Response.json({ message: 'no' }, { status: 422 }) : undefined,
      ),
  })
  const sidebar = await openSidebar(view)
  await sidebar.findByText('Failures are not counted')
  queryClient.setQueryData(viewsServiceQuery.queryKey, true)
  expect(await sidebar.findByRole('link', { name: `1 or more failing in ${namespace}` })).toBeVisible()
})
