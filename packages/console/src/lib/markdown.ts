import createPurifier from 'dompurify'
import { markdownToHtml } from './markdown-html'
import { htmlFromWorker } from './markdown-thread'

/** Renders untrusted Markdown. Loaded on demand, since few screens show any. */

const purifier = createPurifier(globalThis.window)
purifier.addHook('afterSanitizeAttributes', (element) => {
  if (!(element instanceof HTMLAnchorElement) || !element.hasAttribute('href')) return
  element.setAttribute('target', '_blank')
  element.setAttribute('rel', 'noopener noreferrer nofollow')
})

const inLine = ['b', 'strong', 'i', 'em', 's', 'del', 'a', 'br', 'code', 'span', '#text']
const inBlocks = [
  ...inLine,
  ...['p', 'h1', 'h2', 'h3', 'h4', 'ul', 'ol', 'li', 'pre', 'blockquote', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
]
const allowed = {
  ALLOWED_ATTR: ['href'],
  // DOMPurify's default allows URLs without a scheme, which would lead to pages of the console.
  ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
}

export interface MarkdownOptions {
  /** Maximum length of the visible text in characters; longer text ends in `…`. */
  maxLength?: number | undefined
  /** Renders a single line, without paragraphs, headings and lists. */
  isInline?: boolean | undefined
}

/** A text of this many characters takes a few ms at most. */
const quickLength = 1_000
/** More HTML would block the page for 100 ms: a table of n characters may have n² / 16 cells. */
const maxHtmlLength = 25_000

/**
 * Renders Markdown without blocking the page: a longer text is parsed in a worker.
 * @throws Error if that takes too long, or would make too much HTML
 */
export async function renderInTime(text: string, options: MarkdownOptions, parse = htmlFromWorker) {
  const isQuick = text.length <= quickLength
  const html = isQuick ? markdownToHtml(text, options.isInline) : await parse(text, options.isInline)
  if (html.length > maxHtmlLength) throw new RangeError('This text would make too much HTML.')
  return toFragment(html, options)
}

/** Nodes that are safe to insert into the page, of HTML that may not be; an empty fragment if it has no visible text. */
export function toFragment(
  html: string,
  { maxLength = Infinity, isInline = false }: MarkdownOptions,
): DocumentFragment {
  const tags = isInline ? inLine : inBlocks
  const fragment = purifier.sanitize(html, {
    ...allowed,
    ALLOWED_TAGS: tags,
    RETURN_DOM_FRAGMENT: true,
  })
  if (!fragment.textContent.trim()) return document.createDocumentFragment()
  truncate(fragment, maxLength)
  breakLongWords(fragment)
  return fragment
}

/** Truncates the text, and removes every node after it. */
function truncate(fragment: DocumentFragment, maxLength: number): void {
  const texts = document.createTreeWalker(fragment, NodeFilter.SHOW_TEXT)
  let left = maxLength
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const characters = [...(node.textContent ?? '')]
    if (characters.length <= left) {
      left -= characters.length
      continue
    }
    node.textContent = `${characters.slice(0, left).join('').trimEnd()}…`
    const rest = document.createRange()
    rest.setStartAfter(node)
    rest.setEndAfter(fragment.lastChild ?? node)
    rest.deleteContents()
    return
  }
}

/** Browsers take seconds to lay out a word of 90,000 letters: to break it, they measure it again from each letter. */
function breakLongWords(fragment: DocumentFragment): void {
  const texts = document.createTreeWalker(fragment, NodeFilter.SHOW_TEXT)
  const nodes: Text[] = []
  while (texts.nextNode()) nodes.push(texts.currentNode as Text)
  for (const node of nodes.filter(({ data }) => longWord.test(data))) {
    const parts = node.data.replace(partOfWord, '$&\0').split('\0')
    node.replaceWith(...parts.flatMap((part, index) => (index > 0 ? [document.createElement('wbr'), part] : [part])))
  }
}

const longWord = /\S{500}/
const partOfWord = /\S{200}(?=\S)/gu
