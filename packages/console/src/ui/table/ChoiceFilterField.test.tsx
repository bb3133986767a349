import { render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { ChoiceFilterField } from './ChoiceFilterField'

it('lists a hundred of many values, and finds the others by a part of them', async () => {
  const user = userEvent.setup()
  const choices = Array.from({ length: 150 }, (_, index) => ({ value: `value-${index + 1}`, count: 1 }))
  render(
    <ChoiceFilterField
      toggleId="toggle"
      label="Value"
      choicesOf={() => choices}
      chosen={[]}
      onChange={() => undefined}
    />,
  )
  await user.click(screen.getByRole('button', { name: 'Value' }))
  expect(await screen.findByText('50 more: type a part to find them')).toBeVisible()
  expect(screen.getAllByRole('checkbox')).toHaveLength(100)
  expect(screen.queryByText(/^value-150/)).not.toBeInTheDocument()
  await user.type(screen.getByRole('textbox', { name: 'Find a value of Value' }), '150')
  await waitFor(() => expect(screen.getAllByRole('checkbox')).toHaveLength(1))
  expect(screen.queryByText(/more: type/)).not.toBeInTheDocument()
})
