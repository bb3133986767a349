import { nameOf } from '@slipway/kube/object'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from 'react-router'
import { useDisabledReasons } from '../../api/access/use-access'
import { useFlag } from '../../api/flags/flags'
import { logOut } from '../../api/session/session'
import { useStored } from '../../lib/stored'
import { paths } from '../../paths'
import { applications } from '../../resources/applications'
import { componentGroups } from '../../resources/component-groups'
import { namespaces } from '../../resources/namespaces'
import { triggerReleasePermission } from '../../resources/release-plans'
import { usePageActions } from '../../ui/page/page-actions'
import { lastUsedNamespace } from '../../lib/last-used-namespace'
import { screensOf } from '../screens'
import { type Theme, themes, useTheme } from '../theme'
import type { Command } from './commands'
import { show } from './overlay'
import { type Search, useSearch } from './use-search'

/**
 * The commands available here: of this page, of its namespace (or the last used one), and of the whole console.
 * @param term as from `searchTermOf`
 * @param isWide whether to search the namespace on a page of an application too
 */
export function useCommands(term: string, isWide: boolean): Search {
  const navigate = useNavigate()
  const [lastUsed] = useStored(lastUsedNamespace)
  const params = useParams()
  const namespace = params.namespace ?? lastUsed
  const [, setTheme] = useTheme()
  const allActions = usePageActions()
  // Destructive actions come last, so that Enter never runs one by default.
  const actions = [...allActions.filter(({ isDanger }) => !isDanger), ...allActions.filter(({ isDanger }) => isDanger)]
  const screens = screensOf(namespace, useFlag('release-monitor'))
  const [triggerDenial] = useDisabledReasons(namespace === undefined ? [] : [triggerReleasePermission], namespace ?? '')
  const inNamespace = useQuery({ ...applications.list(namespace ?? ''), enabled: Boolean(namespace) })
  const everywhere = useQuery(namespaces.list())
  const { data: hasGroups } = useQuery(componentGroups.served())
  const nounsOf = (is: (query: { isLoading: boolean; isError: boolean }) => boolean) => [
    ...(is(inNamespace) ? ['applications'] : []),
    ...(is(everywhere) ? ['namespaces'] : []),
  ]
  const goTo = (to: string) => () => void navigate(to)
  const search = useSearch(term, namespace, isWide ? undefined : params.application, goTo)
  return {
    ...search,
    commands: [
      ...actions.map(({ label, disabledReason, isWrite, onSelect }): Command => {
        return { id: `action ${label}`, group: 'Actions', label, disabledReason, isWrite, run: onSelect }
      }),
      ...screens.map(({ label, to }): Command => {
        return { id: `screen ${label}`, group: 'Screens', label, ...(to ? { run: goTo(to) } : unreachable) }
      }),
      ...[...ofAllApplications, ...(hasGroups ? ofGroups : [])].map(([label, path]): Command => {
        const reach = namespace === undefined ? unreachable : { run: goTo(path({ namespace })) }
        return { id: `screen ${label}`, group: 'Screens', label, ...reach }
      }),
      {
        id: 'screen Trigger release plan',
        group: 'Screens',
        label: 'Trigger release plan',
        ...(namespace === undefined
          ? unreachable
          : {
              disabledReason: triggerDenial,
              run: goTo(paths.triggerRelease({ namespace })),
            }),
      },
      ...(namespace ? (inNamespace.data?.items ?? []) : []).map((application): Command => {
        const name = nameOf(application)
        const to = paths.application({ namespace: namespace ?? '', application: name })
        return { id: `application ${name}`, group: 'Applications', label: name, run: goTo(to) }
      }),
      ...search.commands,
      ...(everywhere.data?.items ?? []).map((item): Command => {
        const name = nameOf(item)
        return {
          id: `namespace ${name}`,
          group: 'Namespaces',
          label: name,
          run: goTo(paths.applications({ namespace: name })),
        }
      }),
      ...themes.map((theme): Command => {
        return { id: `theme ${theme}`, group: 'Console', label: themeCommands[theme], run: () => setTheme(theme) }
      }),
      {
        id: 'keys',
        group: 'Console',
        label: 'Keyboard shortcuts',
        searchText: 'Keyboard shortcuts help',
        run: () => show('keys'),
      },
      {
        id: 'problem',
        group: 'Console',
        label: 'Report a problem',
        searchText: 'Report a problem help support diagnostics',
        run: () => show('problem'),
      },
      {
        id: 'log out',
        group: 'Console',
        label: 'Log out',
        searchText: 'Log out sign out',
        run: () => void logOut(),
      },
    ],
    loading: [...nounsOf((query) => query.isLoading), ...search.loading],
    missing: [...nounsOf((query) => query.isError), ...search.missing],
  }
}

/** The lists of a namespace that have no link in the sidebar. */
const ofAllApplications = [
  ['Components of all applications', paths.allComponents],
  ['Pipeline runs of all applications', paths.pipelineRuns],
  ['Vulnerabilities of all applications', paths.vulnerabilities],
  ['Policy results of all applications', paths.policy],
  ['Policy dates of all applications', paths.policyDates],
] as const

/** On a cluster that has them. */
const ofGroups = [['Component groups', paths.componentGroups]] as const

const themeCommands: Record<Theme, string> = {
  system: 'System theme',
  light: 'Light theme',
  dark: 'Dark theme',
}

const unreachable: Pick<Command, 'disabledReason' | 'run'> = {
  disabledReason: 'Select a namespace first',
  run: () => undefined,
}
