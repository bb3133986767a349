import { useEffect } from 'react'
import { stored, useStored } from '../lib/stored'
import { useMediaQuery } from '../ui/page/media-query'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** `public/theme.js` reads the same key and sets the same class before the first paint. */
const storedTheme = stored<Theme>(
  'konflux-theme-preference',
  (value) => themes.find((theme) => theme === value) ?? 'system',
)
const darkClass = 'pf-v6-theme-dark'

/** The current theme and its setter. While in use, applies the theme to the page and follows the system if selected. */
export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useStored(storedTheme)
  const isSystemDark = useMediaQuery('(prefers-color-scheme: dark)')
  const isDark = theme === 'dark' || (theme === 'system' && isSystemDark)
  useEffect(() => {
    document.documentElement.classList.toggle(darkClass, isDark)
  }, [isDark])
  return [theme, setTheme]
}
