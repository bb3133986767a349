import { paths, pattern } from '../paths'

/** A screen that can be gone to from anywhere: a link of the sidebar, and a line of the palette. */
export interface Screen {
  label: string
  /** `undefined` until a namespace has been selected. */
  to: string | undefined
  /** Its link is current on exactly this path, not below it. */
  isAlone: boolean
  /** The pattern of another path on which its link is current. */
  isCurrentAlsoOn?: string
}

/** In the order of the sidebar. @param namespace the present one, or the last one of this browser */
export const screensOf = (namespace: string | undefined): Screen[] => {
  const at = namespace === undefined ? undefined : { namespace }
  return [
    { label: 'Overview', to: paths.overview(), isAlone: true },
    { label: 'Namespaces', to: paths.namespaces(), isAlone: true },
    {
      label: 'Applications',
      to: at && paths.applications(at),
      isAlone: false,
      isCurrentAlsoOn: pattern(paths.createApplication),
    },
    { label: 'User Access', to: at && paths.access(at), isAlone: false },
  ]
}
