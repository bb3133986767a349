import { nameOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import type { Release } from '@slipway/model/supply-chain/release'
import type { ReleasePlan } from '@slipway/model/supply-chain/release-plan'
import { snapshotType, type Snapshot } from '@slipway/model/supply-chain/snapshot'
import { aRelease } from '@slipway/model/testing'
import { changeFrom, teamOf } from '../git-host/people'
import { push } from '../git-host/repository'
import { settings } from '../git-host/store'
import { isPromotable } from '../integration/promotion'
import { testConditions, withConditions } from '../integration/test-conditions'
import { nameSuffix } from '../keyed-random'
import { sanitizeLabelValue } from '../release/author-label'
import { automaticReleaseFor } from '../release/automatic-release-for'
import { timestamp } from '../tekton/task-run-status'
import { playChanges, repositorySeeds, type ChangePlan, type ManualReleasePlan } from './changes'
import { createHistory } from './history'
import { namespacePullSeeds, withPlannedLinks, type LinkPlan } from './links'
import { playRelease } from './past-release'
import { createProject, projectSeeds, type Project, type ProjectPlan, type Repositories } from './project'
import type { ReleaseSetup } from './release-setup'
import { seed, type ArchivedSeeds, type ScenarioContext, type Seed } from './scenario'

/** Pods are the most of what a run leaves. */
const usualWhereabouts = 'cluster-without-pods'

/** A namespace: its applications, and what was done in them. */
export interface TeamPlan {
  namespace: string
  projects: ProjectPlan[]
  changes: ChangePlan[]
  /** Components to which somebody pushes at this very moment. */
  presentChanges?: string[]
  /** Nobody works there by themselves. */
  isQuiet?: boolean
  /** Secrets that are linked to builds, besides those of images. */
  links?: LinkPlan[]
}

const isAutomatic = ({ plan }: ReleaseSetup) => plan.metadata.labels?.[labels.autoRelease] === 'true'

const usualNotes = {
  synopsis: 'Faster answers, and two mistakes less',
  topic: 'An update is available.',
  description: 'This update makes the service answer faster.',
  solution: 'Update to the newest image.',
  references: ['https://docs.slipway.test/releases'],
  issues: { fixed: [{ id: 'PAY-1042', source: 'issues.slipway.test' }] },
}

/** As the console makes it. */
function releaseByHand(
  { metadata, spec }: ReleasePlan,
  snapshot: Snapshot,
  { notes, gracePeriodDays }: ManualReleasePlan,
  key: string,
  { world, users }: ScenarioContext,
): Release {
  const head = `${metadata.name ?? ''}-`
  const cves = [{ key: 'CVE-2026-10001', component: snapshot.spec.components?.[0]?.name ?? '', packages: ['openssl'] }]
  return aRelease({
    metadata: {
      name: `${head}${nameSuffix(world.random(`release by hand ${nameOf(snapshot)} ${key}`))}`,
      namespace: metadata.namespace,
      labels: {
        [labels.application]: spec.application,
        [labels.automated]: 'false',
        [labels.author]: sanitizeLabelValue(users.admin),
      },
    },
    spec: {
      releasePlan: metadata.name,
      snapshot: nameOf(snapshot),
      data: { releaseNotes: notes ?? { ...usualNotes, cves } },
      ...(gracePeriodDays !== undefined && { gracePeriodDays }),
    },
  })
}

/** All that has come of the plan of a team until now. */
export function playProjects(
  { namespace, projects: plans, changes, presentChanges = [], isQuiet = false, links = [] }: TeamPlan,
  context: ScenarioContext,
): { seeds: Seed[]; archived: ArchivedSeeds[] } {
  const repositories: Repositories = new Map()
  const projects = plans.map((plan) => createProject(namespace, plan, repositories, context))
  const history = createHistory(context)
  const located = new Map(
    plans.flatMap(({ components = [] }) => components.map((each) => [each.name, each.repository])),
  )
  const find = (name: string) => {
    const project = projects.find(({ components }) => components.some((each) => nameOf(each) === name))
    const component = project?.components.find((each) => nameOf(each) === name)
    const repository = repositories.get(located.get(name) ?? '')
    if (!project || !component || !repository) throw new Error(`There is no component ${name} in ${namespace}.`)
    return { project, component, repository }
  }

  /** What becomes of a snapshot: it is released by itself, by somebody, or not at all. */
  function follow(project: Project, plan: ChangePlan, { snapshot, endMs }: { snapshot: Snapshot; endMs: number }) {
    const { where = usualWhereabouts, releaseOutcomes: outcomes, releasedBy = [] } = plan
    const isPassed = isPromotable(snapshot)
    const setups = isPassed ? project.releases.filter((setup) => isAutomatic(setup)) : []
    const message =
      setups.length > 0
        ? 'The Snapshot was auto-released'
        : "Skipping auto-release of the Snapshot because no ReleasePlans have the 'auto-release' label set to 'true'"
    const statements = isPassed ? testConditions.autoReleased(message) : []
    history.add(seed(snapshotType, withConditions(snapshot, statements, timestamp(endMs + 1_000))))
    for (const setup of setups) {
      const release = automaticReleaseFor(setup.plan, snapshot, context.world.random)
      playRelease({ ...setup, release, snapshot, startMs: endMs + 2_000, outcomes, where }, history, context)
    }
    for (const [index, manual] of releasedBy.entries()) {
      if (!isPassed) break
      const chosen = project.releases.find(({ plan: { metadata } }) => metadata.name === manual.plan)
      if (!chosen) throw new Error(`Nothing in ${namespace} releases ${nameOf(snapshot)} by ${manual.plan}.`)
      const release = releaseByHand(chosen.plan, snapshot, manual, `${manual.plan} ${index}`, context)
      const startMs = endMs + (index + 1) * 600_000
      playRelease({ outcomes, where, ...manual, ...chosen, release, snapshot, startMs }, history, context)
    }
  }

  for (const { component, repository, event, plan } of playChanges(changes, find, context)) {
    const { project } = find(nameOf(component))
    const { where = usualWhereabouts, outcomes } = plan
    const { tested } = history.build(project, { component, repository, event, outcomes, where })
    if (tested) follow(project, plan, tested)
  }
  for (const name of presentChanges) {
    const { repository } = find(name)
    const random = context.world.random(`present change ${namespace}/${name}`)
    const by = { author: teamOf(random)[0], time: timestamp(context.nowMs) }
    // Nobody has been told of it: what follows is what happens next.
    push(repository, repository.defaultBranch, { title: changeFrom(random).title, ...by })
  }
  return {
    seeds: [
      ...projects.flatMap(projectSeeds).map((each) => withPlannedLinks(each, links)),
      ...namespacePullSeeds(namespace, context),
      ...repositorySeeds(repositories.values(), context, isQuiet ? { [settings.activity]: 'off' } : {}),
      ...history.seeds,
    ],
    archived: history.archived,
  }
}
