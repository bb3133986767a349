import { nameOf } from '@slipway/kube/object'
import type { PipelineRun } from '../runs/pipeline-run'
import { commitMessageOf, repositoryOf } from '../git/git-facts'
import { issueUrl, type Repository } from '../git/git-host'
import { cvesIn } from '../search-term'
import type { Snapshot } from '../snapshots/snapshot'
import { newComponentsOf } from '../snapshots/snapshot-origin'
import { buildsOfImages } from '../snapshots/snapshot-vulnerabilities'
import type { FixedBug, FixedCve } from './triggered-release'

/**
 * The bugs and vulnerabilities that the commits of a snapshot name, as a proposal for its release notes. Scans are no
 * source: their results are numbers, and what they find is in the snapshot rather than fixed by it.
 */

export interface NamedFixes {
  bugs: FixedBug[]
  cves: FixedCve[]
}

/** A commit message with the repository and the components that it is about. */
export interface CommitMessage {
  message: string
  repository: Repository
  components: readonly string[]
}

/** The messages of the commits that a snapshot was created for and its images were built from, as far as known. */
export function commitMessagesOf(snapshot: Snapshot, builds: readonly PipelineRun[]): CommitMessage[] {
  const byName = new Map(builds.map((build) => [nameOf(build), build]))
  const ofBuilds = [...buildsOfImages(snapshot, builds)].map(([component, name]) => ({
    object: byName.get(name),
    components: [component.name],
  }))
  return [{ object: snapshot, components: newComponentsOf(snapshot) }, ...ofBuilds].flatMap(
    ({ object, components }) => {
      const message = object && commitMessageOf(object)
      return message ? [{ message, repository: repositoryOf(object), components }] : []
    },
  )
}

/** What the messages name: CVEs, URLs of issues, and issues of the repository that they say to close. */
export function fixesIn(messages: readonly CommitMessage[]): NamedFixes {
  const bugs = messages.flatMap(({ message, repository }) => {
    const summary = message.split('\n', 1)[0]?.trim() ?? ''
    return [...linkedIssues(message), ...closedIssues(message, repository)].map((issue): FixedBug => ({
      ...issue,
      uploadDate: '',
      status: 'Resolved',
      summary,
    }))
  })
  const cves = messages.flatMap(({ message, components }) =>
    cvesIn(message).flatMap((key) =>
      (components.length > 0 ? components : ['']).map((component): FixedCve => ({ key, component, packages: [] })),
    ),
  )
  return { bugs: uniqueBy(bugs, bugKey), cves: uniqueBy(cves, cveKey) }
}

/** Tells bugs apart, since trackers number them independently. */
export const bugKey = ({ id, source }: FixedBug): string => `${id} ${source}`

/** Tells CVEs apart: one may be fixed in several components. */
export const cveKey = ({ key, component }: FixedCve): string => `${key} ${component}`

/** Adds what a list does not have yet. */
export const addMissing = <T>(list: readonly T[], added: readonly T[], keyOf: (entry: T) => string): T[] =>
  uniqueBy([...list, ...added], keyOf)

function uniqueBy<T>(list: readonly T[], keyOf: (entry: T) => string): T[] {
  const keys = list.map(keyOf)
  return list.filter((_, at) => keys.indexOf(keys[at] ?? '') === at)
}

type Issue = Pick<FixedBug, 'id' | 'source'>

/** The paths that trackers use for an issue: GitHub, GitLab and Forgejo; Jira; Bugzilla. */
const issuePaths = [/\/issues\/(\d+)\/?$/, /\/browse\/([A-Z][A-Z0-9_]+-\d+)\/?$/, /\/show_bug\.cgi\?id=(\d+)$/]

/** Issues whose URL is in a message. */
const linkedIssues = (message: string): Issue[] =>
  [...message.matchAll(/\bhttps?:\/\/[^\s<>"'()[\]]+/g)].flatMap(([text]) => {
    // Without an anchor, and without the punctuation of the sentence around it.
    const url = text.replace(/#.*$/, '').replace(/[.,;:!?]+$/, '')
    const id = issuePaths.map((path) => path.exec(url)?.[1]).find(Boolean)
    return id && URL.canParse(url) ? [{ id, source: url }] : []
  })

const closingReference = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+((?:#\d+(?:\s*,\s*|\s+and\s+)?)+)/gi

/** Issues that a message closes, as in `Fixes #12, #13`. A number alone may be that of a pull request. */
const closedIssues = (message: string, repository: Repository): Issue[] =>
  [...message.matchAll(closingReference)]
    .flatMap(([, numbers = '']) => [...numbers.matchAll(/#(\d+)/g)])
    .flatMap(([, id = '']) => {
      const source = issueUrl(repository, id)
      return source ? [{ id, source }] : []
    })
