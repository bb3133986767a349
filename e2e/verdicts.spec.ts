import type { Locator, Page } from '@playwright/test'
import { type ApplicationParams, paths } from '@slipway/console/paths'
import type { KubeClient } from '@slipway/kube/client'
import { nameOf, type KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import { runGraph } from '@slipway/model/graphs/pipeline-graph'
import { labels } from '@slipway/model/labels'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import {
  hasTimedOut,
  ignoredFailureOf,
  pipelineRunStatus,
  type RunStatusOf,
  taskRunStatus,
  timedOutText,
} from '@slipway/model/runs/run-status'
import { worstTestResult } from '@slipway/model/runs/task-results'
import { taskRunType, type TaskRun } from '@slipway/model/runs/task-run'
import { type Commit, commitsOf } from '@slipway/model/builds/commit'
import { releaseStatus, releaseType, releaseVerdict, type Release } from '@slipway/model/releases/release'
import { snapshotType, type Snapshot } from '@slipway/model/snapshots/snapshot'
import { snapshotStatus } from '@slipway/model/snapshots/snapshot-status'
import { commitVerdict, runVerdict } from '@slipway/model/snapshots/verdict'
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
  { namespace: 'team-payments', application: 'ledger' },
  { namespace: 'team-payments', application: 'fraud-scoring' },
]

/** The acceptable words for each object, by its name, or by the SHA of a commit. */
type Expected = Map<string, string[]>
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
        const wrong = found.filter(([name, words]) => !expected.get(name)?.includes(words))
        return { isEmpty: found.length === 0, wrong }
      }
      await expect.poll(compared, path).toEqual({ isEmpty: expected.size === 0, wrong: [] })
    }
  })
}

interface Facts {
  /** Of the namespace; all else is of the application. */
  allRuns: PipelineRun[]
  runs: PipelineRun[]
  snapshots: Snapshot[]
  releases: Release[]
  commits: Commit[]
  tasksOf: (run: PipelineRun) => TaskRun[]
}

async function factsOf(system: KubeClient, { namespace, application }: ApplicationParams): Promise<Facts> {
  const list = async <T extends KubeObject>(type: ResourceType<T>): Promise<T[]> =>
    (await system.list(type, { namespace })).items
  const own = <T extends KubeObject>(all: T[]): T[] =>
    all.filter(({ metadata }) => metadata.labels?.[labels.application] === application)
  const allRuns = await list(pipelineRunType)
  const taskRuns = await list(taskRunType)
  return {
    allRuns,
    runs: own(allRuns),
    snapshots: own(await list(snapshotType)),
    releases: own(await list(releaseType)),
    commits: commitsOf(own(allRuns)),
    tasksOf: (run) => taskRuns.filter(({ metadata }) => metadata.labels?.[labels.pipelineRun] === nameOf(run)),
  }
}

function stopsOf(at: ApplicationParams, { allRuns, runs, snapshots, releases, commits, tasksOf }: Facts): Stop[] {
  const verdictOf: RunStatusOf = (run) => runVerdict(run, pipelineRunStatus(run), worstTestResult(tasksOf(run)))
  const ofRun = (run: PipelineRun, verdict: RunStatusOf) => wordsOf(pipelineRunStatus(run), verdict(run))
  const ofCommit = ({ pipelineRuns, status = 'Unknown' }: Commit, verdict: RunStatusOf) => {
    const worst = commitVerdict(pipelineRuns, status, verdict)
    return wordsOf(status, worst === 'Failed' && status !== worst ? `${worst} before` : worst)
  }
  // Rows do without the results of tasks that no page has read yet; the page of the object reads them.
  const inRows = <T>(all: T[], keyOf: (one: T) => string, words: (one: T, verdict: RunStatusOf) => string): Expected =>
    new Map(all.map((one) => [keyOf(one), [words(one, verdictOf), words(one, (run) => runVerdict(run))]]))
  const runRows = inRows(allRuns, nameOf, ofRun)
  const commitRows = inRows(commits, ({ sha }) => sha, ofCommit)
  const snapshotWords: Expected = new Map(snapshots.map((one) => [nameOf(one), [snapshotStatus(one)]]))
  const releaseWords: Expected = new Map(
    releases.map((one) => [nameOf(one), [wordsOf(releaseStatus(one), releaseVerdict(one))]]),
  )
  const only = (words: string): Expected => new Map([['', [words]]])
  const wordsIn = (expected: Expected, name: string) => only(expected.get(name)?.[0] ?? '')
  return [
    [paths.pipelineRuns(at), rowsOf('Pipeline runs'), runRows],
    [paths.activityTab({ ...at, activityTab: 'pipelineruns' }), rowsOf('Pipeline runs'), runRows],
    [paths.activityTab({ ...at, activityTab: 'latest-commits' }), rowsOf('Commits'), commitRows],
    [paths.snapshots(at), rowsOf('Snapshots'), snapshotWords],
    [paths.releases(at), rowsOf('Releases'), releaseWords],
    ...oneForEach(commits, (commit) => ofCommit(commit, verdictOf)).flatMap((commit): Stop[] => [
      [paths.commit({ ...at, commit: commit.sha }), header, only(ofCommit(commit, verdictOf))],
      [paths.commitPipelineRuns({ ...at, commit: commit.sha }), rowsOf('Pipeline runs'), runRows],
    ]),
    ...oneForEach(snapshots, snapshotStatus).flatMap((one): Stop[] => [
      [paths.snapshot({ ...at, snapshot: nameOf(one) }), header, wordsIn(snapshotWords, nameOf(one))],
    ]),
    ...oneForEach(releases, releaseStatus).flatMap((one): Stop[] => [
      [paths.release({ ...at, release: nameOf(one) }), header, wordsIn(releaseWords, nameOf(one))],
      [paths.release({ ...at, release: nameOf(one) }), fact('Status'), wordsIn(releaseWords, nameOf(one))],
    ]),
    ...oneForEach(runs, (run) => ofRun(run, verdictOf)).flatMap((run): Stop[] => {
      const place = { ...at, pipelineRun: nameOf(run) }
      const nodes = runGraph(run, tasksOf(run)).nodes
      const tasks: Expected = new Map(
        nodes.flatMap((node): [string, string[]][] => {
          const words = [wordsOf(node.verdict ?? node.status, node.detail)]
          // The logs of an instance of a matrix are listed by the name of its task run.
          return [[node.id, words], ...(node.taskRun ? ([[node.taskRun, words]] as [string, string[]][]) : [])]
        }),
      )
      const taskRows: Expected = new Map(tasksOf(run).map((one) => [nameOf(one), [ofTaskRun(one)]]))
      return [
        [paths.pipelineRun(place), header, only(ofRun(run, verdictOf))],
        [paths.pipelineRun(place), fact('Status'), only(ofRun(run, verdictOf))],
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
