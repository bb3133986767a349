import { render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => document.head.replaceChildren())

/** As the document of a page has it, before the script of the console runs. */
async function renderFirstLoad(prepared: string) {
  document.body.innerHTML = `<div id="root"><main>${prepared}</main></div>`
  document.head.innerHTML = '<style id="slipway-critical"></style>'
  vi.resetModules()
  const { FirstLoad } = await import('./FirstLoad')
  // React replaces what is in its container.
  document.body.replaceChildren()
  return render(<FirstLoad />)
}

it('keeps the prepared layout of the page, which no user can reach, until the page has loaded', async () => {
  const { unmount, rerender, container } = await renderFirstLoad(
    '<div class="slipway-first-page" inert aria-hidden="true"><h1>Secrets</h1></div>',
  )
  expect(screen.getByText('Secrets')).toBeInTheDocument()
  expect(screen.queryByRole('heading')).not.toBeInTheDocument()
  expect(screen.getByText('Loading page')).toBeInTheDocument()
  expect(document.getElementById('slipway-critical')).toBeInTheDocument()
  rerender(<h1>Page</h1>)
  expect(container).toHaveTextContent(/^Page$/)
  expect(document.getElementById('slipway-critical')).not.toBeInTheDocument()
  unmount()
})

it('has a layout of its own in a document without one', async () => {
  const { container } = await renderFirstLoad('')
  expect(screen.getByText('Loading page')).toBeInTheDocument()
  expect(container.querySelectorAll('.pf-v6-c-skeleton')).toHaveLength(2)
})
