import { createLogLines } from '@slipway/model/logs/log-lines'
import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { LogText, shownLength, writtenLength } from './LogText'

const stretch = `\u001b[31mred\u001b[0m and plain ${'x'.repeat(986)}`
const plain = stretch.replaceAll(/\u001b\[\d+m/g, '')

/** A line of a megabyte in two thousand colours. */
function Line() {
  const [isWhole, setIsWhole] = useState(false)
  const [lines] = useState(() => {
    const made = createLogLines()
    made.reset(false)
    made.append([stretch.repeat(1_000)])
    return made
  })
  return (
    <LogText
      styled={lines.styled(0, isWhole ? undefined : writtenLength)}
      length={lines.text(0).length}
      marks={[{ start: 995, end: 1_005, isCurrent: true }]}
      isExpanded={isWhole}
      onExpand={() => setIsWhole(true)}
    />
  )
}

it('renders a line of a megabyte in its colours, both truncated and expanded', () => {
  const { container } = render(<Line />)
  const coloured = () => [...container.querySelectorAll('.slipway-log__ansi')].map(({ textContent }) => textContent)
  const beginning = plain.repeat(2).slice(0, shownLength)
  expect(container.textContent).toBe(`${beginning}… Show whole line (1,000,000 characters)`)
  expect(coloured()).toEqual(['red', 'red'])
  fireEvent.click(screen.getByRole('button'))
  expect(container.textContent).toBe(plain.repeat(1_000))
  expect(coloured()).toHaveLength(1_000)
  expect([...container.querySelectorAll('mark')].map(({ textContent }) => textContent).join('')).toBe('xxxxxred a')
})

it('shows the direction controls of a line, and marks the same characters beside them', () => {
  const { container } = render(
    <LogText
      styled={'wget \u202egnp.exe'}
      length={13}
      marks={[{ start: 6, end: 9, isCurrent: false }]}
      isExpanded={false}
      onExpand={() => undefined}
    />,
  )
  expect(container.textContent).toBe('wget [U+202E]gnp.exe')
  expect(container.querySelector('mark')).toHaveTextContent(/^gnp$/)
})
