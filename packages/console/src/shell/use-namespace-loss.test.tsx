import { namespaceType, roleBindingType } from '@slipway/kube/core-types'
import { aNamespace, anApplication, aRoleBinding } from '@slipway/model/testing'
import { emailOf } from '@slipway/slipway/users'
import { act, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { namespace } from '../../test/cluster'
import { renderRoute } from '../../test/render-route'
import { queryClient } from '../api/query-client'
import { paths } from '../paths'

const other = 'team-other'
const elsewhere = [
  aNamespace({ metadata: { name: other } }),
  aRoleBinding({
    metadata: { name: 'konflux-admin-admin-user-actions', namespace: other },
    roleRef: { name: 'konflux-admin-user-actions' },
    subjects: [{ kind: 'User', apiGroup: roleBindingType.group, name: emailOf('admin') }],
  }),
]
/** As the page does every 20 s. */
const reviewRules = () => act(() => queryClient.refetchQueries({ queryKey: ['access-rules', namespace] }))

it('a page says that its namespace cannot be accessed once it has been deleted', async () => {
  const { cluster } = await renderRoute(paths.applications({ namespace }), { objects: [anApplication(), ...elsewhere] })
  await screen.findByRole('link', { name: 'checkout' })
  await cluster.system.delete(namespaceType, namespace)
  await waitFor(() => expect(cluster.system.get(namespaceType, namespace)).rejects.toMatchObject({ code: 404 }))
  await reviewRules()
  expect(await screen.findByRole('heading', { name: `Unable to access namespace ${namespace}` })).toBeVisible()
  expect(screen.getByRole('link', { name: `Go to ${other} namespace` })).toBeVisible()
})

it('a page stays, and its namespace is not read, as long as the access of the user does not change', async () => {
  const { cluster } = await renderRoute(paths.applications({ namespace }), { objects: [anApplication()] })
  await screen.findByRole('link', { name: 'checkout' })
  const reads = () => cluster.calls.filter(({ path }) => path.endsWith(`/namespaces/${namespace}`)).length
  const before = reads()
  await reviewRules()
  expect(reads()).toBe(before)
  expect(screen.getByRole('link', { name: 'checkout' })).toBeVisible()
})
