import { criticalCss, parseSheets } from './critical-css'
import type { Frame } from './frames'
import { filesAt } from './page-files'

interface DocumentParts {
  /** The page of the console, as it is built. */
  index: string
  /** All style sheets, that of the entry first. */
  sheets: readonly string[]
  /** Script that sets the theme, and that which fills in the frame. */
  scripts: { theme: string; frame: string }
}

/**
 * Creates the document of a page that is shown before any script or style sheet has come: its HTML and the styles for it
 * are in the document, and everything else follows behind them. Without the gateway that picks it by the path, browsers
 * get the `index` with the same files.
 * @returns a function of a page and its index among all
 */
export function createFrameDocuments({
  index,
  sheets,
  scripts,
}: DocumentParts): (frame: Pick<Frame, 'pattern' | 'html'>, page: number) => string {
  const firstScript = find(index, /<script src="[^>]*data-files=[^>]* data-pages=[^>]*><\/script>/)
  const sheet = find(index, /<link rel="stylesheet"[^>]*>/)
  /** Pages that look alike need the same styles. */
  const known = new Map<string, { markup: string; css: string }>()
  const prepare = (html: string) => {
    const { markup, rules } = withoutInlineStyles(inertUntilTakenOver(html))
    return { markup, css: criticalCss(`${markup}<div id="root">`, parseSheets([...sheets, rules])) }
  }
  const [attributes = '', files, pages] = / data-files="([^"]*)" data-pages="([^"]*)"/.exec(firstScript) ?? []
  return ({ pattern, html }, page) => {
    const { markup, css } = known.get(html) ?? prepare(html)
    known.set(html, { markup, css })
    const body = [
      `<div id="root">${markup}</div>`,
      `<script data-pattern="${escapeAttribute(pattern)}">${scripts.frame}</script>`,
      // The gateway puts the content in its place, if it knows it (gateway/src/prepared-pages.ts).
      '<!-- content -->',
      firstScript.replace(attributes, ` data-files="${filesAt({ files, pages }, page).join(' ')}"`),
      // Behind the frame, which is shown without it. Modules wait for it.
      sheet,
    ]
    return index
      .replace('<html', '<html data-gateway')
      .replace(firstScript, () => `<script>${scripts.theme}</script>\n    <style id="slipway-critical">${css}</style>`)
      .replace(sheet, '')
      .replace('<div id="root"></div>', () => body.join('\n    '))
  }
}

export const escapeAttribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

function find(text: string, pattern: RegExp): string {
  const [found] = pattern.exec(text) ?? []
  if (!found) throw new Error(`index.html has nothing like ${pattern}.`)
  return found
}

/**
 * Nothing but the links of the sidebar works before the script has come, so nothing else can be reached. The content is
 * a picture of the page: assistive technology gets the page itself.
 */
export const inertUntilTakenOver = (html: string): string =>
  html
    .replace('<header ', '<header inert ')
    .replace(
      main,
      (_, start: string, content: string, end: string) => start + startOfContent + content + endOfContent + end,
    )
    .replaceAll(/ data-discover="true"| data-(ouia|pf)-[\w-]+="[^"]*"/g, '')

const main = /(<main [^>]*>)(.*)(<\/main>)/s
const startOfContent = '<div class="slipway-first-page" inert aria-hidden="true">'
const endOfContent = '</div><span class="pf-v6-screen-reader">Loading page</span>'

/** What is in the middle of a page that is inert until it is taken over. */
export const contentOf = (html: string): string => html.split(startOfContent)[1]?.split(endOfContent)[0] ?? ''

/** Strict policies allow no `style` attributes, so each becomes a rule that wins over all others like them. */
export function withoutInlineStyles(html: string): { markup: string; rules: string } {
  const styles: string[] = []
  const markup = html.replaceAll(/ style="([^"]*)"/g, (_, style: string) => {
    if (!styles.includes(style)) styles.push(style)
    return ` data-style="${styles.indexOf(style)}"`
  })
  const rules = styles.map((style, index) => `#root [data-style="${index}"]{${style.replaceAll('&quot;', '"')}}`)
  return { markup, rules: rules.join('\n') }
}
