import { anApplication } from '@slipway/model/testing'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { namespace } from '../../../test/cluster'
import { renderRoute } from '../../../test/render-route'
import { paths } from '../../paths'
import { singleKeys } from '../../ui/page/keys'
import { dailyKeyFor, dailyKeys, screenAt } from './daily-keys'

const none = { key: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, isComposing: false }

test.each<[string, Partial<typeof none>, ReturnType<typeof dailyKeyFor>]>([
  ['j leads to the next row', { key: 'j' }, 'next row'],
  ['k leads to the previous row', { key: 'k' }, 'previous row'],
  ['x selects the row', { key: 'x' }, 'select row'],
  ['g waits for the letter of a screen', { key: 'g' }, 'screen'],
  ['Ctrl+K is the palette', { key: 'k', ctrlKey: true }, undefined],
  ['Cmd+K is the palette', { key: 'k', metaKey: true }, undefined],
  ['Alt+X is a menu of the browser', { key: 'x', altKey: true }, undefined],
  ['Shift+J has no meaning', { key: 'J', shiftKey: true }, undefined],
  ['j of a word that is being composed is a letter', { key: 'j', isComposing: true }, undefined],
])('%s', (_, pressed, expected) => {
  expect(dailyKeyFor({ ...none, ...pressed })).toBe(expected)
})

test.each([
  ['o', namespace, '/'],
  ['n', undefined, '/ns'],
  ['r', namespace, paths.pipelineRuns({ namespace })],
  ['r', undefined, undefined],
  ['q', namespace, undefined],
])('g and %s in namespace %s lead to %s', (letter, at, expected) => {
  expect(screenAt(letter, at)).toBe(expected)
})

test('each key has one meaning', () => {
  const pressed = dailyKeys.map(({ keys }) => keys.join(' '))
  expect(new Set(pressed).size).toBe(pressed.length)
})

const list = paths.applications({ namespace })
const objects = ['checkout', 'ledger', 'refunds'].map((name) => anApplication({ metadata: { name } }))
const link = (name: string) => screen.getByRole('link', { name })

test('j and k move the focus among the rows, Enter opens one, and g leads to another screen', async () => {
  const { user } = await renderRoute(list, { objects })
  await screen.findByRole('link', { name: 'refunds' })
  await waitFor(async () => {
    await user.keyboard('j')
    expect(link('checkout')).toHaveFocus()
  })
  await user.keyboard('jj')
  expect(link('refunds')).toHaveFocus()
  await user.keyboard('jk')
  expect(link('ledger')).toHaveFocus()
  await user.keyboard('{Enter}')
  await screen.findByRole('heading', { level: 1, name: 'ledger' })
  await user.keyboard('gs')
  await screen.findByRole('heading', { level: 1, name: 'Secrets' })
  expect(location.pathname).toBe(paths.secrets({ namespace }))
})

test('the keys do nothing in a field, and while single keys are turned off', async () => {
  const { user } = await renderRoute(list, { objects })
  const filter = await screen.findByRole('textbox', { name: 'Filter by name' })
  await screen.findByRole('link', { name: 'refunds' })
  await user.type(filter, 'jgs')
  expect(filter).toHaveFocus()
  expect(filter).toHaveValue('jgs')
  await user.clear(filter)
  await user.tab()
  const focused = document.activeElement
  singleKeys.set(false)
  await user.keyboard('jgs')
  expect(document.activeElement).toBe(focused)
  expect(location.pathname).toBe(list)
})
