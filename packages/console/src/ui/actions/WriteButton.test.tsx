import { act, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it, onTestFinished, vi } from 'vitest'
import { startConnectivity } from '../../api/live/connectivity'
import { WriteButton } from './WriteButton'

it('does nothing while offline and says why, and works again with the network', async () => {
  onTestFinished(startConnectivity(() => Promise.reject(new Error('no network'))))
  const onClick = vi.fn()
  render(<WriteButton onClick={onClick}>Delete</WriteButton>)
  const button = screen.getByRole('button', { name: 'Delete' })
  act(() => void dispatchEvent(new Event('offline')))
  expect(button).toHaveAttribute('aria-disabled', 'true')
  expect(button).toHaveAccessibleDescription(/^You have been offline since .* You can make changes once/)
  await userEvent.click(button)
  expect(onClick).not.toHaveBeenCalled()
  act(() => void dispatchEvent(new Event('online')))
  await userEvent.click(button)
  expect(onClick).toHaveBeenCalledOnce()
})
