import type { Health } from '@slipway/model/overview/namespace-health'
import { act, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderElement } from '../../../test/render-element'
import { pinnedNamespaces } from '../../parts/health/pinned-namespaces'
import { NamespaceHealthCard } from './NamespaceHealthCard'

const health = Array.from({ length: 200 }, (_, index): Health => ({
  name: `team-${String(index).padStart(3, '0')}`,
  state: 'Healthy',
  since: undefined,
  failing: 0,
  heldBack: 0,
  running: 0,
  lastRelease: undefined,
}))
const names = () => screen.getAllByRole('link', { name: /^team-/ }).map(({ textContent }) => textContent)

it('lists twenty of 200 namespaces, a pinned one first, and says so', async () => {
  await renderElement(<NamespaceHealthCard health={health} others={0} isKnown />)
  act(() => pinnedNamespaces.set(['team-150']))
  expect(names()).toHaveLength(20)
  expect(names().slice(0, 2)).toEqual(['team-150', 'team-000'])
  expect(screen.getByText('The first 20 of 200: pinned ones, and then the worst.')).toBeVisible()
})

it('lists all that are pinned', async () => {
  await renderElement(<NamespaceHealthCard health={health} others={0} isKnown />)
  act(() => pinnedNamespaces.set(health.slice(0, 25).map(({ name }) => name)))
  expect(names()).toHaveLength(25)
})
