import { Marked } from 'marked'

const marked = new Marked({ gfm: true, async: false })

/**
 * Converts Markdown to HTML that is not safe yet, in a time that grows with the square of the length.
 * @throws RangeError for text that is nested too deeply
 */
export function markdownToHtml(text: string, isInline = false): string {
  // Without `async` the result is a string, which the type does not say.
  return withoutAttributes((isInline ? marked.parseInline(text) : marked.parse(text)) as string)
}

/**
 * Removes all attributes except `href`, and turns style elements into scripts, which DOMPurify removes with their
 * content. Browsers report handlers and styles as violations of the Content-Security-Policy even while parsing a
 * document that is never shown, before DOMPurify can remove them. This avoids the reports; safety is up to DOMPurify.
 */
export function withoutAttributes(html: string): string {
  // A comment that does not end is not searched for: each would be read to the end of the text.
  const end = html.lastIndexOf('-->') + 1
  return (
    html.slice(0, end && end + 2).replace(tagOrComment, cleanTag) + html.slice(end && end + 2).replace(tag, cleanTag)
  )
}

// The attributes begin with a character that no name has, so that there is one way to match.
const tag = /<[!?][^<>]*>|<(\/?)([a-z][a-z0-9-]*)((?:[^a-z0-9<>-][^<>]*)?)>|</gi
const tagOrComment = new RegExp(`<!--[^]*?-->|${tag.source}`, 'gi')

function cleanTag(text: string, slash?: string, name?: string, attributes?: string): string {
  if (name === undefined) return text === '<' ? '&lt;' : ''
  return `<${slash}${/^style$/i.test(name) ? 'script' : name}${linkIn(attributes)}>`
}

function linkIn(attributes = ''): string {
  const [, double, single, bare] = /[\s"'/]href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=`]+))/i.exec(attributes) ?? []
  const link = double ?? single ?? bare
  return link === undefined ? '' : ` href="${link.replaceAll('"', '&quot;')}"`
}
