import { Content, Skeleton } from '@patternfly/react-core'
import { useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useMemo, useRef } from 'react'
import type { renderMarkdown } from '../lib/markdown'

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
  return <Rendered text={text} renderer={renderer} maxLength={isSummary ? summaryLength : undefined} />
}

/** Still better than nothing. */
const AsWritten = ({ text }: { text: string }) => <Content component="pre">{text}</Content>

/** A part of the program that is fetched when it is first needed. */
const rendererQuery = {
  queryKey: ['part', 'markdown'],
  queryFn: () => import('../lib/markdown'),
  staleTime: Infinity,
  structuralSharing: false,
} as const

interface RenderedProps {
  text: string
  renderer: { renderMarkdown: typeof renderMarkdown }
  maxLength: number | undefined
}

function Rendered({ text, renderer, maxLength }: RenderedProps) {
  const place = useRef<HTMLDivElement>(null)
  // Made once: with new nodes at every drawing, nobody could select any text.
  const fragment = useMemo(() => rendered(renderer, text, maxLength), [text, renderer, maxLength])
  // The nodes themselves: text that is parsed a second time may come out as something else.
  useLayoutEffect(() => place.current?.replaceChildren(fragment?.cloneNode(true) ?? ''), [fragment])
  if (!fragment) return <AsWritten text={text} />
  if (!fragment.hasChildNodes()) return 'Not available'
  return (
    <Content>
      <div ref={place} />
    </Content>
  )
}

/** `undefined` for what cannot be rendered, such as a thousand quotes within quotes. */
function rendered({ renderMarkdown }: RenderedProps['renderer'], text: string, maxLength: number | undefined) {
  try {
    return renderMarkdown(text, maxLength)
  } catch {
    return undefined
  }
}
