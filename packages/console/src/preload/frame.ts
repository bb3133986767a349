/**
 * Runs right behind the HTML of a prepared page, before it is shown: fills in the names that are in its path and the
 * last user, and closes the sidebar where it would cover the page. The build turns it into an inline script, so it
 * imports nothing.
 */
const root = document.getElementById('root')
const { pattern = '' } = document.currentScript?.dataset ?? {}
const base = document.documentElement.dataset.path ?? ''
const path = location.pathname.slice(base.length) || '/'
const params = new RegExp(pattern).exec(path)?.groups ?? {}
const fill = (text: string) => text.replace(/__(\w+?)__/g, (placeholder, name: string) => params[name] ?? placeholder)

if (root) {
  const nodes = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT)
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    if (node instanceof Text) node.data = fill(node.data)
    else if (node instanceof Element)
      for (const attribute of node.attributes)
        if (attribute.value.includes('__')) node.setAttribute(attribute.name, fill(attribute.value))
  }
}
const sidebar = document.getElementById('sidebar')
if (sidebar && !matchMedia('(min-width: 75rem)').matches) {
  sidebar.classList.add('pf-m-collapsed')
  sidebar.inert = true
}
const user = document.querySelector('.slipway-user .pf-v6-c-menu-toggle__text')
try {
  // As src/api/session/session.ts stores it.
  const { email } = JSON.parse(localStorage.getItem(`${base}__user_session__`) ?? '{}') as { email?: unknown }
  if (user && typeof email === 'string') user.textContent = email
} catch {
  // Storage may be forbidden, or contain anything.
}

/** The palette opens as soon as its code has come (`shell/palette/KeyboardShortcuts.tsx`), which takes over from here. */
function noteShortcut(event: KeyboardEvent): void {
  if (!root || root.dataset.shortcuts === 'ready') return removeEventListener('keydown', noteShortcut)
  const isPalette = event.key.toLowerCase() === 'k' && event.ctrlKey !== event.metaKey && !event.altKey
  if (!isPalette) return
  event.preventDefault()
  root.dataset.shortcuts = 'palette'
}
addEventListener('keydown', noteShortcut)

export {}
