import { annotations } from '../labels'
import { branchUrl, type Repository, repositoryAt } from './commit'
import type { Component } from './component'

interface Source extends Repository {
  /** As git has it; `undefined` for a component without any. */
  address: string | undefined
  /** The same, as short as people write it. */
  shortAddress: string | undefined
  revision: string | undefined
  /** Page of the revision, where the git host is known. */
  revisionUrl: string | undefined
  context: string | undefined
}

/** Where a component is built from. */
export function sourceOf({ metadata, spec }: Component): Source {
  // A list that asks for some fields brings no parent of fields that are not there.
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
