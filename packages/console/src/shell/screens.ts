import { paths, pattern } from '../paths'

/** A screen with a link in the sidebar and an entry in the palette. */
export interface Screen {
  label: string
  /** `undefined` until a namespace has been selected. */
  to: string | undefined
  /** Its link is current only on exactly this path, not below it. */
  isAlone: boolean
  /** The patterns of other paths on which its link is current. */
  isCurrentAlsoOn?: readonly string[]
  /** What fails in the namespace is counted beside its link. */
  hasFailures?: boolean
}

/**
 * In the order of the sidebar.
 * @param namespace the current one, or the last used one
 * @param hasMonitor whether the release monitor is on
 */
export const screensOf = (namespace: string | undefined, hasMonitor: boolean): Screen[] => {
  const at = namespace === undefined ? undefined : { namespace }
  return [
    { label: 'Overview', to: paths.overview(), isAlone: true, isCurrentAlsoOn: [paths.about()] },
    { label: 'Namespaces', to: paths.namespaces(), isAlone: true },
    ...(hasMonitor ? [{ label: 'Release Monitor', to: paths.releaseMonitor(), isAlone: true }] : []),
    {
      label: 'Applications',
      to: at && paths.applications(at),
      isAlone: false,
      hasFailures: true,
      isCurrentAlsoOn: [
        ...[paths.createApplication, paths.allComponents, paths.vulnerabilities].map(pattern),
        // Their pages too.
        ...[paths.pipelineRuns, paths.componentGroups, paths.policy].map((path) => `${pattern(path)}/*`),
      ],
    },
    { label: 'Secrets', to: at && paths.secrets(at), isAlone: false },
    { label: 'Releases', to: at && paths.releaseArea(at), isAlone: false },
    { label: 'User Access', to: at && paths.access(at), isAlone: false },
  ]
}
