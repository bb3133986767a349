import { Button, Content, Skeleton } from '@patternfly/react-core'
import { useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { renderMarkdown } from '../../lib/markdown'

interface MarkdownProps {
  text: string | undefined
  /** Truncates the text to a summary. */
  isSummary?: boolean
}

const summaryLength = 256

/** Untrusted Markdown, without what is not safe. `Not available` if there is no text. */
export function Markdown({ text = '', isSummary = false }: MarkdownProps) {
  const isBlank = text.trim() === ''
  const { data: renderer, isError } = useQuery({ ...rendererQuery, enabled: !isBlank })
  if (isBlank) return 'Not available'
  if (isError) return <AsWritten text={text} />
  if (!renderer) return <Skeleton screenreaderText="Loading text" />
  return (
    <Content>
      <Rendered text={text} renderer={renderer} maxLength={isSummary ? summaryLength : undefined} />
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
  const { data: renderer } = useQuery({ ...rendererQuery, enabled: !isPlain })
  return renderer && !isPlain ? <Rendered text={text} renderer={renderer} isInline /> : text
}

/** Characters without which a text is not Markdown, so that no renderer needs to be fetched. */
const markup = /[\\`*_~<&[@]|:\/\/|www\./

/** The raw text, which is better than nothing. */
const AsWritten = ({ text }: { text: string }) => <Content component="pre">{text}</Content>

/** Code that is fetched when it is first needed. */
const rendererQuery = {
  queryKey: ['part', 'markdown'],
  queryFn: () => import('../../lib/markdown'),
  staleTime: Infinity,
  structuralSharing: false,
} as const

interface RenderedProps {
  text: string
  renderer: { renderMarkdown: typeof renderMarkdown }
  maxLength?: number | undefined
  isInline?: boolean | undefined
}

function Rendered({ text, renderer, maxLength, isInline }: RenderedProps) {
  const container = useRef<HTMLDivElement>(null)
  // Created once: new nodes on every render would clear the user's text selection.
  const fragment = useMemo(
    () => rendered(renderer, text, { maxLength, isInline }),
    [text, renderer, maxLength, isInline],
  )
  // Insert the nodes themselves: HTML that is serialized and parsed again may change its meaning.
  useLayoutEffect(() => container.current?.replaceChildren(fragment?.cloneNode(true) ?? ''), [fragment])
  if (!fragment) return isInline ? text : <AsWritten text={text} />
  if (!fragment.hasChildNodes()) return 'Not available'
  return isInline ? <span ref={container} /> : <div ref={container} />
}

/** `undefined` for text that cannot be rendered, such as a thousand nested quotes. */
function rendered(
  { renderMarkdown }: RenderedProps['renderer'],
  text: string,
  options: Pick<RenderedProps, 'maxLength' | 'isInline'>,
) {
  try {
    return renderMarkdown(text, options)
  } catch {
    return undefined
  }
}
