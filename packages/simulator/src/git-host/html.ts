/** Markup that is inserted into a page unescaped. Only `html` creates it, so text cannot be mistaken for markup. */
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

/** Escapes every value, in text and in quoted attributes. Lists are joined, absent values omitted. */
export const html = (parts: TemplateStringsArray, ...values: Value[]): Html =>
  new Html(parts.map((part, index) => part + rendered(values[index])).join(''))
