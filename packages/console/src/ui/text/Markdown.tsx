import { Button, Content, Skeleton } from '@patternfly/react-core'
import { useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useRef, useState } from 'react'
import './Markdown.css'

interface MarkdownProps {
  text: string | undefined
  /** Truncates the text to a summary. */
  isSummary?: boolean
}

const summaryLength = 256

/** Untrusted Markdown, without what is not safe. `Not available` if there is no text. */
export function Markdown({ text = '', isSummary = false }: MarkdownProps) {
  const isBlank = text.trim() === ''
  const maxLength = isSummary ? summaryLength : undefined
  const { data: fragment, isError } = useQuery({
    ...renderedQuery(isSummary ? text.slice(0, maxRendered) : text, { maxLength }),
    enabled: !isBlank,
  })
  if (isBlank) return 'Not available'
  if (isError) return <AsWritten text={text} />
  if (!fragment) return <Skeleton screenreaderText="Loading text" />
  if (!fragment.hasChildNodes()) return 'Not available'
  return (
    <Content>
      <Rendered as="div" fragment={fragment} />
    </Content>
  )
}

/** Untrusted Markdown of which only the beginning is shown at first, if it is long. */
export function FoldedMarkdown({ text = '' }: Pick<MarkdownProps, 'text'>) {
  const [isWhole, setIsWhole] = useState(false)
  if (text.length <= summaryLength) return <Markdown text={text} />
  return (
    <>
      <Markdown text={text} isSummary={!isWhole} />
      <Button variant="link" isInline aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
        {isWhole ? 'Show less' : 'Show more'}
      </Button>
    </>
  )
}

/** A sentence or two of Markdown within a line, of which only links and emphasis are rendered. */
export function MarkdownLine({ text }: { text: string }) {
  const isPlain = !markup.test(text)
  const { data: fragment } = useQuery({ ...renderedQuery(text, { isInline: true }), enabled: !isPlain })
  if (!fragment) {
    return text.length > maxKerned ? (
      <span className="slipway-unkerned">
        <Parts text={text} />
      </span>
    ) : (
      text
    )
  }
  return fragment.hasChildNodes() ? <Rendered as="span" fragment={fragment} /> : 'Not available'
}

/** Characters without which a text is not Markdown, so that no renderer needs to be fetched. */
const markup = /[\\`*_~<&[@]|:\/\/|www\./

/** The raw text, which is better than nothing. */
const AsWritten = ({ text }: { text: string }) => (
  <Content component="pre" className="slipway-as-written slipway-unkerned">
    <Parts text={text} />
  </Content>
)

/** Characters whose nodes and layout take less than 100 ms; a longer text is not rendered. */
const maxRendered = 10_000
/** Browsers take time that grows with the square of its length to place the letters of a long word. */
const maxKerned = 1_000
/** Plain text takes a fraction of that. */
const part = /[^]{1,40000}/gu

/** Plain text, of which a user sees more on request: laying out a megabyte would block the page. */
function Parts({ text }: { text: string }) {
  const [count, setCount] = useState(1)
  const parts = text.match(part) ?? []
  return (
    <>
      {parts.slice(0, count).join('')}
      {count < parts.length && (
        <>
          {'… '}
          <Button variant="link" isInline onClick={() => setCount(count + 1)}>
            Show more
          </Button>
        </>
      )}
    </>
  )
}

/** Fails for a text that cannot be rendered, such as a thousand nested quotes, and one that would block the page. */
const renderedQuery = (text: string, options: { maxLength?: number | undefined; isInline?: boolean }) => ({
  queryKey: ['part', 'markdown', text, options],
  queryFn: async () => {
    if (text.length > maxRendered) throw new RangeError('This text is too long to render.')
    // Code that is fetched when it is first needed.
    const { renderInTime } = await import('../../lib/markdown')
    return renderInTime(text, options)
  },
  staleTime: Infinity,
  structuralSharing: false,
})

function Rendered({ as: Element, fragment }: { as: 'div' | 'span'; fragment: DocumentFragment }) {
  const container = useRef<HTMLDivElement>(null)
  // Insert the nodes themselves: HTML that is serialized and parsed again may change its meaning.
  useLayoutEffect(() => container.current?.replaceChildren(fragment.cloneNode(true)), [fragment])
  return <Element ref={container} />
}
