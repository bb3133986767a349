import { Button, Card, CardBody, CardFooter, CardHeader, CardTitle, Gallery, GalleryItem } from '@patternfly/react-core'
import DismissIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-close-icon'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import { disabledReason, useAccess } from '../../api/access/access'
import { useStored } from '../../lib/stored'
import { useKeyed } from '../../lib/use-keyed'
import { type ApplicationParams, paths } from '../../paths'
import { publicInfo } from '../../resources/public-info'
import { createSecretChecks } from '../../resources/secrets'
import { ActionButton } from '../../ui/actions/ActionButton'
import { ButtonLink } from '../../ui/actions/ButtonLink'
import { AddComponentButton } from '../../ui/components/AddComponentButton'
import { ManageBuildPipelinesButton } from '../../ui/components/ManageBuildPipelinesButton'
import { AddIntegrationTestButton } from '../../ui/integration-tests/AddIntegrationTestButton'
import { focusHeading } from '../../ui/page/focus-heading'
import { Section } from '../../ui/page/Section'
import { CreateReleasePlanButton } from '../../ui/releases/CreateReleasePlanButton'
import { ExternalLink } from '../../ui/text/ExternalLink'
import { dismissedCards, type NextStep } from './dismissed-cards'
import './whats-next.css'

interface NextStepCard {
  id: NextStep
  title: string
  text: string
  action: (at: ApplicationParams) => ReactNode
}

const cards: readonly NextStepCard[] = [
  {
    id: 'component',
    title: 'Grow your application',
    text: 'Add another component, which is built from its own git repository.',
    action: (at) => <AddComponentButton at={at} variant="secondary" />,
  },
  {
    id: 'integration-test',
    title: 'Add integration tests',
    text: 'Test the components together after every build, in a pipeline of your own.',
    action: (at) => <AddIntegrationTestButton at={at} variant="secondary" />,
  },
  {
    id: 'release-plan',
    title: 'Create a release plan',
    text: 'Define where and how snapshots of this application are released.',
    action: (at) => <CreateReleasePlanButton namespace={at.namespace} variant="secondary" />,
  },
  {
    id: 'github-app',
    title: 'Install our GitHub app',
    text: 'On GitHub, the app starts builds and reports their results in pull requests.',
    action: () => <InstallGithubApp />,
  },
  {
    id: 'gitlab-app',
    title: 'Install our GitLab app',
    text: 'On GitLab, the platform uses an access token that you store in a source secret.',
    action: (at) => <AddSecret {...at} />,
  },
  {
    id: 'code-change',
    title: 'Make a code change',
    text: 'Push a commit or open a pull request, and watch it being built and tested.',
    action: (at) => (
      <ButtonLink variant="secondary" to={paths.activityTab({ ...at, activityTab: 'latest-commits' })}>
        View latest commits
      </ButtonLink>
    ),
  },
  {
    id: 'build-pipelines',
    title: 'Manage build pipelines',
    text: 'Add the build pipelines to the repositories of the components, to change them there.',
    action: (at) => <ManageBuildPipelinesButton at={at} />,
  },
]

/** What to do with a new application. Users dismiss what they know, for each application. */
export function WhatsNext({ at }: { at: ApplicationParams }) {
  const { namespace, application } = at
  const preference = useKeyed(`${namespace}/${application}`, () => dismissedCards(namespace, application))
  const [dismissed, setDismissed] = useStored(preference)
  const list = useRef<HTMLDivElement>(null)
  const shown = cards.filter(({ id }) => !dismissed.includes(id))
  if (shown.length === 0) return null
  const dismiss = (id: NextStep) => {
    const index = shown.findIndex((card) => card.id === id)
    const neighbor = shown[index + 1] ?? shown[index - 1]
    // The button is about to be removed.
    if (neighbor) list.current?.querySelector<HTMLElement>(`[data-dismisses=${neighbor.id}]`)?.focus()
    else focusHeading()
    setDismissed([...dismissed, id])
  }
  return (
    <Section title="What's next?">
      <div ref={list}>
        <Gallery component="ul" hasGutter minWidths={{ default: '100%', md: '18rem' }} className="slipway-whats-next">
          {shown.map(({ id, title, text, action }) => (
            <GalleryItem key={id} component="li">
              <Card isFullHeight isCompact>
                <CardHeader
                  actions={{
                    hasNoOffset: true,
                    actions: (
                      <Button
                        variant="plain"
                        size="sm"
                        icon={<DismissIcon />}
                        aria-label={`Dismiss ${title}`}
                        data-dismisses={id}
                        onClick={() => dismiss(id)}
                      />
                    ),
                  }}
                >
                  <CardTitle component="h3">{title}</CardTitle>
                </CardHeader>
                <CardBody>{text}</CardBody>
                <CardFooter>{action(at)}</CardFooter>
              </Card>
            </GalleryItem>
          ))}
        </Gallery>
      </div>
    </Section>
  )
}

function InstallGithubApp() {
  const { data } = useQuery(publicInfo.get())
  const label = 'Install GitHub app'
  if (data?.githubAppUrl) return <ExternalLink href={data.githubAppUrl}>{label}</ExternalLink>
  return (
    <ActionButton
      variant="secondary"
      disabledReason={data ? 'This platform has no GitHub app' : 'The address of the GitHub app is not known'}
    >
      {label}
    </ActionButton>
  )
}

function AddSecret({ namespace }: ApplicationParams) {
  const mayCreate = useAccess(createSecretChecks(namespace))
  return (
    <ActionButton
      variant="secondary"
      to={paths.createSecret({ namespace })}
      disabledReason={disabledReason(mayCreate, "You don't have access to create a secret")}
    >
      Add secret
    </ActionButton>
  )
}
