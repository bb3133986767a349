import { createAnsiSequenceParser, createColorPalette, type Color, type ParseToken } from 'ansi-sequence-parser'
import { readableOn, type Rgb } from './contrast'

/** A stretch of a line in one style. */
export interface AnsiSpan {
  text: string
  style: AnsiStyle | undefined
}
/** The style on a light page and on a dark one. */
export interface AnsiStyle {
  light: string
  dark: string
  background?: string
  isBold: boolean
  isItalic: boolean
  line: 'underline' | 'line-through' | 'overline' | undefined
}

/** Background of the log, as in `LogViewer.css`. */
export const paper = { light: [255, 255, 255], dark: [21, 21, 21] } as const satisfies Record<string, Rgb>

/** Splits a line, as `LogLines.styled` returns it. A line without colours is one span. */
export function ansiSpans(styled: string): AnsiSpan[] {
  if (!styled.includes('\u001b')) return [{ text: styled, style: undefined }]
  return createAnsiSequenceParser()
    .parse(styled)
    .map((token) => ({ text: token.value, style: parseStyle(token) }))
}

/** A span, with its start in the text of its line. */
export interface PlacedSpan extends AnsiSpan {
  start: number
}

/** Splits a text into blocks of equal length, except the last. Parses its colours once, for up to a thousand blocks. */
export function ansiBlocks(styled: string, size: number): PlacedSpan[][] {
  const blocks: PlacedSpan[][] = []
  let start = 0
  for (const { text, style } of ansiSpans(styled)) {
    for (let at = 0; at < text.length;) {
      const block = Math.floor((start + at) / size)
      const end = Math.min(text.length, (block + 1) * size - start)
      const own = (blocks[block] ??= [])
      own.push({ text: text.slice(at, end), style, start: start + at })
      at = end
    }
    start += text.length
  }
  return blocks
}

const palette = createColorPalette()
const styles = new Map<string, AnsiStyle | undefined>()

/** Cached: a log has few styles, and each takes some computing. */
function parseStyle({ foreground, background, decorations }: ParseToken): AnsiStyle | undefined {
  const isReversed = decorations.has('reverse')
  const text = isReversed ? background : foreground
  // Reversed text without a colour of its own is on the default text colour.
  const behind = isReversed ? (foreground ?? grey) : background
  const key = [nameOf(text), nameOf(behind), ...decorations].join(' ')
  const known = styles.get(key)
  if (known || styles.has(key)) return known
  const style = buildStyle(text && rgbOf(text), behind && rgbOf(behind), decorations)
  styles.set(key, style)
  return style
}

function buildStyle(
  text: Rgb | null | undefined,
  behind: Rgb | null | undefined,
  decorations: ParseToken['decorations'],
): AnsiStyle | undefined {
  const isBold = decorations.has('bold')
  const isItalic = decorations.has('italic')
  const line = decorations.has('underline')
    ? 'underline'
    : decorations.has('strikethrough')
      ? 'line-through'
      : decorations.has('overline')
        ? 'overline'
        : undefined
  const faint = decorations.has('dim') ? dim : undefined
  const ink = text ?? faint
  if (!ink && !behind && !isBold && !isItalic && !line) return undefined
  const on = (page: Rgb) => cssOf(readableOn(behind ?? page, ink ?? (behind ? page : inverse(page))))
  return {
    light: ink || behind ? on(paper.light) : 'inherit',
    dark: ink || behind ? on(paper.dark) : 'inherit',
    ...(behind && { background: cssOf(behind) }),
    isBold,
    isItalic,
    line,
  }
}

const grey: Color = { type: 'named', name: 'white' }
const dim: Rgb = [128, 128, 128]
const inverse = ([r, g, b]: Rgb): Rgb => [255 - r, 255 - g, 255 - b]

const nameOf = (color: Color | null): string =>
  !color ? '-' : color.type === 'rgb' ? color.rgb.join(',') : color.type === 'table' ? String(color.index) : color.name

/** The colour table has 256 entries; `undefined` for an index outside it. */
function rgbOf(color: Color): Rgb | undefined {
  const hex: string | undefined = palette.value(color)
  if (!hex) return undefined
  const part = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16)
  return [part(1), part(3), part(5)]
}

const cssOf = ([r, g, b]: Rgb): string => `rgb(${r} ${g} ${b})`
