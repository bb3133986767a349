import type { Condition } from '@slipway/kube/object'
import { specOf } from '@slipway/kube/object'
import { branchUrl, repositoryAt } from '../git/git-host'
import { sourceOf } from './integration-test-edit'
import { type IntegrationTestScenario, scenarioValidCondition } from './integration-test-scenario'

/** Where the pipeline of a test comes from, with its pages where the git host is known. */
export interface TestSource {
  /** `git`, `bundles` or a resolver that the console does not know. */
  resolver: string | undefined
  /** The git URL as stored; `undefined` for other resolvers. */
  url: string | undefined
  /** The URL without its scheme, as people write it. */
  shortUrl: string | undefined
  repoUrl: string | undefined
  revision: string | undefined
  revisionUrl: string | undefined
  path: string | undefined
  pathUrl: string | undefined
  /** The image that contains the pipeline, for the resolver `bundles`. */
  bundle: string | undefined
}

export function testSourceOf(test: IntegrationTestScenario): TestSource {
  const { resolver, params = [] } = specOf(test).resolverRef ?? {}
  const stored = sourceOf(test)
  const [url, revision, path] = [stored.url, stored.revision, stored.path].map((text) => text || undefined)
  const repository = repositoryAt(url)
  const revisionUrl = revision && branchUrl(repository, revision)
  return {
    resolver,
    url,
    shortUrl: (repository.repoUrl ?? url)?.replace(/^https?:\/\//, ''),
    repoUrl: repository.repoUrl,
    revision,
    revisionUrl,
    path,
    pathUrl: path && revisionUrl && `${revisionUrl}/${path.split('/').map(encodeURIComponent).join('/')}`,
    bundle: params.find(({ name }) => name === 'bundle')?.value || undefined,
  }
}

/** Why the platform does not run a test; `undefined` for a valid one, and for one that is not checked yet. */
export function invalidReasonOf(test: IntegrationTestScenario): string | undefined {
  const condition = test.status?.conditions?.find(({ type }: Condition) => type === scenarioValidCondition)
  if (condition?.status !== 'False') return undefined
  return condition.message || condition.reason || 'The platform does not say why.'
}
