import { render, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { guardTexts } from './foreign-text'

beforeEach(() => guardTexts())

/** Texts next to other children, of which one comes and goes. */
const Run = ({ status, note, tasks }: { status: string; note?: string; tasks: string[] }) => (
  <p>
    Live {status} <b>{tasks.length}</b>
    {note}
    <i>of</i> {tasks.map((task) => `${task} `)}
  </p>
)

const textsIn = (root: Node): Text[] => {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) texts.push(walker.currentNode as Text)
  return texts
}

const translations: Record<string, (text: Text, translated: Element) => void> = {
  // As Chrome does.
  'replaced by a translation': (text, translated) => {
    translated.append(`<${text.data}>`)
    text.replaceWith(translated)
  },
  'removed once its translation precedes it': (text, translated) => {
    translated.append(`<${text.data}>`)
    text.before(translated)
    text.remove()
  },
  'wrapped in an element': (text, translated) => {
    text.replaceWith(translated)
    translated.append(text)
  },
}

describe.each(Object.entries(translations))('when every text is %s', (_, translate) => {
  const start = async () => {
    const view = render(<Run status="Running" note="waits" tasks={['build', 'scan']} />)
    for (const text of textsIn(view.container)) translate(text, document.createElement('font'))
    // The observer is called in a later microtask, as it is in a browser before React renders again.
    await Promise.resolve()
    return view
  }

  it('a text that changes is shown', async () => {
    const { container, rerender } = await start()
    rerender(<Run status="Failed" note="has ended" tasks={['build', 'scan', 'push']} />)
    await waitFor(() => expect(container).toHaveTextContent('Failed'))
    expect(container).toHaveTextContent('has ended')
    expect(container).toHaveTextContent('3')
    expect(container).toHaveTextContent('push')
    expect(container).not.toHaveTextContent('Running')
    expect(container).not.toHaveTextContent('waits')
  })

  it('a text that disappears takes its translation along, and one that appears is in its place', async () => {
    const { container, rerender } = await start()
    rerender(<Run status="Running" tasks={['build']} />)
    await waitFor(() => expect(container).not.toHaveTextContent('waits'))
    expect(container).not.toHaveTextContent('scan')
    rerender(<Run status="Running" note="waits again" tasks={['build', 'push']} />)
    await waitFor(() => expect(container.textContent).toMatch(/2.*waits again.*of.*build.*push/))
  })

  it('leaving the page does not fail', async () => {
    const { container, unmount } = await start()
    unmount()
    expect(container).toBeEmptyDOMElement()
  })
})

it('removing an element that is not a child still fails', () => {
  expect(() => document.body.removeChild(document.createElement('p'))).toThrow('not a child')
})
