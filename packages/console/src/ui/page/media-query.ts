import { useStore } from '../../lib/store'
import { useKeyed } from '../../lib/use-keyed'

/** Whether a media query matches now; the component is rendered again when that changes. */
export function useMediaQuery(query: string): boolean {
  const store = useKeyed(query, () => ({
    subscribe(onChange: () => void) {
      const list = matchMedia(query)
      list.addEventListener('change', onChange)
      return () => list.removeEventListener('change', onChange)
    },
    get: () => matchMedia(query).matches,
  }))
  return useStore(store)
}
