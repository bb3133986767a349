import type { JsonPatchOperation } from '@slipway/kube/client'
import { nameOf, namespaceOf } from '@slipway/kube/object'
import { type Application, applicationType } from '@slipway/model/supply-chain/application'
import { anApplication } from '@slipway/model/testing'
import { screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { namespace } from '../../test/cluster'
import { renderElement } from '../../test/render-element'
import { FreshnessScope } from '../ui/freshness-scope'
import { PageFreshness } from '../ui/PageFreshness'
import { ResourceTable } from '../ui/table/ResourceTable'
import type { Column } from '../ui/table/rows'
import { listQuery } from './queries'
import { objectRows, type RowKind, useJoined, useLists } from './source'

interface Owned {
  namespace: string
  application: Application
}
const kind: RowKind<Owned> = {
  idOf: ({ application }) => objectRows.idOf(application),
  nameOf: ({ application }) => nameOf(application),
  isBeingDeleted: () => false,
}
const cells = vi.fn()
const cellOf = (row: Owned) => {
  cells(kind.nameOf(row))
  return `${row.namespace}/${kind.nameOf(row)}`
}
const columns: Column<Owned>[] = [{ id: 'name', label: 'Name', isRowHeader: true, sortBy: kind.nameOf, cell: cellOf }]

/** The rows of those namespaces that have responded. */
const rowsOfNamespaces = (lists: readonly (readonly Application[] | undefined)[]): Owned[] | undefined =>
  lists.some((list) => list)
    ? lists
        .flatMap((list) => list ?? [])
        .map((application) => ({ namespace: namespaceOf(application) ?? '', application }))
    : undefined

function Applications({ namespaces }: { namespaces: string[] }) {
  const lists = useLists<Application>(
    namespaces.map((name) => ({ name: `namespace ${name}`, query: listQuery(applicationType, { namespace: name }) })),
  )
  return (
    <ResourceTable
      label="Applications"
      source={useJoined(lists, rowsOfNamespaces, kind)}
      columns={columns}
      empty={<p>None</p>}
    />
  )
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

it('a table whose lists are all forbidden shows an error, and not that it is empty', async () => {
  await renderElement(<Applications namespaces={['secret', 'hidden']} />)
  expect(await screen.findByRole('heading', { name: 'Restricted Access' })).toBeVisible()
  expect(screen.queryByText('None')).not.toBeInTheDocument()
})

it('a watch event re-renders only the row that it changes', async () => {
  const { cluster } = await renderElement(<Applications namespaces={[namespace]} />, { objects })
  await waitFor(() => expect(rows()).toHaveLength(2))
  await waitFor(() => expect(cluster.openSockets()).toHaveLength(1))
  cells.mockClear()
  const patch: JsonPatchOperation = { op: 'add', path: '/metadata/annotations', value: { a: 'b' } }
  await cluster.system.patch(applicationType, 'ledger', [patch], { namespace })
  await waitFor(() => expect(cells).toHaveBeenCalled())
  expect(new Set(cells.mock.calls.map(([name]) => name))).toEqual(new Set(['ledger']))
})
