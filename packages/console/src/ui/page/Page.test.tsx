import { render, screen, within } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, it, vi } from 'vitest'
import { paths } from '../../paths'
import { Page } from './Page'

const show = (page: React.ReactElement) => render(<MemoryRouter>{page}</MemoryRouter>)

it('SHELL-24, NAV-04, NAV-05 has a title, which also names the browser tab while the page is shown', () => {
  const { unmount } = show(<Page title="Releases">content</Page>)
  expect(screen.getByRole('heading', { name: 'Releases', level: 1 })).toBeVisible()
  expect(document.title).toBe('Releases | Slipway')
  unmount()
  expect(document.title).toBe('Slipway')
})

it('SHELL-25 has a description under the title', () => {
  show(
    <Page title="Releases" description="What has left.">
      content
    </Page>,
  )
  const title = screen.getByRole('heading', { level: 1 })
  const description = screen.getByText('What has left.')
  expect(title.compareDocumentPosition(description)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
})

it('SHELL-26 has breadcrumbs that end with the page itself', () => {
  show(
    <Page title="Releases" breadcrumbs={[{ label: 'Namespaces', to: paths.namespaces() }, { label: 'Releases' }]}>
      content
    </Page>,
  )
  const breadcrumbs = within(screen.getByRole('navigation', { name: 'Breadcrumb' }))
  expect(breadcrumbs.getByRole('link', { name: 'Namespaces' })).toHaveAttribute('href', paths.namespaces())
  expect(breadcrumbs.getAllByRole('link')).toHaveLength(1)
  expect(breadcrumbs.getByText('Releases')).toBeVisible()
})

it('SHELL-26 may have breadcrumbs with equal names', () => {
  const complain = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const checkout = { label: 'checkout', to: paths.namespaces() }
  show(
    <Page title="checkout" breadcrumbs={[checkout, { label: 'Components' }, { label: 'checkout' }]}>
      content
    </Page>,
  )
  const breadcrumbs = within(screen.getByRole('navigation', { name: 'Breadcrumb' }))
  expect(breadcrumbs.getAllByText('checkout')).toHaveLength(2)
  expect(complain).not.toHaveBeenCalled()
  complain.mockRestore()
})

it('SHELL-27, SHELL-28 has actions and a footer', () => {
  show(
    <Page title="Releases" actions={<button>Release</button>} footer={<button>Save</button>}>
      content
    </Page>,
  )
  expect(screen.getByRole('button', { name: 'Release' })).toBeVisible()
  expect(screen.getByRole('button', { name: 'Save' })).toBeVisible()
})

it('renders nothing that it was not given', () => {
  show(<Page title="Releases">content</Page>)
  expect(screen.queryByRole('navigation')).not.toBeInTheDocument()
  expect(screen.queryByRole('button')).not.toBeInTheDocument()
})
