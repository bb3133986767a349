import { nameOf } from '@slipway/kube/object'
import { ApiError } from '@slipway/kube/status'
import { anApplication } from '@slipway/model/testing'
import { screen, within } from '@testing-library/react'
import { useState } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { renderElement } from '../../../test/render-element'
import { objectRows, useFixed } from '../../api/source'
import { Section } from '../page/Section'
import { ListTable } from '../table/ListTable'
import type { Column } from '../table/rows'

type Row = ReturnType<typeof anApplication>
const rows = ['checkout', 'ledger'].map((name) => anApplication({ metadata: { name, uid: name } }))

// React logs errors that its boundaries catch.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined))

const list = (cell: Column<Row>['cell']) => {
  const columns: Column<Row>[] = [
    { id: 'name', label: 'Name', isRowHeader: true, sortBy: nameOf, cell: nameOf },
    { id: 'broken', label: 'Broken', cell },
  ]
  return function List() {
    return <ListTable label="Applications" source={useFixed(rows, objectRows)} columns={columns} empty={null} />
  }
}

it('a table whose cell throws says so in place of its rows, and the rest of the page stays', async () => {
  const List = list((row) => {
    if (nameOf(row) === 'ledger') throw new Error('the owner is not known')
    return null
  })
  await renderElement(
    <>
      <h1>Applications</h1>
      <List />
      <Section title="Others">None</Section>
    </>,
  )
  const table = await screen.findByRole('table', { name: 'Applications' })
  expect(within(table).getByRole('heading', { name: 'Unable to show the rows' })).toBeVisible()
  expect(table).toHaveTextContent('the owner is not known. The rest of the page is not affected.')
  expect(within(table).getByRole('columnheader', { name: 'Broken' })).toBeVisible()
  expect(screen.getByRole('heading', { name: 'Applications', level: 1 })).toBeVisible()
  expect(screen.getByRole('region', { name: 'Others' })).toHaveTextContent('None')
})

it('a section that throws can be tried again', async () => {
  let isBroken = true
  const Broken = () => {
    if (isBroken) throw new TypeError('there is no name')
    return 'checkout'
  }
  const { user } = await renderElement(
    <Section title="Owner">
      <Broken />
    </Section>,
  )
  const section = await screen.findByRole('region', { name: 'Owner' })
  expect(within(section).getByRole('heading', { name: 'Unable to show Owner' })).toBeVisible()
  isBroken = false
  await user.click(within(section).getByRole('button', { name: 'Try again' }))
  expect(section).toHaveTextContent('checkout')
})

it('a table whose cell threw shows its rows when it is rendered again', async () => {
  let isBroken = true
  const List = list(() => {
    if (isBroken) throw new Error('the owner is not known')
    return 'ann'
  })
  const Page = () => {
    const [loads, setLoads] = useState(1)
    return (
      <>
        <button onClick={() => setLoads(loads + 1)}>Load</button>
        <List />
      </>
    )
  }
  const { user } = await renderElement(<Page />)
  expect(await screen.findByRole('heading', { name: 'Unable to show the rows' })).toBeVisible()
  isBroken = false
  await user.click(screen.getByRole('button', { name: 'Load' }))
  expect(screen.getAllByRole('cell', { name: 'ann' })).toHaveLength(2)
})

it('a request that failed replaces the page, which knows what that means', async () => {
  const Missing = () => {
    throw new ApiError({ code: 404, message: 'not found', url: '/x' })
  }
  await renderElement(
    <Section title="Owner">
      <Missing />
    </Section>,
  )
  expect(screen.queryByRole('region', { name: 'Owner' })).not.toBeInTheDocument()
})
