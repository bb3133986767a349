// Runs before the first paint, so that a dark page never flashes white. The rest of the theme is src/shell/theme.ts.
;(() => {
  let choice = ''
  try {
    // A plain word, or a JSON string.
    choice = (localStorage.getItem('konflux-theme-preference') || '').replaceAll('"', '')
  } catch {
    // Storage may be forbidden; then the system decides.
  }
  const isDark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.classList.toggle('pf-v6-theme-dark', isDark)
})()
