import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import axe from 'axe-core'
import type { ReactNode } from 'react'
import { expect, it, test } from 'vitest'
import { createQueryClient } from '../../api/query-client'
import { FoldedMarkdown, Markdown, MarkdownLine } from './Markdown'

const show = (children: ReactNode) =>
  render(<QueryClientProvider client={createQueryClient()}>{children}</QueryClientProvider>)

it('MD-01, MD-03 renders untrusted text safely', async () => {
  const { container } = show(<Markdown text={'Fixes [a bug](https://example.com/1)<img src=x onerror=alert(1)>'} />)
  const link = await screen.findByRole('link', { name: 'a bug' })
  expect(link).toHaveAttribute('href', 'https://example.com/1')
  expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow')
  expect(container.querySelector('img')).toBeNull()
  expect((await axe.run(container)).violations).toEqual([])
})

it('MD-04 truncates a summary to 256 characters', async () => {
  show(<Markdown text={'x'.repeat(257)} isSummary />)
  expect(await screen.findByText(`${'x'.repeat(256)}…`)).toBeVisible()
})

it('MD-04 shows 256 characters of a long text until the user asks for more', async () => {
  const user = userEvent.setup()
  const { unmount } = show(<FoldedMarkdown text={'x'.repeat(257)} />)
  expect(await screen.findByText(`${'x'.repeat(256)}…`)).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Show more' }))
  expect(await screen.findByText('x'.repeat(257))).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Show less' }))
  expect(await screen.findByText(`${'x'.repeat(256)}…`)).toBeVisible()
  unmount()
  show(<FoldedMarkdown text={'x'.repeat(256)} />)
  expect(await screen.findByText('x'.repeat(256))).toBeVisible()
  expect(screen.queryByRole('button')).not.toBeInTheDocument()
})

it('MD-04 shows the whole text outside summaries', async () => {
  show(<Markdown text={'x'.repeat(257)} />)
  expect(await screen.findByText('x'.repeat(257))).toBeVisible()
})

test.each([undefined, '', ' \n', '<script>x</script>'])('MD-05 %j is not available', async (text) => {
  show(<Markdown text={text} />)
  expect(await screen.findByText('Not available')).toBeVisible()
})

it('shows text that cannot be rendered as it was written', async () => {
  const text = '> '.repeat(20_000)
  show(
    <>
      <Markdown text={text} />
      <Markdown text="**fine**" />
    </>,
  )
  expect(await screen.findByText('fine')).toBeVisible()
  expect(screen.getByText(text.trim())).toBeVisible()
})

it('shows the new text when it changes', async () => {
  const client = createQueryClient()
  const view = (text: string) => (
    <QueryClientProvider client={client}>
      <Markdown text={text} />
    </QueryClientProvider>
  )
  const { rerender } = render(view('one'))
  await screen.findByText('one')
  rerender(view('two'))
  expect(await screen.findByText('two')).toBeVisible()
  expect(screen.queryByText('one')).toBeNull()
})

it('MD-01, MD-03 renders a line within other text, with its links', async () => {
  show(
    <p>
      Note: <MarkdownLine text="see [the plan](https://example.com/1) <h1>now</h1>" />
    </p>,
  )
  const link = await screen.findByRole('link', { name: 'the plan' })
  expect(link.closest('p')).toHaveTextContent('Note: see the plan now')
  expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow')
  expect(screen.queryByRole('heading')).toBeNull()
})

it('fetches nothing for a line without any markup', () => {
  const client = createQueryClient()
  render(
    <QueryClientProvider client={client}>
      <MarkdownLine text="The database moves tonight, from 20:00 to 21:30." />
    </QueryClientProvider>,
  )
  expect(screen.getByText('The database moves tonight, from 20:00 to 21:30.')).toBeVisible()
  expect(client.isFetching()).toBe(0)
})

test.each([
  ['a text', (text: string) => <Markdown text={text} />],
  ['a line', (text: string) => <MarkdownLine text={text} />],
])('%s that is too long to render is shown as it was written, a part at a time', async (_, view) => {
  const { container } = show(view(`${'*a* 🚢 '.repeat(8_000)}the end`))
  const more = await screen.findByRole('button', { name: 'Show more' })
  expect(container).toHaveTextContent(/^\*a\* 🚢 .*… Show more$/)
  expect(container.textContent.length).toBeLessThan(50_000)
  await userEvent.click(more)
  expect(container).toHaveTextContent(/^(\*a\* 🚢 ){8000}the end$/)
  expect(more).not.toBeInTheDocument()
})

it('MD-04 renders the summary of a text that is too long to render', async () => {
  show(<Markdown text={'**bold** '.repeat(3_000)} isSummary />)
  expect(await screen.findAllByText('bold')).toHaveLength(51)
})
