import type { ServiceAccount } from '@slipway/kube/core-types'
import { nameOf, specOf } from '@slipway/kube/object'
import type { Component } from '../builds/component'
import { componentOf, linkedSecrets } from './service-account'

/** A component whose service account refers to a secret. */
export interface LinkedComponent {
  name: string
  /** `undefined` if it is not known. */
  application: string | undefined
  /** The service account has outlived its component; `undefined` while the components are not known. */
  isDeleted: boolean | undefined
}

/** What refers to a secret by its name. */
export interface SecretLinks {
  /** By name. */
  components: readonly LinkedComponent[]
  /** Names of the service accounts that do not belong to a component. */
  otherAccounts: readonly string[]
  /** Whether the spec of a component names it; `undefined` while the components are not known. */
  isNamedByComponent: boolean | undefined
}

/** How many service accounts refer to a secret. */
export const accountCount = ({ components, otherAccounts }: SecretLinks): number =>
  components.length + otherAccounts.length

/** What refers to each secret, by the secret's name. */
export type LinksBySecret = (secret: string) => SecretLinks

/**
 * Indexes service accounts by the secrets linked to them, without those that are being deleted.
 * @param components of the same namespace; `undefined` if they are not known
 */
export function indexLinks(
  accounts: readonly ServiceAccount[],
  components: readonly Component[] | undefined,
): LinksBySecret {
  const known = components && new Map(components.map((component) => [nameOf(component), component]))
  const named = new Set(components?.flatMap((component) => specOf(component).secret ?? []))
  const index = new Map<string, { components: LinkedComponent[]; otherAccounts: string[] }>()
  for (const account of accounts) {
    if (account.metadata.deletionTimestamp) continue
    const name = componentOf(account)
    const component = known && name !== undefined ? known.get(name) : undefined
    const application = component && specOf(component).application
    for (const secret of linkedSecrets(account)) {
      const links = index.get(secret) ?? { components: [], otherAccounts: [] }
      index.set(secret, links)
      if (name === undefined) links.otherAccounts.push(nameOf(account))
      else links.components.push({ name, application, isDeleted: known && !component })
    }
  }
  const bySecret = new Map<string, SecretLinks>()
  return (secret) => {
    const found = bySecret.get(secret)
    if (found) return found
    const { components = [], otherAccounts = [] } = index.get(secret) ?? {}
    const links: SecretLinks = {
      components: components.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      otherAccounts: otherAccounts.toSorted(),
      isNamedByComponent: known && named.has(secret),
    }
    bySecret.set(secret, links)
    return links
  }
}
