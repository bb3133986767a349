import { Title } from '@patternfly/react-core'
import { type KubeObject, nameOf, uidOf } from '@slipway/kube/object'
import { useEffect, useId } from 'react'
import { Link } from 'react-router'
import { asSentence, failureText } from '../../api/messages'
import { useView } from '../../api/views/use-view'
import { CommitLink } from '../../parts/links'
import { SourceReporter } from '../../ui/SourceReporter'
import { OriginLabel } from '../../ui/status/OriginLabel'
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
  /** What was found in archives. */
  archived: readonly KubeObject[]
  onFound: (found: Found) => void
}

/** What was found of one kind. */
export interface Found {
  /** `undefined` while it is not known. */
  total: number | undefined
  /** Whether lists of some namespaces have not arrived. */
  isArriving: boolean
  /** Whether something could not be searched. */
  isIncomplete: boolean
  /** The newest. */
  rows: readonly KubeObject[]
}

/** What was found of one kind; nothing if there is nothing, and why not if that is not known. */
export function FoundObjects({ kind, identifier, isExact, namespaces, archived, onFound }: FoundObjectsProps) {
  const source = useView({ kind: kind.id, namespaces, identifier }, kind.title.toLowerCase(), most)
  const live = isExact ? source.rows?.filter((row) => nameOf(row) === identifier) : source.rows
  const liveTotal = isExact ? live?.length : live && source.window?.total
  const failure = source.error ?? source.retryReason
  const isKnown = liveTotal !== undefined || failure
  const isCut = (liveTotal ?? 0) > (live?.length ?? 0)
  const rows = isKnown && !isCut ? withArchived(kind, live ?? none, archived) : live
  const total = isKnown && !isCut ? rows?.length : liveTotal
  const isArriving = source.window?.isArriving ?? false
  const isIncomplete = failure !== undefined || source.missing.length > 0
  useEffect(() => onFound({ total, isArriving, isIncomplete, rows: rows?.slice(0, most) ?? none }))
  return (
    <>
      <SourceReporter label={kind.title} source={source} />
      {failure && !live && <p>{`${kind.title}: ${asSentence(failureText(failure))}`}</p>}
      {live && source.missing.length > 0 && (
        <p>{`${kind.title} of ${source.missing.map(({ name }) => name).join(', ')} could not be searched.`}</p>
      )}
      <FoundList kind={kind} rows={rows ?? none} total={total} />
      {isCut && archived.length > 0 && (
        <p>
          {kind.title} of archives are not listed, since some of these may still be in the cluster. Enter more of what
          you look for.
        </p>
      )}
    </>
  )
}

/** Newest first. Those that are still in the cluster are not archived ones. */
function withArchived(kind: FoundKind, live: readonly KubeObject[], archived: readonly KubeObject[]) {
  if (archived.length === 0) return live
  const all = new Map([...archived, ...live].map((object) => [uidOf(object), object]))
  return [...all.values()].sort((a, b) => ((kind.time(a) ?? '') < (kind.time(b) ?? '') ? 1 : -1))
}

interface FoundListProps {
  kind: FoundKind
  rows: readonly KubeObject[]
  total: number | undefined
}

export function FoundList({ kind, rows, total }: FoundListProps) {
  const id = useId()
  if (rows.length === 0) return null
  return (
    <section aria-labelledby={id}>
      <Title headingLevel="h2" size="md" id={id}>
        {kind.title}
        {total !== undefined && total > most && ` (the newest ${most} of ${total.toLocaleString('en-US')})`}
      </Title>
      <ul className="slipway-found" role="list">
        {rows.slice(0, most).map((row) => (
          <li key={uidOf(row)}>
            <FoundObject kind={kind} object={row} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function FoundObject({ kind, object }: { kind: FoundKind; object: KubeObject }) {
  const path = kind.path(object)
  const about = kind.about?.(object)
  const commit = kind.commit?.(object)
  const at = kind.place(object)
  return (
    <>
      {kind.status?.(object)} {path ? <Link to={path}>{nameOf(object)}</Link> : nameOf(object)}
      <OriginLabel object={object} /> {about && <UserText text={about} />}{' '}
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

const none: never[] = []
