import {
  Button,
  Card,
  CardBody,
  CardFooter,
  CardHeader,
  CardTitle,
  ExpandableSection,
  Gallery,
  GalleryItem,
  Label,
  Skeleton,
} from '@patternfly/react-core'
import DismissIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-close-icon'
import { botName } from '@slipway/model/builds/build-pipeline-state'
import {
  lacksNothing,
  type NextStep,
  type NextStepAdvice,
  nextSteps,
  nextStepsOf,
  type StepState,
} from '@slipway/model/next-steps'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { useStored } from '../../lib/stored'
import { useFocusWithin } from '../../lib/use-focus-within'
import { type ApplicationParams, paths } from '../../paths'
import { publicInfo } from '../../resources/public-info'
import { ActionButton } from '../../ui/actions/ActionButton'
import { ButtonLink } from '../../ui/actions/ButtonLink'
import { DefinedButton } from '../../ui/actions/DefinedButton'
import { addComponent, manageBuildPipelines } from '../../parts/components/actions'
import { addIntegrationTest } from '../../parts/integration-tests/actions'
import { plural } from '../../parts/graph/node-text'
import { focusHeading } from '../../ui/page/focus-heading'
import { Section } from '../../ui/page/Section'
import { createReleasePlan } from '../../parts/releases/actions'
import { createSecret } from '../../parts/secrets/actions'
import { ExternalLink } from '../../ui/text/ExternalLink'
import { dismissedCards } from './dismissed-cards'
import type { ApplicationParts } from './use-application-parts'
import './whats-next.css'

/** The actions of the cards. */
export const nextStepActions = [addComponent, addIntegrationTest, createReleasePlan, createSecret, manageBuildPipelines]

interface NextStepCard {
  title: string
  /** Depends on how far the application is with the step. */
  text: (state: StepState, at: ApplicationParams) => ReactNode
  action: (at: ApplicationParams) => ReactNode
}

const cards: Record<NextStep, NextStepCard> = {
  component: {
    title: 'Grow your application',
    text(state) {
      if (state.is === 'missing') return 'Add the first component, which is built from its own git repository.'
      if (state.is === 'proposed') return <Proposal {...state} />
      return 'Add another component, which is built from its own git repository.'
    },
    action: (at) => <DefinedButton action={addComponent} at={at} variant="secondary" />,
  },
  'integration-test': {
    title: 'Add integration tests',
    text(state) {
      if (state.is === 'missing')
        return 'There is no integration test of your own yet. Test the components together after every build.'
      if (state.is === 'done')
        return `There ${are(state.count, 'integration test')} of your own. Add another one to test more.`
      return 'Test the components together after every build, in a pipeline of your own.'
    },
    action: (at) => <DefinedButton action={addIntegrationTest} at={at} variant="secondary" />,
  },
  'release-plan': {
    title: 'Create a release plan',
    text(state, { namespace }) {
      const what = 'Define where and how snapshots of this application are released.'
      if (state.is === 'missing') return `There is no release plan yet. ${what}`
      if (state.is === 'done')
        return `There ${are(state.count, 'release plan')}. Create another one to release elsewhere.`
      if (state.is !== 'blocked') return what
      return (
        <>
          {state.reason} <Link to={paths.releasePlans({ namespace })}>Release plans</Link>
        </>
      )
    },
    action: (at) => <DefinedButton action={createReleasePlan} at={at} variant="secondary" />,
  },
  'github-app': {
    title: 'Install our GitHub app',
    text: ({ is }) =>
      is === 'unneeded'
        ? 'No component is on GitHub yet. There, the app starts builds and reports their results in pull requests.'
        : 'On GitHub, the app starts builds and reports their results in pull requests.',
    action: () => <InstallGithubApp />,
  },
  'gitlab-app': {
    title: 'Install our GitLab app',
    text: ({ is }) =>
      is === 'unneeded'
        ? 'No component is on GitLab yet. There, the platform uses an access token that you store in a source secret.'
        : 'On GitLab, the platform uses an access token that you store in a source secret.',
    action: (at) => <DefinedButton action={createSecret} at={at} variant="secondary" />,
  },
  'code-change': {
    title: 'Make a code change',
    text: ({ is }) =>
      is === 'ready'
        ? 'Everything is ready for a release. Push a commit, and watch it being built, tested and released.'
        : 'Push a commit or open a pull request, and watch it being built and tested.',
    action: (at) => (
      <ButtonLink variant="secondary" to={paths.activityTab({ ...at, activityTab: 'latest-commits' })}>
        View latest commits
      </ButtonLink>
    ),
  },
  'build-pipelines': {
    title: 'Manage build pipelines',
    text(state) {
      if (state.is === 'done') return 'Every component has its build pipeline in its repository. Change it there.'
      if (state.is === 'incomplete')
        return `${plural(state.count, 'component')} ${state.count === 1 ? 'has' : 'have'} no build pipeline in the repository. Add it there, to change it.`
      return 'Add the build pipelines to the repositories of the components, to change them there.'
    },
    action: (at) => <DefinedButton action={manageBuildPipelines} at={at} variant="secondary" />,
  },
}

const are = (count: number, noun: string) => `${count === 1 ? 'is' : 'are'} ${plural(count, noun)}`

/**
 * What to do with an application, what it lacks first; one line if it lacks nothing. Users dismiss what they know, for
 * each application.
 * @param parts the cards appear once all parts are read or have failed, and not one by one: before, an application that
 *   has everything would look like a new one. Without the components, only the section above says what has failed.
 */
export function WhatsNext({ at, parts }: { at: ApplicationParams; parts: ApplicationParts }) {
  const { namespace, application } = at
  const [preference] = useState(() => dismissedCards(namespace, application))
  const [dismissed, setDismissed] = useStored(preference)
  const [list, setList] = useState<HTMLElement | null>(null)
  const info = useQuery(publicInfo.get())
  const isFocused = useFocusWithin(list)
  const [order, setOrder] = useState<readonly NextStep[]>()
  const [isFoldable, setIsFoldable] = useState<boolean>()
  const [isUnfolded, setIsUnfolded] = useState<boolean>()
  const isSettled = order !== undefined || (areSettled(parts) && !info.isPending)
  const advice = isSettled ? adviceFor(application, parts, botName(info.data)) : []
  const advised = advice.map(({ step }) => step)
  const isComplete = lacksNothing(advice)
  // What is completed before the user's eyes is not taken away: the cards are folded on the next visit.
  if (isSettled && isFoldable === undefined) setIsFoldable(isComplete)
  // A card loses the focus when it moves.
  if (isSettled && !isFocused && advised.join() !== order?.join()) setOrder(advised)
  const states = new Map(advice.map(({ step, state }) => [step, state]))
  const shown = (order ?? nextSteps).flatMap((step) => {
    const state = states.get(step)
    return state && !dismissed.includes(step) ? { id: step, state, ...cards[step] } : []
  })
  if (!isSettled && nextSteps.some((step) => !dismissed.includes(step))) {
    return (
      <Section title="What's next?">
        <Skeleton height="150px" screenreaderText="Loading what is next" />
      </Section>
    )
  }
  if (shown.length === 0 || !parts.component.rows) return null
  const dismiss = (id: NextStep) => {
    const index = shown.findIndex((card) => card.id === id)
    const neighbor = shown[index + 1] ?? shown[index - 1]
    // The button is about to be removed.
    if (neighbor) list?.querySelector<HTMLElement>(`[data-dismisses=${neighbor.id}]`)?.focus()
    else focusHeading()
    setDismissed([...dismissed, id])
  }
  const gallery = (
    <div ref={setList}>
      <Gallery component="ul" hasGutter minWidths={{ default: '100%', md: '18rem' }} className="slipway-whats-next">
        {shown.map(({ id, state, title, text, action }) => (
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
              <CardBody>
                {state.is === 'done' && (
                  <>
                    <Label isCompact status="success">
                      Done
                    </Label>{' '}
                  </>
                )}
                {text(state, at)}
              </CardBody>
              <CardFooter>{action(at)}</CardFooter>
            </Card>
          </GalleryItem>
        ))}
      </Gallery>
    </div>
  )
  const isOpen = isUnfolded ?? !isComplete
  return (
    <Section title="What's next?">
      {isFoldable ? (
        <ExpandableSection
          toggleText={`${isComplete ? 'Nothing is missing. ' : ''}${plural(shown.length, 'suggestion')}`}
          isExpanded={isOpen}
          onToggle={(_, willOpen) => setIsUnfolded(willOpen)}
        >
          {isOpen && gallery}
        </ExpandableSection>
      ) : (
        gallery
      )}
    </Section>
  )
}

const areSettled = ({ component, run, scenario, plan, release }: ApplicationParts): boolean =>
  !run.more?.isLoading && [component, run, scenario, plan, release].every(({ rows, error }) => rows ?? error)

const adviceFor = (
  application: string,
  { component, allRuns, scenario, plan, release }: ApplicationParts,
  bot: string,
): readonly NextStepAdvice[] =>
  nextStepsOf(application, {
    components: component.rows,
    runs: allRuns,
    scenarios: scenario.rows,
    releasePlans: plan.rows,
    releases: release.rows,
    bot,
  })

/** Says which pull request has to be merged before anything else. */
function Proposal({ component, mergeUrl, others }: Extract<StepState, { is: 'proposed' }>) {
  const whose = others > 0 ? `${component} and ${others} more` : component
  if (!mergeUrl)
    return `The platform is sending a pull request with the build pipeline of ${whose}. Merge it to start the first build.`
  return (
    <>
      Merge the <ExternalLink href={mergeUrl}>pull request with the build pipeline</ExternalLink> of {whose} to start
      the first build.
    </>
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
