import createPurifier from 'dompurify'
import { Marked } from 'marked'

/** Markdown that others have written. Fetched on demand: few screens show any. */

const marked = new Marked({ gfm: true, async: false })
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
  // With its own default, what has no scheme at all would lead to a page of ours.
  ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
}

interface MarkdownOptions {
  /** Of the visible text, in characters; what is longer ends in `…`. */
  maxLength?: number | undefined
  /** A line among others, without paragraphs, headings and lists. */
  isInline?: boolean | undefined
}

/** Markdown as nodes that are safe to put into the page; without any visible text, an empty fragment. */
export function renderMarkdown(
  text: string,
  { maxLength = Infinity, isInline = false }: MarkdownOptions = {},
): DocumentFragment {
  // Without `async` it is a string at once, which the type does not tell.
  const html = (isInline ? marked.parseInline(text) : marked.parse(text)) as string
  const tags = isInline ? inLine : inBlocks
  const fragment = purifier.sanitize(withoutAttributes(html), {
    ...allowed,
    ALLOWED_TAGS: tags,
    RETURN_DOM_FRAGMENT: true,
  })
  if (!fragment.textContent.trim()) return document.createDocumentFragment()
  truncate(fragment, maxLength)
  return fragment
}

/**
 * The same HTML with no attribute but `href`, and style sheets made scripts, whose content goes with them. A browser
 * reports handlers and styles to the Content-Security-Policy even while it parses a document that is never shown, which is
 * before DOMPurify can remove them. What is safe is for DOMPurify to say: this only keeps the reports quiet.
 */
const withoutAttributes = (html: string): string =>
  html.replace(
    /<!--[^]*?-->|<[!?][^<>]*>|<(\/?)([a-z][a-z0-9-]*)([^<>]*)>|</gi,
    (tag, slash: string | undefined, name: string | undefined, attributes: string | undefined) => {
      if (name === undefined) return tag === '<' ? '&lt;' : ''
      return `<${slash}${/^style$/i.test(name) ? 'script' : name}${linkIn(attributes)}>`
    },
  )

function linkIn(attributes = ''): string {
  const [, double, single, bare] = /[\s"'/]href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=`]+))/i.exec(attributes) ?? []
  const link = double ?? single ?? bare
  return link === undefined ? '' : ` href="${link.replaceAll('"', '&quot;')}"`
}

/** Cuts where the text ends, and takes away every node after that. */
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
