import { Button } from '@patternfly/react-core'
import { memo, type ReactNode } from 'react'
import { withVisibleControls } from '../../ui/text/UserText'
import { ansiBlocks, type AnsiStyle, type PlacedSpan } from './ansi'

/** Longer lines are truncated until the user expands them. */
export const shownLength = 2_000
/** How much of a truncated line, escape sequences included, is parsed for its colours. */
export const writtenLength = 10 * shownLength
/** Length of the blocks of a very long line, of which the browser lays out only the visible ones. */
const blockLength = 4_000

/** A match of the search. */
export interface Mark {
  start: number
  end: number
  isCurrent: boolean
}

interface LogTextProps {
  /** The text with its colours, as `LogLines.styled` returns it; the start is enough for a truncated line. */
  styled: string
  /** Length of the text without escape sequences. */
  length: number
  marks: readonly Mark[]
  isExpanded: boolean
  onExpand: () => void
}

/** The text of a line, with its colours and the matches of a search. */
export const LogText = memo(function LogText({ styled, length, marks, isExpanded, onExpand }: LogTextProps) {
  if (length <= shownLength) return pieces(ansiBlocks(styled, shownLength)[0], marks)
  if (!isExpanded) {
    return (
      <>
        {pieces(ansiBlocks(styled, shownLength)[0], marks)}…{' '}
        <Button variant="link" isInline onClick={onExpand}>
          Show whole line ({length.toLocaleString('en')} characters)
        </Button>
      </>
    )
  }
  return ansiBlocks(styled, blockLength).map((spans, block) => (
    <span key={block} className="slipway-log__block">
      {pieces(spans, marks)}
    </span>
  ))
}, sameLine)

/** Marks are new arrays on every render, so they are compared by value. */
function sameLine(a: LogTextProps, b: LogTextProps): boolean {
  return (
    a.styled === b.styled &&
    a.isExpanded === b.isExpanded &&
    a.marks.length === b.marks.length &&
    a.marks.every((mark, index) => {
      const other = b.marks[index]
      return mark.start === other?.start && mark.end === other.end && mark.isCurrent === other.isCurrent
    })
  )
}

/** The elements for a text, split where its style changes. */
function pieces(spans: readonly PlacedSpan[] = [], marks: readonly Mark[]): ReactNode[] {
  const elements: ReactNode[] = []
  for (const { text, style, start } of spans) {
    const last = start + text.length
    let begin = start
    const add = (end: number, mark?: Mark) => {
      if (end <= begin) return
      elements.push(<Piece key={begin} text={text.slice(begin - start, end - start)} style={style} mark={mark} />)
      begin = end
    }
    for (const mark of marks) {
      if (mark.end <= begin || mark.start >= last) continue
      add(Math.max(begin, mark.start))
      add(Math.min(mark.end, last), mark)
    }
    add(last)
  }
  return elements
}

function Piece({ text, style, mark }: { text: string; style: AnsiStyle | undefined; mark: Mark | undefined }) {
  const shown = withVisibleControls(text)
  const styled = style ? (
    <span className="slipway-log__ansi" style={styleOf(style)}>
      {shown}
    </span>
  ) : (
    shown
  )
  return mark ? <mark data-current={mark.isCurrent || undefined}>{styled}</mark> : styled
}

/** Colours for both themes; the style sheet picks those of the active one. */
const styleOf = ({ light, dark, background, isBold, isItalic, line }: AnsiStyle) => ({
  '--slipway-ansi-light': light,
  '--slipway-ansi-dark': dark,
  backgroundColor: background,
  fontWeight: isBold ? 'bold' : undefined,
  fontStyle: isItalic ? 'italic' : undefined,
  textDecorationLine: line,
})
