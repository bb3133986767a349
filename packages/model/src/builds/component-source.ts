import { annotations } from '../labels'
import { branchUrl, type Repository, repositoryAt } from '../git/git-host'
import type { Component } from './component'

interface Source extends Repository {
  /** The git URL as configured; `undefined` for a component without a source. */
  address: string | undefined
  /** The address without its scheme, as people write it. */
  shortAddress: string | undefined
  revision: string | undefined
  /** Page of the revision, where the git host is known. */
  revisionUrl: string | undefined
  context: string | undefined
}

/** Where a component is built from. */
export function sourceOf({ metadata, spec }: Component): Source {
  // A list with a field mask omits parents none of whose fields exist.
  const { git, url } = (spec.source as Component['spec']['source'] | undefined) ?? {}
  const address = git?.url ?? url
  const repository = repositoryAt(address, metadata.annotations?.[annotations.gitProvider])
  const revision = git?.revision || undefined
  return {
    ...repository,
    address,
    shortAddress: (repository.repoUrl ?? address)?.replace(/^https?:\/\//, ''),
    revision,
    revisionUrl: revision && branchUrl(repository, revision),
    context: git?.context || undefined,
  }
}
