import { useEffect, useState } from 'react'
import { useMediaQuery } from '../ui/media-query'

/** `public/theme.js` reads the same key and sets the same class before the first paint. */
const storageKey = 'konflux-theme-preference'
const darkClass = 'pf-v6-theme-dark'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** The chosen theme and how to choose another; while used, the page wears it and follows the system if told so. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(() => themeOf(localStorage.getItem(storageKey)))
  const isSystemDark = useMediaQuery('(prefers-color-scheme: dark)')
  const isDark = theme === 'dark' || (theme === 'system' && isSystemDark)
  useEffect(() => {
    document.documentElement.classList.toggle(darkClass, isDark)
  }, [isDark])
  const choose = (next: Theme) => {
    localStorage.setItem(storageKey, next)
    setTheme(next)
  }
  return [theme, choose]
}

const themeOf = (stored: string | null): Theme => themes.find((theme) => theme === stored) ?? 'system'
