import type { Secret, ServiceAccount } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { hasExpired, type ObservedSecret } from '@slipway/model/secrets/secret-concerns'
import { indexLinks, type LinksBySecret } from '@slipway/model/secrets/secret-links'
import type { Component } from '@slipway/model/builds/component'
import { type MissingPart, objectRows, type RowKind, type Source, useJoined, useList } from '../../api/source'
import { useFold } from '../../lib/use-fold'
import { components } from '../../resources/components'
import { secrets } from '../../resources/secrets'
import { serviceAccounts } from '../../resources/service-accounts'
import { useNow } from '../../ui/text/now'

const secretRows: RowKind<ObservedSecret> = {
  idOf: ({ secret }) => objectRows.idOf(secret),
  nameOf: ({ secret }) => nameOf(secret),
  isBeingDeleted: ({ secret }) => objectRows.isBeingDeleted(secret),
  objectOf: ({ secret }) => secret,
}

interface SecretRows {
  source: Source<ObservedSecret>
  /** What shows to which components secrets are linked: rows are complete without it, except for their links. */
  links: Pick<Source<unknown>, 'freshness' | 'missing' | 'retry'>
  /** Why it is not known which service accounts refer to secrets. */
  linksError: Error | undefined
}

const minuteMs = 60_000

/** The secrets of a namespace with what refers to them: three lists, however many secrets there are. */
export function useSecretRows(namespace: string): SecretRows {
  const own = useList(secrets.list(namespace), 'secrets')
  const accounts = useList(serviceAccounts.links(namespace), 'service accounts')
  const owners = useList(components.names(namespace), 'components')
  const now = useNow(minuteMs)
  const { linksOf } = useFold(linkIndex, { accounts: accounts.rows, components: owners.rows })
  const rowOf = (secret: Secret): ObservedSecret => ({
    secret,
    links: linksOf?.(nameOf(secret)),
    isExpired: hasExpired(secret, now),
  })
  const parts = [accounts, owners]
  return {
    source: useJoined([own], ([rows]) => rows?.map(rowOf), secretRows),
    links: {
      // The secrets come from the same cluster, and a part that could not be read has no age.
      freshness: [own, ...parts.filter(({ rows }) => rows)].flatMap(({ freshness }) => freshness),
      missing: parts.flatMap(missingPart),
      retry: () => {
        for (const { retry } of parts) retry()
      },
    },
    linksError: missingPart(accounts)[0]?.error,
  }
}

interface LinkLists {
  accounts: readonly ServiceAccount[] | undefined
  components: readonly Component[] | undefined
}

interface LinkIndex {
  input: LinkLists
  linksOf: LinksBySecret | undefined
}

/** Indexed again only if one of the lists has changed, so that rows keep their links. */
function linkIndex(input: LinkLists, before?: LinkIndex): LinkIndex {
  const { accounts, components } = input
  if (before && before.input.accounts === accounts && before.input.components === components) return before
  return { input, linksOf: accounts && indexLinks(accounts, components) }
}

const missingPart = ({ name, rows, error, retryReason }: Omit<Source<unknown>, 'kind'>): MissingPart[] => {
  const reason = error ?? retryReason
  return rows || !reason ? [] : [{ name, error: reason, isRetrying: !error }]
}
