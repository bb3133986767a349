import { Button } from '@patternfly/react-core'
import { memo, type ReactNode } from 'react'
import { ansiSpans, type AnsiLook } from './ansi'

/** Longer lines are cut until somebody asks for all of them. */
export const shownLength = 2_000
/** What of a very long line is one block, so that the browser lays out only those that are in sight. */
const blockLength = 4_000

/** A stretch that was found. */
export interface Mark {
  start: number
  end: number
  isCurrent: boolean
}

interface LogTextProps {
  /** With its colours, as `LogLines.styled` gives it. */
  styled: string
  /** Of the text without colours. */
  length: number
  marks: readonly Mark[]
  isWhole: boolean
  onShowWhole: () => void
}

/** The text of a line: its colours, and what was found in it. */
export const LogText = memo(function LogText({ styled, length, marks, isWhole, onShowWhole }: LogTextProps) {
  if (length <= shownLength) return pieces(styled, marks, 0, length)
  if (!isWhole) {
    return (
      <>
        {pieces(styled, marks, 0, shownLength)}…{' '}
        <Button variant="link" isInline onClick={onShowWhole}>
          Show whole line ({length.toLocaleString('en')} characters)
        </Button>
      </>
    )
  }
  return Array.from({ length: Math.ceil(length / blockLength) }, (_, block) => (
    <span key={block} className="slipway-log__block">
      {pieces(styled, marks, block * blockLength, (block + 1) * blockLength)}
    </span>
  ))
}, sameLine)

/** Marks are lists that are made anew for each drawing. */
function sameLine(a: LogTextProps, b: LogTextProps): boolean {
  return (
    a.styled === b.styled &&
    a.isWhole === b.isWhole &&
    a.marks.length === b.marks.length &&
    a.marks.every((mark, index) => {
      const other = b.marks[index]
      return mark.start === other?.start && mark.end === other.end && mark.isCurrent === other.isCurrent
    })
  )
}

/** The text from one character to another, cut where its look changes. */
function pieces(styled: string, marks: readonly Mark[], from: number, to: number): ReactNode[] {
  const drawn: ReactNode[] = []
  let at = 0
  for (const { text, look } of ansiSpans(styled)) {
    const [first, last] = [Math.max(at, from), Math.min(at + text.length, to)]
    const base = at
    at += text.length
    if (first >= last) continue
    let begin = first
    const draw = (end: number, mark?: Mark) => {
      if (end <= begin) return
      drawn.push(<Piece key={begin} text={text.slice(begin - base, end - base)} look={look} mark={mark} />)
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

function Piece({ text, look, mark }: { text: string; look: AnsiLook | undefined; mark: Mark | undefined }) {
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
const styleOf = ({ light, dark, background, isBold, isItalic, line }: AnsiLook) => ({
  '--slipway-ansi-light': light,
  '--slipway-ansi-dark': dark,
  backgroundColor: background,
  fontWeight: isBold ? 'bold' : undefined,
  fontStyle: isItalic ? 'italic' : undefined,
  textDecorationLine: line,
})
