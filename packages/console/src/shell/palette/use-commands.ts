import { nameOf } from '@slipway/kube/object'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from 'react-router'
import { useStored } from '../../lib/stored'
import { paths } from '../../paths'
import { applications } from '../../resources/applications'
import { namespaces } from '../../resources/namespaces'
import { usePageActions } from '../../ui/page-actions'
import { lastUsedNamespace } from '../last-used-namespace'
import { screensOf } from '../screens'
import type { Command } from './commands'

interface Commands {
  commands: Command[]
  /** What is still on its way. */
  loading: string[]
  /** What could not be read, as in 'Unable to load namespaces'. */
  missing: string[]
}

/** What can be gone to and done from here: on this page, in its namespace (or the last one), and everywhere. */
export function useCommands(): Commands {
  const navigate = useNavigate()
  const [lastUsed] = useStored(lastUsedNamespace)
  const namespace = useParams().namespace ?? lastUsed
  const allActions = usePageActions()
  // Nothing that destroys is the first thing that Enter does.
  const actions = [...allActions.filter(({ isDanger }) => !isDanger), ...allActions.filter(({ isDanger }) => isDanger)]
  const screens = screensOf(namespace)
  const inNamespace = useQuery({ ...applications.list(namespace ?? ''), enabled: Boolean(namespace) })
  const everywhere = useQuery(namespaces.list())
  const things = (is: (query: { isLoading: boolean; isError: boolean }) => boolean) => [
    ...(is(inNamespace) ? ['applications'] : []),
    ...(is(everywhere) ? ['namespaces'] : []),
  ]
  const goTo = (to: string) => () => void navigate(to)
  return {
    commands: [
      ...actions.map(({ label, disabledReason, isWrite, onSelect }): Command => {
        return { id: `action ${label}`, group: 'Actions', label, disabledReason, isWrite, run: onSelect }
      }),
      ...screens.map(({ label, to }): Command => {
        return { id: `screen ${label}`, group: 'Screens', label, ...(to ? { run: goTo(to) } : unreachable) }
      }),
      ...(namespace ? (inNamespace.data?.items ?? []) : []).map((application): Command => {
        const name = nameOf(application)
        const to = paths.application({ namespace: namespace ?? '', application: name })
        return { id: `application ${name}`, group: 'Applications', label: name, run: goTo(to) }
      }),
      ...(everywhere.data?.items ?? []).map((item): Command => {
        const name = nameOf(item)
        return {
          id: `namespace ${name}`,
          group: 'Namespaces',
          label: name,
          run: goTo(paths.applications({ namespace: name })),
        }
      }),
    ],
    loading: things((query) => query.isLoading),
    missing: things((query) => query.isError),
  }
}

const unreachable: Pick<Command, 'disabledReason' | 'run'> = {
  disabledReason: 'Select a namespace first',
  run: () => undefined,
}
