/** Markup that may be put into a page as it is. Only `html` makes it, so that no text of others is taken for it. */
export class Html {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
}

type Value = Html | string | number | undefined | false | Value[]

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (each) => entities[each] ?? each)

function rendered(value: Value): string {
  if (value === undefined || value === false) return ''
  if (value instanceof Html) return value.markup
  return Array.isArray(value) ? value.map(rendered).join('') : escapeHtml(String(value))
}

/** Every value is escaped, in text as in a quoted attribute; lists are joined, what is absent is left out. */
export const html = (parts: TemplateStringsArray, ...values: Value[]): Html =>
  new Html(parts.map((part, index) => part + rendered(values[index])).join(''))
