import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { GraphNodeBox } from './GraphNodeBox'

it('shows the direction controls in texts of users, to screen readers too', () => {
  const node = { id: 'commit', kind: 'commit', label: 'open \u202egnp.exe', detail: 'by \u2067someone' } as const
  render(<GraphNodeBox node={node} isSelected={false} isTabStop onSelect={() => {}} showsWhen={false} />)
  const button = screen.getByRole('button', { name: 'open [U+202E]gnp.exe, by [U+2067]someone' })
  expect(button).toHaveTextContent('open [U+202E]gnp.exe')
  expect(button).toHaveTextContent('by [U+2067]someone')
})
