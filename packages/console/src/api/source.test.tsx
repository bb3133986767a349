import type { JsonPatchOperation } from '@slipway/kube/client'
import { namespaceType } from '@slipway/kube/core-types'
import { nameOf, namespaceOf } from '@slipway/kube/object'
import { type Application, applicationType } from '@slipway/model/builds/application'
import { anApplication } from '@slipway/model/testing'
import { screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { type Faults, namespace } from '../../test/cluster'
import { renderElement } from '../../test/render-element'
import { FreshnessScope } from '../ui/freshness-scope'
import { PageFreshness } from '../ui/PageFreshness'
import { ListTable } from '../ui/table/ListTable'
import type { Column } from '../ui/table/rows'
import { listQuery } from './queries'
import { objectRows, useJoined, useList, setAside } from './source'

const cells = vi.fn()
const cellOf = (row: Application) => {
  cells(nameOf(row))
  return `${namespaceOf(row)}/${nameOf(row)}`
}
const columns: Column<Application>[] = [{ id: 'name', label: 'Name', isRowHeader: true, sortBy: nameOf, cell: cellOf }]

const useApplications = (of: string) => useList(listQuery(applicationType, { namespace: of }), `namespace ${of}`)

function Applications({ namespaces: [first, second] }: { namespaces: readonly [string, string] }) {
  const lists = [useApplications(first), useApplications(second)] as const
  const source = useJoined(lists, ([a, b]) => (a || b) && [...(a ?? []), ...(b ?? [])], objectRows)
  return <ListTable label="Applications" source={source} columns={columns} empty={<p>None</p>} />
}
const rows = () => screen.queryAllByRole('rowheader').map((cell) => cell.textContent)
const objects = ['checkout', 'ledger'].map((name) => anApplication({ metadata: { name } }))

it('MON-10 a forbidden list is named in an alert and does not hide the others', async () => {
  const { user } = await renderElement(
    <FreshnessScope>
      <PageFreshness />
      <Applications namespaces={[namespace, 'secret']} />
    </FreshnessScope>,
    { objects },
  )
  await waitFor(() => expect(rows()).toEqual([`${namespace}/checkout`, `${namespace}/ledger`]))
  const alert = await screen.findByText(
    /Could not read namespace secret: .*forbidden.* What is shown is not complete\./,
  )
  expect(alert).toBeVisible()
  expect(screen.getByText('2 loaded')).toBeVisible()
  await user.click(await screen.findByRole('button', { name: /Partial|s ago|No response/ }))
  expect(await screen.findByText(/^namespace secret: .*forbidden/)).toBeVisible()
})

it('MON-10 while a list is pending, a forbidden one is named and is no failure of the table', async () => {
  let respond: () => void = () => undefined
  const pending = new Promise<void>((resolve) => (respond = resolve))
  await renderElement(<Applications namespaces={[namespace, 'secret']} />, {
    objects,
    prepare: (faults) =>
      faults.intercept((path, init) =>
        path.includes(`${namespace}/applications`) ? pending.then(() => faults.pass(path, init)) : undefined,
      ),
  })
  expect(await screen.findByText(/Could not read namespace secret: .*forbidden/)).toBeVisible()
  expect(screen.queryByRole('heading', { name: 'Restricted Access' })).not.toBeInTheDocument()
  expect(screen.getByRole('table', { name: 'Applications', busy: true })).toBeVisible()
  respond()
  await waitFor(() => expect(rows()).toHaveLength(2))
})

it('MON-10 a list that is being retried is named, with the reason, until it responds', async () => {
  await renderElement(<Applications namespaces={[namespace, 'other']} />, {
    objects,
    as: 'admin',
    prepare: (faults) =>
      faults.intercept((path) =>
        path.includes('other/applications') ? Response.json({ message: 'etcd is busy' }, { status: 500 }) : undefined,
      ),
  })
  await waitFor(() => expect(rows()).toHaveLength(2))
  expect(await screen.findByText(/Retrying namespace other: .*etcd is busy/)).toBeVisible()
  expect(screen.queryByText(/Could not read/)).not.toBeInTheDocument()
})

function OfVisibleNamespaces() {
  const visible = setAside(useList(listQuery(namespaceType, {}, { live: false }), 'namespaces'))
  const source = useJoined([visible, useApplications(namespace)], ([, own]) => own, objectRows)
  return (
    <FreshnessScope>
      <PageFreshness />
      <ListTable label="Applications" source={source} columns={columns} empty={<p>None</p>} />
    </FreshnessScope>
  )
}
const namespaceList = (respond: () => Response) => (faults: Faults) =>
  faults.intercept((path) => (/\/v1\/namespaces(\?|$)/.test(path) ? respond() : undefined))

it('a joined table is live although a list that is set aside has no watch', async () => {
  const list = { metadata: { resourceVersion: '1' }, items: [] }
  await renderElement(<OfVisibleNamespaces />, { objects, prepare: namespaceList(() => Response.json(list)) })
  expect(await screen.findByRole('button', { name: 'Live' })).toBeVisible()
})

it('a list that is set aside is named when it cannot be read', async () => {
  const forbidden = () => Response.json({ message: 'not for you' }, { status: 403 })
  await renderElement(<OfVisibleNamespaces />, { objects, prepare: namespaceList(forbidden) })
  await waitFor(() => expect(rows()).toHaveLength(2))
  expect(await screen.findByText(/Could not read namespaces: .*not for you/)).toBeVisible()
})

it('a table whose lists are all forbidden shows an error, and not that it is empty', async () => {
  await renderElement(<Applications namespaces={['secret', 'hidden']} />)
  expect(await screen.findByRole('heading', { name: 'Restricted Access' })).toBeVisible()
  expect(screen.queryByText('None')).not.toBeInTheDocument()
})

it('a watch event re-renders only the row that it changes', async () => {
  const { cluster } = await renderElement(<Applications namespaces={[namespace, 'secret']} />, { objects })
  await waitFor(() => expect(rows()).toHaveLength(2))
  await waitFor(() => expect(cluster.openSockets()).toHaveLength(1))
  cells.mockClear()
  const patch: JsonPatchOperation = { op: 'add', path: '/metadata/annotations', value: { a: 'b' } }
  await cluster.system.patch(applicationType, 'ledger', [patch], { namespace })
  await waitFor(() => expect(cells).toHaveBeenCalled())
  expect(new Set(cells.mock.calls.map(([name]) => name))).toEqual(new Set(['ledger']))
})
