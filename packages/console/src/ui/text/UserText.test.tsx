import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it, test } from 'vitest'
import { KeyValues } from './KeyValues'
import { nameControls, UserText } from './UserText'

it('isolates a text in its own direction', () => {
  render(<UserText text="إصلاح الدفع" />)
  expect(screen.getByText('إصلاح الدفع').tagName).toBe('BDI')
})

test.each([
  ['an override', 'open \u202egnp.exe', 'open [U+202E]gnp.exe'],
  ['an isolate and its end', '\u2067a\u2069b', '[U+2067]a[U+2069]b'],
  ['marks', '\u200ea\u200fb\u061c', '[U+200E]a[U+200F]b[U+061C]'],
])('shows %s', (_, text, shown) => {
  const { container } = render(<UserText text={text} />)
  expect(container.textContent).toBe(shown)
  expect(nameControls(text)).toBe(shown)
})

it('shows the controls in annotations', async () => {
  render(<KeyValues label="Annotations" values={{ title: 'open \u202egnp.exe' }} />)
  await userEvent.click(screen.getByRole('button', { name: 'Show 1 annotation' }))
  expect(screen.getByRole('definition')).toHaveTextContent('open [U+202E]gnp.exe')
})
