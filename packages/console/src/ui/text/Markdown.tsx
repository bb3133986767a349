import { Content, Skeleton } from '@patternfly/react-core'
import { useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useMemo, useRef } from 'react'
import type { renderMarkdown } from '../../lib/markdown'

interface MarkdownProps {
  text: string | undefined
  /** Shows so much of it only, where a place asks for a summary. */
  isSummary?: boolean
}

const summaryLength = 256

/** Markdown that others have written; what of it is not safe is left out. `Not available` where there is none. */
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

/** A sentence or two of Markdown in a line of a page, with links and emphasis and nothing else of it. */
export function MarkdownLine({ text }: { text: string }) {
  const isPlain = !markup.test(text)
  const { data: renderer } = useQuery({ ...rendererQuery, enabled: !isPlain })
  return renderer && !isPlain ? <Rendered text={text} renderer={renderer} isInline /> : text
}

/** What makes Markdown of a text: without any of it there is nothing to fetch. */
const markup = /[\\`*_~<&[@]|:\/\/|www\./

/** Still better than nothing. */
const AsWritten = ({ text }: { text: string }) => <Content component="pre">{text}</Content>

/** A part of the program that is fetched when it is first needed. */
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
  const place = useRef<HTMLDivElement>(null)
  // Made once: with new nodes at every drawing, nobody could select any text.
  const fragment = useMemo(
    () => rendered(renderer, text, { maxLength, isInline }),
    [text, renderer, maxLength, isInline],
  )
  // The nodes themselves: text that is parsed a second time may come out as something else.
  useLayoutEffect(() => place.current?.replaceChildren(fragment?.cloneNode(true) ?? ''), [fragment])
  if (!fragment) return isInline ? text : <AsWritten text={text} />
  if (!fragment.hasChildNodes()) return 'Not available'
  return isInline ? <span ref={place} /> : <div ref={place} />
}

/** `undefined` for what cannot be rendered, such as a thousand quotes within quotes. */
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
