import { applicationType } from '@slipway/model/builds/application'
import { componentType } from '@slipway/model/builds/component'
import { screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { namespace } from '../../../test/cluster'
import { renderElement } from '../../../test/render-element'
import { seeTooltip } from '../../../test/tooltip'
import { permission } from '../../api/access/permission'
import { actionChecks, type DefinedAction } from './defined-action'
import { DefinedButton } from './DefinedButton'
import { useActions } from './use-actions'

const createComponent = permission('No new components.', ['create', componentType])
const deleteBoth = permission('Nothing is deleted.', ['delete', componentType], ['delete', applicationType])

interface Pier {
  name: string
  isClosed?: boolean
}

const onRun = vi.fn()
const actions: readonly DefinedAction<Pier>[] = [
  { label: ({ name }) => `Visit ${name}`, to: ({ name }) => `/piers/${name}` },
  {
    label: 'Extend',
    needs: createComponent,
    disabledReason: ({ isClosed }) => isClosed && 'It is closed.',
    run: onRun,
  },
  {
    label: 'Delete',
    isDanger: true,
    needs: deleteBoth,
    dialog: ({ name }, { onClose, onDeleted }) => (
      <div role="dialog" aria-label={`Delete ${name}?`}>
        <button onClick={onClose}>Cancel</button>
        <button onClick={onDeleted}>Confirm</button>
      </div>
    ),
  },
]

function Piers({ pier }: { pier: Pier }) {
  const [name, setName] = useState(pier.name)
  const current = { ...pier, name }
  const { actionsOf, dialog } = useActions(actions, { namespace }, { afterDelete: '/piers', current: () => current })
  return (
    <>
      {actionsOf(current).map(({ label, disabledReason, isWrite, isDanger, onSelect }) => (
        <button
          key={label}
          title={disabledReason || undefined}
          onClick={onSelect}
          data-marks={`${isWrite} ${isDanger}`}
        >
          {label}
        </button>
      ))}
      <button onClick={() => setName('west')}>Rename</button>
      {dialog}
    </>
  )
}

it('the checks of actions are those of all their permissions', () => {
  expect(actionChecks(namespace, ...actions).map(({ verb, type }) => `${verb} ${type.plural}`)).toEqual([
    'create components',
    'delete components',
    'delete applications',
  ])
})

it('an action goes to a page, writes or opens a dialog, and what writes is marked', async () => {
  const { user, router } = await renderElement(<Piers pier={{ name: 'east' }} />)
  await vi.waitFor(() => expect(screen.getByRole('button', { name: 'Extend' })).not.toHaveAttribute('title'))
  await user.click(screen.getByRole('button', { name: 'Extend' }))
  expect(onRun).toHaveBeenCalledExactlyOnceWith({ name: 'east' }, { namespace })
  expect(screen.getAllByRole('button').map(({ dataset }) => dataset.marks)).toEqual([
    'false undefined',
    'true undefined',
    'false true',
    undefined,
  ])
  await user.click(screen.getByRole('button', { name: 'Visit east' }))
  expect(router.state.location.pathname).toBe('/piers/east')
})

it('a dialog shows its subject as it is now, and leaves the page after it has deleted it', async () => {
  const { user, router } = await renderElement(<Piers pier={{ name: 'east' }} />)
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  expect(screen.getByRole('dialog', { name: 'Delete east?' })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Rename' }))
  expect(screen.getByRole('dialog', { name: 'Delete west?' })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Confirm' }))
  expect(router.state.location.pathname).toBe('/piers')
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
})

it('an action says that the user lacks access before it gives a reason that holds for every user', async () => {
  await renderElement(<Piers pier={{ name: 'east', isClosed: true }} />, { as: 'contributor' })
  expect(await screen.findByTitle('No new components.')).toHaveTextContent('Extend')
  expect(await screen.findByTitle('Nothing is deleted.')).toHaveTextContent('Delete')
  expect(screen.queryByTitle('It is closed.')).not.toBeInTheDocument()
})

it('an action that no user can do now says why to a user with access', async () => {
  await renderElement(<Piers pier={{ name: 'east', isClosed: true }} />)
  expect(await screen.findByTitle('It is closed.')).toHaveTextContent('Extend')
})

it('a button is a link if its action goes to a page, and says why it is disabled', async () => {
  const visit: DefinedAction = { label: 'Visit', to: (_, at) => `/piers/${at.namespace}` }
  const extend: DefinedAction = { label: 'Extend', needs: createComponent, run: onRun }
  const { user } = await renderElement(
    <>
      <DefinedButton action={visit} at={{ namespace }} />
      <DefinedButton action={extend} at={{ namespace }} />
    </>,
    { as: 'contributor' },
  )
  expect(screen.getByRole('link', { name: 'Visit' })).toHaveAttribute('href', `/piers/${namespace}`)
  await seeTooltip(user, screen.getByRole('button', { name: 'Extend' }), 'No new components.')
})
