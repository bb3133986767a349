import { nameOf } from '@slipway/kube/object'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { type ApplicationParams, paths } from '../../paths'
import { applications } from '../../resources/applications'
import { ButtonLink } from '../../ui/actions/ButtonLink'
import { DefinedButton } from '../../ui/actions/DefinedButton'
import { ContextSwitcher } from '../../ui/page/ContextSwitcher'
import type { Crumb } from '../../ui/page/Page'
import { createApplication } from './actions'

/** Breadcrumbs from the list of applications to one of them, for the pages below it. */
export const applicationCrumbs = (at: ApplicationParams): Crumb[] => [
  { label: 'Applications', to: paths.applications(at) },
  { label: at.application, to: paths.application(at) },
]

/** The name of an application, or a switcher if there are others. */
export function ApplicationSwitcher({ namespace, application }: ApplicationParams) {
  const navigate = useNavigate()
  const { data } = useQuery(applications.list(namespace))
  if (!data || data.items.length < 2) return application
  return (
    <ContextSwitcher
      resourceType="application"
      noun="application"
      selected={{ key: application, name: application }}
      items={data.items
        .map(nameOf)
        .sort()
        .map((name) => ({ key: name, name }))}
      footer={
        <>
          <DefinedButton action={createApplication} at={{ namespace }} variant="link" />{' '}
          <ButtonLink variant="link" to={paths.applications({ namespace })}>
            View applications list
          </ButtonLink>
        </>
      }
      onSelect={({ key }) => void navigate(paths.application({ namespace, application: key }))}
    />
  )
}
