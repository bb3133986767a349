import { nameOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import type { Release } from '@slipway/model/releases/release'
import type { ReleasePlan } from '@slipway/model/releases/release-plan'
import { type Nudge, nudgeConfigType } from '@slipway/model/builds/nudge-config'
import { snapshotType, type Snapshot } from '@slipway/model/snapshots/snapshot'
import { aRelease } from '@slipway/model/testing'
import { aNudgeConfig } from '@slipway/model/testing/build-services'
import { sanitizeLabelValue } from '@slipway/model/releases/release-author'
import { changeFrom, teamOf } from '../git-host/people'
import { push } from '../git-host/repository'
import { settings } from '../git-host/store'
import { isPromotable } from '../integration/promotion'
import { testConditions, withConditions } from '../integration/test-conditions'
import { nameSuffix } from '../keyed-random'
import { automaticReleaseFor } from '../release/automatic-release-for'
import { timestamp } from '../tekton/task-run-status'
import { playChanges, repositorySeeds, type ChangePlan, type ManualReleasePlan } from './changes'
import { createHistory } from './history'
import { namespacePullSeeds, withPlannedLinks, type LinkPlan } from './links'
import { playRelease } from './past-release'
import { createProject, projectSeeds, type Project, type ProjectPlan, type Repositories } from './project'
import type { ReleaseSetup } from './release-setup'
import { seed, type ArchivedSeeds, type ScenarioContext, type Seed } from './scenario'

/** Without pods, since those are most of the objects of a run. */
const defaultWhereabouts = 'cluster-without-pods'

/** A namespace, its applications and the changes to them. */
export interface TeamPlan {
  namespace: string
  projects: ProjectPlan[]
  changes: ChangePlan[]
  /** Components with a push at the current time. */
  presentChanges?: string[]
  /** Whether there is no simulated activity. */
  isQuiet?: boolean
  /** Secrets that are linked to builds, in addition to those of images. */
  links?: LinkPlan[]
  /** Its relationships, in place of those that components name themselves. */
  nudges?: Nudge[]
}

const isAutomatic = ({ plan }: ReleaseSetup) => plan.metadata.labels?.[labels.autoRelease] === 'true'

const defaultNotes = {
  synopsis: 'Faster responses and two bug fixes',
  topic: 'An update is available.',
  description: 'This update makes the service respond faster.',
  solution: 'Update to the newest image.',
  references: ['https://docs.slipway.test/releases'],
  issues: { fixed: [{ id: 'PAY-1042', source: 'issues.slipway.test' }] },
}

/** A release as the console creates it. */
function manualRelease(
  { metadata, spec }: ReleasePlan,
  snapshot: Snapshot,
  { notes, gracePeriodDays }: ManualReleasePlan,
  key: string,
  { world, users }: ScenarioContext,
): Release {
  const prefix = `${metadata.name ?? ''}-`
  const cves = [{ key: 'CVE-2026-10001', component: snapshot.spec.components?.[0]?.name ?? '', packages: ['openssl'] }]
  return aRelease({
    metadata: {
      name: `${prefix}${nameSuffix(world.random(`release by hand ${nameOf(snapshot)} ${key}`))}`,
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
      data: { releaseNotes: notes ?? { ...defaultNotes, cves } },
      ...(gracePeriodDays !== undefined && { gracePeriodDays }),
    },
  })
}

/** Computes the current state of a team from its plan. */
export function playProjects(
  { namespace, projects: plans, changes, presentChanges = [], isQuiet = false, links = [], nudges }: TeamPlan,
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
    if (!project || !component || !repository) throw new Error(`No component ${name} in ${namespace}.`)
    return { project, component, repository }
  }

  /** Adds a snapshot with its automatic and manual releases. */
  function addSnapshot(project: Project, plan: ChangePlan, { snapshot, endMs }: { snapshot: Snapshot; endMs: number }) {
    const { where = defaultWhereabouts, releaseOutcomes: outcomes, releasedBy = [] } = plan
    const isPassed = isPromotable(snapshot)
    const setups = isPassed ? project.releases.filter((setup) => isAutomatic(setup)) : []
    const message =
      setups.length > 0
        ? 'The Snapshot was auto-released'
        : "Skipping auto-release of the Snapshot because no ReleasePlans have the 'auto-release' label set to 'true'"
    const updates = isPassed ? testConditions.autoReleased(message) : []
    history.add(seed(snapshotType, withConditions(snapshot, updates, timestamp(endMs + 1_000))))
    for (const setup of setups) {
      const release = automaticReleaseFor(setup.plan, snapshot, context.world.random)
      playRelease({ ...setup, release, snapshot, startMs: endMs + 2_000, outcomes, where }, history, context)
    }
    for (const [index, manual] of releasedBy.entries()) {
      if (!isPassed) break
      const setup = project.releases.find(({ plan: { metadata } }) => metadata.name === manual.plan)
      if (!setup) throw new Error(`No release plan ${manual.plan} in ${namespace} for ${nameOf(snapshot)}.`)
      const release = manualRelease(setup.plan, snapshot, manual, `${manual.plan} ${index}`, context)
      const startMs = endMs + (index + 1) * 600_000
      playRelease({ outcomes, where, ...manual, ...setup, release, snapshot, startMs }, history, context)
    }
  }

  for (const { component, repository, event, plan } of playChanges(changes, find, context)) {
    const { project } = find(nameOf(component))
    const { where = defaultWhereabouts, outcomes } = plan
    const { tested } = history.build(project, { component, repository, event, outcomes, where })
    if (tested) addSnapshot(project, plan, tested)
  }
  for (const name of presentChanges) {
    const { repository } = find(name)
    const random = context.world.random(`present change ${namespace}/${name}`)
    const signature = { author: teamOf(random)[0], time: timestamp(context.nowMs) }
    // The event is not delivered yet, so controllers build it next.
    push(repository, repository.defaultBranch, { title: changeFrom(random).title, ...signature })
  }
  return {
    seeds: [
      ...projects.flatMap(projectSeeds).map((each) => withPlannedLinks(each, links)),
      ...namespacePullSeeds(namespace, context),
      ...(nudges && context.platform !== 'legacy'
        ? [seed(nudgeConfigType, aNudgeConfig({ metadata: { namespace }, spec: { nudges } }))]
        : []),
      ...repositorySeeds(repositories.values(), context, isQuiet ? { [settings.activity]: 'off' } : {}),
      ...history.seeds,
    ],
    archived: history.archived,
  }
}
