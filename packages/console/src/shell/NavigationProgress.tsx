import { useNavigation } from 'react-router'

/** A thin line at the top while the next page is on its way; a quick one never shows it. */
export function NavigationProgress() {
  const { state } = useNavigation()
  return state === 'idle' ? null : <div role="progressbar" aria-label="Loading page" className="slipway-progress" />
}
