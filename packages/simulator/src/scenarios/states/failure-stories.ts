import { nameOf } from '@slipway/kube/object'
import { changeFrom, people } from '../../git-host/people'
import { hexDigits, pick } from '../../keyed-random'
import type { Outcome } from '../../tekton/outcome'
import { timestamp } from '../../tekton/task-run-status'
import { settings } from '../../git-host/store'
import { repositorySeeds } from '../changes'
import { createHistory } from '../history'
import { createProject, projectSeeds, type ProjectPlan, repositoryOf, type Repositories } from '../project'
import type { ScenarioContext, Seed } from '../scenario'

/** Failures that several runs share: an outage of the git host, and a task that fails now and then. */
export const failureStoriesNamespace = 'team-reliability'

const hourMs = 3_600_000
const components = ['alert-router', 'incident-cli', 'pager', 'status-page'] as const
type ComponentName = (typeof components)[number]

const addressOf = (component: string): string => `github.com/reliability/${component}`

const project: ProjectPlan = {
  name: 'incident-tools',
  displayName: 'Incident tools',
  components: components.map((name) => ({ name, repository: addressOf(name) })),
}

/** A build of a commit, and the builds of the same commit that followed it. */
interface CommitStory {
  component: ComponentName
  hoursAgo: number
  /** Outcomes of one task in each of the builds, half an hour apart; all others succeed. */
  task?: string
  outcomes: Outcome[]
}

const clone = 'clone-repository'
const prefetch = 'prefetch-dependencies'

const stories: CommitStory[] = [
  ...components.map((component, index): CommitStory => ({
    component,
    hoursAgo: 90 - index,
    outcomes: ['success'],
  })),
  // The outage: all builds of two hours fail, and those that were retried later succeed.
  { component: 'alert-router', hoursAgo: 51, task: clone, outcomes: ['fail', 'fail', 'fail', 'fail', 'success'] },
  { component: 'incident-cli', hoursAgo: 50.7, task: clone, outcomes: ['fail', 'fail', 'fail', 'success'] },
  { component: 'pager', hoursAgo: 50.4, task: clone, outcomes: ['fail', 'fail', 'fail', 'success'] },
  { component: 'status-page', hoursAgo: 49.6, task: clone, outcomes: ['fail'] },
  // The flaky task.
  { component: 'status-page', hoursAgo: 40, task: prefetch, outcomes: ['fail', 'success'] },
  { component: 'pager', hoursAgo: 30, task: prefetch, outcomes: ['fail', 'success'] },
  { component: 'status-page', hoursAgo: 20, task: prefetch, outcomes: ['fail', 'fail', 'success'] },
  // The change that broke a build: the last green one is of another commit.
  { component: 'pager', hoursAgo: 3, task: 'build-container', outcomes: ['fail'] },
]

export function* failureStories(context: ScenarioContext): Iterable<Seed> {
  const repositories: Repositories = new Map()
  const { nowMs, world } = context
  const {
    application,
    components: created,
    scenarios,
    ...rest
  } = createProject(failureStoriesNamespace, project, repositories, context)
  const history = createHistory(context)
  for (const { story, attempt, startMs, outcome } of buildsIn(nowMs)) {
    const { component: name, hoursAgo, task = '*' } = story
    const component = created.find((each) => nameOf(each) === name)
    if (!component) continue
    const random = world.random(`story of ${failureStoriesNamespace}/${name} ${hoursAgo}`)
    const author = pick(random, people)
    const commit = { sha: hexDigits(random, 40), title: changeFrom(random).title, author, time: timestamp(startMs) }
    const repository = repositoryOf(addressOf(name), repositories, context)
    history.build(
      { application, components: created, scenarios },
      {
        component,
        repository,
        event: {
          id: `${name} ${hoursAgo} ${attempt}`,
          event: 'push',
          branch: repository.defaultBranch,
          commit,
          sender: author,
        },
        outcomes: { '*': 'success', [task]: outcome },
        where: 'cluster',
      },
    )
  }
  yield* projectSeeds({ application, components: created, scenarios, ...rest })
  yield* repositorySeeds(repositories.values(), context, { [settings.activity]: 'off' })
  yield* history.seeds
}

/** All builds of the stories, oldest first. */
const buildsIn = (nowMs: number) =>
  stories
    .flatMap((story) =>
      story.outcomes.map((outcome, attempt) => {
        const startMs = nowMs - story.hoursAgo * hourMs + (attempt * hourMs) / 2
        return { story, attempt, outcome, startMs: Math.floor(startMs / 1_000) * 1_000 }
      }),
    )
    .sort((a, b) => a.startMs - b.startMs)
