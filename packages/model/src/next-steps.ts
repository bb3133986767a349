import { type KubeObject, nameOf, specOf } from '@slipway/kube/object'
import { annotations } from './labels'
import type { PipelineRun } from './runs/pipeline-run'
import {
  buildPipelineState,
  lacksBuildPipeline,
  pullRequestFlowOf,
  pushBuildsByComponent,
} from './builds/build-pipeline-state'
import { type Component, componentsOf } from './builds/component'
import { sourceOf } from './builds/component-source'
import type { IntegrationTestScenario } from './snapshots/integration-test-scenario'
import { enterpriseContractKind } from './snapshots/integration-test-edit'
import { type Release, releaseStatus } from './releases/release'
import type { ReleasePlan } from './releases/release-plan'
import { planConcern } from './releases/triggered-release'

/** What users can do next with an application, in the order of the specification. */
export const nextSteps = [
  'component',
  'integration-test',
  'release-plan',
  'github-app',
  'gitlab-app',
  'code-change',
  'build-pipelines',
] as const
export type NextStep = (typeof nextSteps)[number]

/** How far an application is with a step. */
export type StepState =
  /** Nothing is known that would change the advice. */
  | { is: 'neutral' }
  /** The application has none of what the step creates. */
  | { is: 'missing' }
  /** A pull request adds the build pipeline of a component, and of `others` more. */
  | { is: 'proposed'; component: string; mergeUrl: string | undefined; others: number }
  /** Releases of every plan would fail, the first one for this reason. */
  | { is: 'blocked'; reason: string }
  /** So many components have no build pipeline in their repository. */
  | { is: 'incomplete'; count: number }
  /** The application can be released, and no release has succeeded yet. */
  | { is: 'ready' }
  /** No component needs the step. */
  | { is: 'unneeded' }
  | { is: 'done'; count: number }

export interface NextStepAdvice {
  step: NextStep
  state: StepState
}

/** Lists of a namespace. Those that are not known say nothing: their steps are neutral. */
interface KnownLists {
  components: readonly Component[] | undefined
  /** All runs of the application. */
  runs: readonly PipelineRun[] | undefined
  scenarios: readonly IntegrationTestScenario[] | undefined
  releasePlans: readonly ReleasePlan[] | undefined
  releases: readonly Release[] | undefined
  /** Name of the account that acts for the platform (`botName`). */
  bot: string | undefined
}

/** The steps in the order in which to take them: what the application lacks comes first, what it does not need last. */
export function nextStepsOf(application: string, lists: KnownLists): NextStepAdvice[] {
  const states = statesOf(application, lists)
  const advice = nextSteps.map((step) => ({ step, state: states[step] ?? { is: 'neutral' as const } }))
  return advice.sort((a, b) => ranks[a.state.is] - ranks[b.state.is])
}

const ranks: Record<StepState['is'], number> = {
  missing: 0,
  proposed: 0,
  blocked: 0,
  incomplete: 0,
  ready: 0,
  neutral: 1,
  done: 1,
  unneeded: 2,
}

/** Whether nothing has to be done before the application builds, tests and releases. */
export const lacksNothing = (advice: readonly NextStepAdvice[]): boolean =>
  advice.every(({ state }) => ranks[state.is] > 0)

function statesOf(application: string, lists: KnownLists): Partial<Record<NextStep, StepState>> {
  const isOwn = (one: KubeObject & { spec?: { application?: string } }) =>
    specOf(one).application === application && !one.metadata.deletionTimestamp
  const components = lists.components && componentsOf(lists.components, application)
  // An import adds the check of the enterprise contract by itself.
  const tests = lists.scenarios?.filter((scenario) => isOwn(scenario) && !isEnterpriseContractCheck(scenario))
  const plans = lists.releasePlans?.filter(isOwn)
  return {
    ...(components && statesOfComponents(components, lists)),
    ...(tests && { 'integration-test': countState(tests.length) }),
    ...(plans && { 'release-plan': stateOfPlans(plans) }),
    ...(components && plans && isReady(components, plans, lists.releases) && { 'code-change': { is: 'ready' } }),
  }
}

const isEnterpriseContractCheck = ({ metadata }: IntegrationTestScenario): boolean =>
  metadata.annotations?.[annotations.testKind] === enterpriseContractKind

const countState = (count: number): StepState => (count === 0 ? { is: 'missing' } : { is: 'done', count })

function statesOfComponents(components: Component[], { runs, bot }: KnownLists): Partial<Record<NextStep, StepState>> {
  if (components.length === 0) return { component: { is: 'missing' } }
  const builds = runs && pushBuildsByComponent(runs)
  const states = components.map((component) =>
    buildPipelineState(component, { builds: builds && (builds.get(nameOf(component)) ?? []), bot }),
  )
  const proposed = components.filter(
    (_, index) => states[index] === 'pending' || states[index] === 'configureRequested',
  )
  const without = states.filter(lacksBuildPipeline).length
  const isEveryOneReady = states.every((state) => state === 'ready')
  const providers = components.map((component) => sourceOf(component).gitProvider)
  const isUnneeded = (provider: string) => !providers.includes(undefined) && !providers.some((one) => one === provider)
  const [first] = proposed
  return {
    ...(first && {
      component: {
        is: 'proposed',
        component: nameOf(first),
        mergeUrl: pullRequestFlowOf(first)?.mergeUrl,
        others: proposed.length - 1,
      },
    }),
    ...(isUnneeded('github') && { 'github-app': { is: 'unneeded' } }),
    ...(isUnneeded('gitlab') && { 'gitlab-app': { is: 'unneeded' } }),
    ...(without > 0 && { 'build-pipelines': { is: 'incomplete', count: without } }),
    ...(isEveryOneReady && { 'build-pipelines': { is: 'done', count: components.length } }),
  }
}

function stateOfPlans(plans: ReleasePlan[]): StepState {
  const concerns = plans.map(planConcern)
  const [reason] = concerns
  return reason && concerns.every(Boolean) ? { is: 'blocked', reason } : countState(plans.length)
}

/** Whether a push would be released for the first time. */
const isReady = (components: Component[], plans: ReleasePlan[], releases: readonly Release[] | undefined): boolean =>
  components.length > 0 &&
  stateOfPlans(plans).is === 'done' &&
  releases !== undefined &&
  !releases.some(
    (release) =>
      releaseStatus(release) === 'Succeeded' && plans.some((plan) => nameOf(plan) === specOf(release).releasePlan),
  )
