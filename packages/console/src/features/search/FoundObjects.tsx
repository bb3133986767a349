import { Title } from '@patternfly/react-core'
import { type KubeObject, nameOf, uidOf } from '@slipway/kube/object'
import { useEffect, useId } from 'react'
import { Link } from 'react-router'
import { asSentence, failureText } from '../../api/messages'
import { useView } from '../../api/views/use-view'
import { CommitLink } from '../../parts/links'
import { SourceReporter } from '../../ui/SourceReporter'
import { RelativeTime } from '../../ui/text/RelativeTime'
import { UserText } from '../../ui/text/UserText'
import type { FoundKind } from './found-kinds'

/** How many of a kind are listed. */
const most = 20

interface FoundObjectsProps {
  kind: FoundKind
  identifier: string
  /** Whether the identifier is a whole name, not the beginning of one. */
  isExact: boolean
  namespaces: readonly string[]
  onFound: (found: Found) => void
}

/** What was found of one kind. */
export interface Found {
  /** `undefined` while it is not known. */
  total: number | undefined
  /** The newest. */
  rows: readonly KubeObject[]
}

/** What was found of one kind; nothing if there is nothing, and why not if that is not known. */
export function FoundObjects({ kind, identifier, isExact, namespaces, onFound }: FoundObjectsProps) {
  const id = useId()
  const source = useView({ kind: kind.id, namespaces, identifier }, kind.title.toLowerCase(), most)
  const rows = isExact ? source.rows?.filter((row) => nameOf(row) === identifier) : source.rows
  const total = isExact ? rows?.length : rows && source.window?.total
  const failure = source.error ?? source.retryReason
  useEffect(() => onFound({ total: total ?? (failure ? 0 : undefined), rows: rows ?? [] }))
  return (
    <>
      <SourceReporter label={kind.title} source={source} />
      {failure && !rows && <p>{`${kind.title}: ${asSentence(failureText(failure))}`}</p>}
      {rows && source.missing.length > 0 && (
        <p>{`${kind.title} of ${source.missing.map(({ name }) => name).join(', ')} could not be searched.`}</p>
      )}
      {rows && rows.length > 0 && (
        <section aria-labelledby={id}>
          <Title headingLevel="h2" size="md" id={id}>
            {kind.title}
            {total !== undefined && total > most && ` (the newest ${most} of ${total.toLocaleString('en-US')})`}
          </Title>
          <ul className="slipway-found" role="list">
            {rows.map((row) => (
              <li key={uidOf(row)}>
                <FoundObject kind={kind} object={row} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function FoundObject({ kind, object }: { kind: FoundKind; object: KubeObject }) {
  const path = kind.path(object)
  const about = kind.about?.(object)
  const commit = kind.commit?.(object)
  const at = kind.place(object)
  return (
    <>
      {kind.status?.(object)} {path ? <Link to={path}>{nameOf(object)}</Link> : nameOf(object)}{' '}
      {about && <UserText text={about} />}{' '}
      <span className="slipway-found__place">
        {[at.namespace, at.application].filter(Boolean).join(' · ')} <RelativeTime time={kind.time(object)} />
      </span>{' '}
      {commit && (
        <span>
          Commit <CommitLink at={at} sha={commit} />
        </span>
      )}
    </>
  )
}
