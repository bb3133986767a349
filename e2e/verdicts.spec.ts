import type { Locator, Page } from '@playwright/test'
import { type ApplicationParams, paths } from '@slipway/console/paths'
import type { KubeClient } from '@slipway/kube/client'
import { nameOf, type KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import { runGraph } from '@slipway/model/graphs/pipeline-graph'
import { commitGraph, workflowGraph, type WorkflowNode } from '@slipway/model/graphs/workflow'
import { labels } from '@slipway/model/labels'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import {
  hasTimedOut,
  ignoredFailureOf,
  pipelineRunStatus,
  type RunStatusWord,
  taskRunStatus,
  timedOutText,
} from '@slipway/model/runs/run-status'
import { testOutputOf } from '@slipway/model/runs/task-results'
import { taskRunType, type TaskRun } from '@slipway/model/runs/task-run'
import { type Commit, commitsOf, snapshotsOf } from '@slipway/model/builds/commit'
import { componentType } from '@slipway/model/builds/component'
import { commitVerdict } from '@slipway/model/releases/commit-verdict'
import { releasePlanType } from '@slipway/model/releases/release-plan'
import { releaseStatus, releaseType, releaseVerdict, type Release } from '@slipway/model/releases/release'
import { integrationTestScenarioType } from '@slipway/model/snapshots/integration-test-scenario'
import { snapshotType, type Snapshot } from '@slipway/model/snapshots/snapshot'
import { snapshotStatus } from '@slipway/model/snapshots/snapshot-status'
import { newestTestRuns } from '@slipway/model/snapshots/snapshot-tests'
import { expect, productWith, signIn, test as base } from './fixtures'

/**
 * An object has the same status on every page. The walk opens each page on which an object of the demo appears, and
 * compares the words there with those that the functions of the model yield for the objects of the API.
 */

// Without an archive, the cluster has all that a page can show; without a simulator, nothing changes meanwhile.
const test = base.extend({ product: productWith({ scenario: 'demo' }) })

/** Applications with every kind of test and release, and with builds that timed out or could not start. */
const places: ApplicationParams[] = [
  { namespace: 'team-storefront', application: 'storefront' },
  // The result of its end-to-end tests is that of their last task.
  { namespace: 'team-payments', application: 'checkout' },
  { namespace: 'team-payments', application: 'ledger' },
  { namespace: 'team-payments', application: 'fraud-scoring' },
]

/** The words for each object, by its name, by the SHA of a commit, or by the id of a node. */
type Expected = Map<string, string>
/** The words of a page, in pairs of a name and a status. */
type Read = (page: Page) => Promise<[name: string, words: string][]>
/** A page of the walk. A new page of the console is one line. */
type Stop = [path: string, read: Read, expected: Expected]

const wordsOf = (status: string, note: string | undefined) => (note && note !== status ? `${status} (${note})` : status)

for (const at of places) {
  test(`STAT-01, STAT-44, GRAPH-06 each object of ${at.application} has the same status on every page`, async ({
    page,
    system,
  }) => {
    await signIn(page, 'admin')
    for (const [path, read, expected] of stopsOf(at, await factsOf(system, at))) {
      if (!page.url().endsWith(path)) await page.goto(path)
      const compared = async () => {
        const found = await read(page)
        const wrong = found.filter(([name, words]) => expected.get(name) !== words)
        return { isEmpty: found.length === 0, wrong }
      }
      await expect.poll(compared, path).toEqual({ isEmpty: expected.size === 0, wrong: [] })
    }
  })
}

interface Facts {
  /** Of the namespace, like the next; all else is of the application. */
  allRuns: PipelineRun[]
  allReleases: Release[]
  runs: PipelineRun[]
  snapshots: Snapshot[]
  releases: Release[]
  commits: Commit[]
  /** Nodes of the workflow of the application. */
  workflow: WorkflowNode[]
  tasksOf: (run: PipelineRun) => TaskRun[]
}

async function factsOf(system: KubeClient, { namespace, application }: ApplicationParams): Promise<Facts> {
  const list = async <T extends KubeObject>(type: ResourceType<T>): Promise<T[]> =>
    (await system.list(type, { namespace })).items
  const own = <T extends KubeObject>(all: T[]): T[] =>
    all.filter(({ metadata }) => metadata.labels?.[labels.application] === application)
  const allRuns = await list(pipelineRunType)
  const allReleases = await list(releaseType)
  const taskRuns = await list(taskRunType)
  return {
    allRuns,
    allReleases,
    runs: own(allRuns),
    snapshots: own(await list(snapshotType)),
    releases: own(allReleases),
    commits: commitsOf(own(allRuns)),
    workflow: workflowGraph({
      application,
      components: await list(componentType),
      runs: allRuns,
      scenarios: await list(integrationTestScenarioType),
      releasePlans: await list(releasePlanType),
      releases: allReleases,
    }).nodes,
    tasksOf: (run) => taskRuns.filter(({ metadata }) => metadata.labels?.[labels.pipelineRun] === nameOf(run)),
  }
}

/** What a run comes to: its worst test result, whichever of its tasks has reported it. */
function verdictFrom(run: PipelineRun, taskRuns: TaskRun[]): RunStatusWord {
  const status = pipelineRunStatus(run)
  const results = new Set([run, ...taskRuns].flatMap((each) => testOutputOf(each)?.result ?? []))
  if (status !== 'Succeeded') return status
  if (results.has('FAILURE') || results.has('ERROR')) return 'Test Failures'
  if (!run.metadata.labels?.[labels.scenario]) return status
  if (results.has('WARNING')) return 'Test Warnings'
  return results.has('SKIPPED') && !results.has('SUCCESS') ? 'Skipped' : status
}

function stopsOf(
  at: ApplicationParams,
  { allRuns, allReleases, runs, snapshots, releases, commits, workflow, tasksOf }: Facts,
): Stop[] {
  const verdictOf = (run: PipelineRun) => verdictFrom(run, tasksOf(run))
  const ofRun = (run: PipelineRun) => wordsOf(pipelineRunStatus(run), verdictOf(run))
  const releasesOf = (commit: Commit) => {
    const names = snapshotsOf(commit)
    return allReleases.filter(({ spec }) => names.includes(spec.snapshot ?? ''))
  }
  const ofCommit = (commit: Commit) => {
    const { pipelineRuns, status = 'Unknown' } = commit
    const { verdict, text } = commitVerdict(pipelineRuns, status, verdictOf, releasesOf(commit))
    return wordsOf(status, verdict === status ? status : text)
  }
  const runRows: Expected = new Map(allRuns.map((run) => [nameOf(run), ofRun(run)]))
  const commitRows: Expected = new Map(commits.map((commit) => [commit.sha, ofCommit(commit)]))
  const snapshotWords: Expected = new Map(snapshots.map((one) => [nameOf(one), snapshotStatus(one)]))
  const releaseWords: Expected = new Map(
    releases.map((one) => [nameOf(one), wordsOf(releaseStatus(one), releaseVerdict(one))]),
  )
  const only = (words: string): Expected => new Map([['', words]])
  const wordsIn = (expected: Expected, name: string) => only(expected.get(name) ?? '')
  // A node has the words of its run, or of its release.
  const nodeWords = (nodes: WorkflowNode[]): Expected =>
    new Map(
      nodes.flatMap(({ id, kind, status, verdict, pipelineRun = '', release = '' }) => {
        const own = kind === 'release' ? releaseWords.get(release) : runRows.get(pipelineRun)
        return status ? [[id, own ?? wordsOf(status, verdict)] as const] : []
      }),
    )
  const workflowWords = nodeWords(workflow)
  const latestBuilds = workflow.filter(({ kind, pipelineRun }) => kind === 'build' && pipelineRun)
  const buildWords: Expected = new Map(
    latestBuilds.map(({ component = '', pipelineRun = '' }) => [component, runRows.get(pipelineRun) ?? '']),
  )
  return [
    [paths.pipelineRuns(at), rowsOf('Pipeline runs'), runRows],
    [paths.activityTab({ ...at, activityTab: 'pipelineruns' }), rowsOf('Pipeline runs'), runRows],
    [paths.activityTab({ ...at, activityTab: 'latest-commits' }), rowsOf('Commits'), commitRows],
    [paths.snapshots(at), rowsOf('Snapshots'), snapshotWords],
    [paths.releases(at), rowsOf('Releases'), releaseWords],
    [`${paths.application(at)}?workflow=expanded`, workflowNodes, workflowWords],
    [`${paths.application(at)}?workflow=expanded&view=list`, workflowRows, workflowWords],
    [paths.components(at), among(buildWords, rowsOf('Components')), buildWords],
    ...oneForEach(commits, ofCommit).flatMap((commit): Stop[] => {
      const path = paths.commit({ ...at, commit: commit.sha })
      const { sha, pipelineRuns: runs } = commit
      const ofSha = commitGraph({ sha, runs, releases: releasesOf(commit), verdictOf }).nodes
      // A release whose pipelines run here has their words.
      const nodes = nodeWords(ofSha.map((node) => (node.kind === 'release' ? { ...node, release: '' } : node)))
      return [
        [path, header, only(ofCommit(commit))],
        [path, fact('Status'), only(ofCommit(commit))],
        [path, workflowNodes, nodes],
        [`${path}?view=list`, workflowRows, nodes],
        [paths.commitPipelineRuns({ ...at, commit: commit.sha }), rowsOf('Pipeline runs'), runRows],
      ]
    }),
    ...oneForEach(snapshots, snapshotStatus).flatMap((one): Stop[] => {
      const tested: Expected = new Map(newestTestRuns(one, runs).map((run) => [nameOf(run), ofRun(run)]))
      return [
        [paths.snapshot({ ...at, snapshot: nameOf(one) }), header, wordsIn(snapshotWords, nameOf(one))],
        [paths.snapshot({ ...at, snapshot: nameOf(one) }), among(tested, testsByRun), tested],
        [paths.snapshotPipelineRuns({ ...at, snapshot: nameOf(one) }), among(tested, rowsOf('Pipeline runs')), tested],
      ]
    }),
    ...oneForEach(releases, releaseStatus).flatMap((one): Stop[] => [
      [paths.release({ ...at, release: nameOf(one) }), header, wordsIn(releaseWords, nameOf(one))],
      [paths.release({ ...at, release: nameOf(one) }), fact('Status'), wordsIn(releaseWords, nameOf(one))],
    ]),
    ...oneForEach(runs, ofRun).flatMap((run): Stop[] => {
      const place = { ...at, pipelineRun: nameOf(run) }
      const nodes = runGraph(run, tasksOf(run)).nodes
      const tasks: Expected = new Map(
        nodes.flatMap((node): [string, string][] => {
          const words = wordsOf(node.verdict ?? node.status, node.detail)
          // The logs of an instance of a matrix are listed by the name of its task run.
          return [[node.id, words], ...(node.taskRun ? ([[node.taskRun, words]] as [string, string][]) : [])]
        }),
      )
      const taskRows: Expected = new Map(tasksOf(run).map((one) => [nameOf(one), ofTaskRun(one)]))
      return [
        [paths.pipelineRun(place), header, only(ofRun(run))],
        [paths.pipelineRun(place), fact('Status'), only(ofRun(run))],
        [paths.pipelineRun(place), graph, tasks],
        [`${paths.pipelineRun(place)}?view=list`, graphList, tasks],
        [paths.pipelineRunTaskRuns(place), rowsOf('Task runs'), taskRows],
        [paths.pipelineRunLogs(place), logTasks, tasks],
        ...oneForEach(tasksOf(run), taskRunStatus).map((one): Stop => {
          return [paths.taskRunDetails({ ...at, taskRun: nameOf(one) }), header, only(ofTaskRun(one))]
        }),
      ]
    }),
  ]
}

const ofTaskRun = (taskRun: TaskRun): string =>
  wordsOf(ignoredFailureOf(taskRun) ?? taskRunStatus(taskRun), hasTimedOut(taskRun) ? timedOutText : undefined)

/** One object for each kind of words, since equal ones take the same way. */
const oneForEach = <T>(all: T[], words: (one: T) => string): T[] => [
  ...new Map(all.map((one) => [words(one), one])).values(),
]

const textOf = (status: Locator): Promise<string> =>
  status.first().evaluate(({ textContent }) => textContent.replaceAll(/\s+/g, ' ').trim())

async function pairs(all: Locator, nameIn: (one: Locator) => Promise<string>, statusIn = '.slipway-status') {
  const found: [string, string][] = []
  for (const one of await all.all()) found.push([await nameIn(one), await textOf(one.locator(statusIn))])
  return found
}

const lastSegment = (href: string | null): string =>
  decodeURIComponent(new URL(href ?? '', 'http://x').pathname.split('/').at(-1) ?? '')

/** The rows of a table, by the last segment of the address to which their names link. */
const rowsOf =
  (table: string): Read =>
  (page) =>
    pairs(
      page
        .getByRole('table', { name: table, exact: true })
        .locator('tbody tr')
        .filter({ has: page.getByRole('rowheader') }),
      async (row) => lastSegment(await row.locator('th a[href^="/ns/"]').first().getAttribute('href')),
    )

/** Only the objects about which something is expected. */
const among =
  (expected: Expected, read: Read): Read =>
  async (page) =>
    (await read(page)).filter(([name]) => expected.has(name))

/** The tests of a snapshot, by the names of their runs. */
const testsByRun: Read = (page) =>
  pairs(
    page
      .getByRole('table', { name: 'Integration tests', exact: true })
      .locator('tbody tr')
      .filter({ has: page.locator('a[href*="/pipelineruns/"]') }),
    async (row) => lastSegment(await row.locator('a[href*="/pipelineruns/"]').first().getAttribute('href')),
  )

/** Nodes by their ids. A status that does not fit in its node is not on the screen. */
const statusesIn =
  (items: string): Read =>
  (page) =>
    page.locator(`${items}:has(.slipway-status)`).evaluateAll((all) =>
      all.map((one): [string, string] => {
        const id =
          (one.matches('[data-node]') ? one : one.querySelector('[data-node]'))?.getAttribute('data-node') ?? ''
        const status = one.querySelector('.slipway-status')
        const isCut = (status?.getBoundingClientRect().right ?? 0) > one.getBoundingClientRect().right
        return [id, isCut ? 'cut' : (status?.textContent ?? '')]
      }),
    )
const workflowNodes = statusesIn('button.slipway-node')
const workflowRows = statusesIn('.slipway-graph-list__row')

const header: Read = (page) => pairs(page.locator('.slipway-page__status'), async () => '')

const fact =
  (term: string): Read =>
  (page) =>
    pairs(
      page.locator('.pf-v6-c-description-list__group').filter({ has: page.getByText(term, { exact: true }) }),
      async () => '',
    )

const graph: Read = async (page) => {
  const boxes = page.locator('button.slipway-node')
  return boxes.evaluateAll((all) =>
    all.map((box): [string, string] => {
      const status = box.querySelector('.slipway-status')?.textContent ?? ''
      const detail = box.querySelector('.slipway-node__detail')?.textContent
      return [box.getAttribute('data-node') ?? '', detail ? `${status} (${detail})` : status]
    }),
  )
}

const graphList: Read = async (page) =>
  page.locator('.slipway-graph-list__row').evaluateAll((all) =>
    all.map((row): [string, string] => {
      const status = row.querySelector('.slipway-status')?.textContent ?? ''
      const after = [...row.querySelectorAll('.slipway-graph-list__after')].map(({ textContent }) => textContent)
      const detail = after.find((text) => ['timed out', 'did not run', 'task run deleted'].includes(text))
      const id = row.querySelector('[data-node]')?.getAttribute('data-node') ?? ''
      return [id, detail ? `${status} (${detail})` : status]
    }),
  )

const logTasks: Read = (page) =>
  pairs(page.getByRole('navigation', { name: 'Tasks of the run' }).getByRole('link'), async (link) => {
    const query = new URL((await link.getAttribute('href')) ?? '', 'http://x').searchParams
    return query.get('task') ?? ''
  })
