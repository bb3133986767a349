// Runs before the first paint, so that a dark page never flashes white. The rest of the theme is src/shell/theme.ts.
;(() => {
  let choice = null
  try {
    choice = localStorage.getItem('konflux-theme-preference')
  } catch {
    // Storage may be forbidden; then the system decides.
  }
  const isDark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.classList.toggle('pf-v6-theme-dark', isDark)
})()
