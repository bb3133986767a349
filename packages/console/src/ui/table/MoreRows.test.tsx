import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { sight } from '../../../test/sight'
import { MoreRows } from './MoreRows'

it('LIST-21 loads more when the end of what there is comes near, once at a time', () => {
  const { reach } = sight()
  const load = vi.fn()
  const { rerender } = render(<MoreRows isLoading={false} load={load} />)
  expect(load).not.toHaveBeenCalled()
  reach()
  expect(load).toHaveBeenCalledOnce()
  rerender(<MoreRows isLoading load={load} />)
  expect(screen.getByRole('progressbar', { name: 'Loading more' })).toBeVisible()
  reach()
  expect(load).toHaveBeenCalledOnce()
  rerender(<MoreRows isLoading={false} load={load} />)
  reach()
  expect(load).toHaveBeenCalledTimes(2)
})

it('loads more by its button', async () => {
  sight()
  const load = vi.fn()
  render(<MoreRows isLoading={false} load={load} />)
  await userEvent.click(screen.getByRole('button', { name: 'Load more' }))
  expect(load).toHaveBeenCalledOnce()
})
