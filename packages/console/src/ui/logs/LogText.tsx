import { Button } from '@patternfly/react-core'
import { memo, type ReactNode } from 'react'
import { ansiBlocks, type AnsiStyle, type PlacedSpan } from './ansi'

/** Longer lines are cut until somebody asks for all of them. */
export const shownLength = 2_000
/** So much of what was written, colours included, is looked at for those of a line that is cut. */
export const writtenLength = 10 * shownLength
/** What of a very long line is one block, so that the browser lays out only those that are in sight. */
const blockLength = 4_000

/** A stretch that was found. */
export interface Mark {
  start: number
  end: number
  isCurrent: boolean
}

interface LogTextProps {
  /** With its colours, as `LogLines.styled` gives it; the beginning will do for one that is not shown whole. */
  styled: string
  /** Of the text without colours. */
  length: number
  marks: readonly Mark[]
  isExpanded: boolean
  onExpand: () => void
}

/** The text of a line: its colours, and what was found in it. */
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

/** Marks are lists that are made anew for each drawing. */
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

/** Of some text what is drawn, cut where its look changes. */
function pieces(spans: readonly PlacedSpan[] = [], marks: readonly Mark[]): ReactNode[] {
  const drawn: ReactNode[] = []
  for (const { text, style: look, start } of spans) {
    const last = start + text.length
    let begin = start
    const draw = (end: number, mark?: Mark) => {
      if (end <= begin) return
      drawn.push(<Piece key={begin} text={text.slice(begin - start, end - start)} look={look} mark={mark} />)
      begin = end
    }
    for (const mark of marks) {
      if (mark.end <= begin || mark.start >= last) continue
      draw(Math.max(begin, mark.start))
      draw(Math.min(mark.end, last), mark)
    }
    draw(last)
  }
  return drawn
}

function Piece({ text, look, mark }: { text: string; look: AnsiStyle | undefined; mark: Mark | undefined }) {
  const drawn = look ? (
    <span className="slipway-log__ansi" style={styleOf(look)}>
      {text}
    </span>
  ) : (
    text
  )
  return mark ? <mark data-current={mark.isCurrent || undefined}>{drawn}</mark> : drawn
}

/** Colours of both themes; the style sheet takes the one that is worn. */
const styleOf = ({ light, dark, background, isBold, isItalic, line }: AnsiStyle) => ({
  '--slipway-ansi-light': light,
  '--slipway-ansi-dark': dark,
  backgroundColor: background,
  fontWeight: isBold ? 'bold' : undefined,
  fontStyle: isItalic ? 'italic' : undefined,
  textDecorationLine: line,
})
