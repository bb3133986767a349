import { nameOf } from '@slipway/kube/object'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from 'react-router'
import { paths, type ApplicationParams } from '../../paths'
import { applications } from '../../resources/applications'
import { ButtonLink } from '../ButtonLink'
import { ContextSwitcher } from '../ContextSwitcher'
import type { Crumb } from '../Page'
import { CreateApplicationButton } from './CreateApplicationButton'

/**
 * The way from the list of applications to this one, for the pages of an application.
 * @param isPage this is the page of the application itself, and not one below it
 */
export const applicationCrumbs = (at: ApplicationParams, { isPage = false } = {}): Crumb[] => [
  { label: 'Applications', to: paths.applications(at) },
  { label: at.application, content: <ApplicationSwitcher {...at} isPage={isPage} /> },
]

/** The name of an application, with a choice of others where there are some. */
function ApplicationSwitcher({ namespace, application, isPage }: ApplicationParams & { isPage: boolean }) {
  const navigate = useNavigate()
  const { data } = useQuery(applications.list(namespace))
  const here = paths.application({ namespace, application })
  const name = isPage ? application : <Link to={here}>{application}</Link>
  if (!data || data.items.length < 2) return name
  return (
    <span className="slipway-application-switcher">
      {!isPage && name}
      <ContextSwitcher
        resourceType="application"
        thing="application"
        selected={{ key: application, name: application }}
        items={data.items
          .map(nameOf)
          .sort()
          .map((name) => ({ key: name, name }))}
        footer={
          <>
            <CreateApplicationButton namespace={namespace} variant="link" />{' '}
            <ButtonLink variant="link" to={paths.applications({ namespace })}>
              View applications list
            </ButtonLink>
          </>
        }
        onSelect={({ key }) => void navigate(paths.application({ namespace, application: key }))}
      />
    </span>
  )
}
