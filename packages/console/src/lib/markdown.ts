import createPurifier from 'dompurify'
import { Marked } from 'marked'

/** Renders untrusted Markdown. Loaded on demand, since few screens show any. */

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
  // DOMPurify's default allows URLs without a scheme, which would lead to pages of the console.
  ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
}

interface MarkdownOptions {
  /** Maximum length of the visible text in characters; longer text ends in `…`. */
  maxLength?: number | undefined
  /** Renders a single line, without paragraphs, headings and lists. */
  isInline?: boolean | undefined
}

/** Renders Markdown as nodes that are safe to insert into the page; an empty fragment if it has no visible text. */
export function renderMarkdown(
  text: string,
  { maxLength = Infinity, isInline = false }: MarkdownOptions = {},
): DocumentFragment {
  // Without `async` the result is a string, which the type does not say.
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
 * Removes all attributes except `href`, and turns style elements into scripts, which DOMPurify removes with their
 * content. Browsers report handlers and styles as violations of the Content-Security-Policy even while parsing a
 * document that is never shown, before DOMPurify can remove them. This avoids the reports; safety is up to DOMPurify.
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
