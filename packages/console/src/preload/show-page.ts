/**
 * Puts the content of a page, as the server has rendered it for the user, into its prepared layout. The build turns it
 * into an inline script, so it imports nothing.
 */
const { zone, stored = '{}' } = document.currentScript?.dataset ?? {}
const layout = document.querySelector('.slipway-first-page')
const content = document.getElementById('slipway-page')
const style = document.getElementById('slipway-page-style')

/** The server does not know what this browser has stored: a page that depends on something else is not this one. */
function isAsStored(): boolean {
  const base = document.documentElement.dataset.path ?? ''
  try {
    const texts = JSON.parse(stored) as Record<string, string | null>
    return Object.entries(texts).every(
      ([key, text]) => (localStorage.getItem(base + key) ?? sessionStorage.getItem(base + key) ?? text) === text,
    )
  } catch {
    // Storage may be forbidden: nothing is stored.
    return true
  }
}

if (layout && content instanceof HTMLTemplateElement && style && isAsStored()) {
  // Where the styles of the layout were, which the page takes away with it.
  style.id = 'slipway-critical'
  document.getElementById('slipway-critical')?.replaceWith(style)
  layout.replaceChildren(content.content)
  // Dates are in the time zone of the server. Their place stays.
  if (zone !== new Intl.DateTimeFormat('en').resolvedOptions().timeZone)
    for (const time of layout.querySelectorAll<HTMLElement>('time'))
      if (!time.textContent.endsWith(' ago')) time.style.visibility = 'hidden'
} else style?.remove()
content?.remove()

export {}
