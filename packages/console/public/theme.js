// Runs before the first paint, so that a dark page never flashes white. The rest of the theme is src/shell/theme.ts.
;(() => {
  const root = document.documentElement
  let choice = null
  try {
    choice = localStorage.getItem(`${root.dataset.path ?? ''}konflux-theme-preference`)
  } catch {
    // Storage may be forbidden; then the system decides.
  }
  const isDark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  root.classList.toggle('pf-v6-theme-dark', isDark)
})()
