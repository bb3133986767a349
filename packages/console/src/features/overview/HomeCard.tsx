import { Alert, AlertActionLink, Skeleton } from '@patternfly/react-core'
import type { ReactNode } from 'react'
import { asSentence, failureText } from '../../api/messages'
import type { Source } from '../../api/source'
import { SourceReporter } from '../../ui/SourceReporter'
import { LastKnownScope } from '../../ui/status/last-known'
import { HomeCardFrame } from './HomeCardFrame'

interface HomeCardProps<T extends object> {
  title: string
  source: Source<T>
  /** How many there are, if not all of them have been loaded. */
  total?: number | undefined
  /** Said if there is nothing, and everything could be read. */
  empty: string
  line: (row: T) => ReactNode
}

const mostLines = 10

/** One question of the overview and its answer: lines, that there is nothing, or that it is not known. */
export function HomeCard<T extends object>({ title, source, total, empty, line }: HomeCardProps<T>) {
  const { rows, error, retryReason, missing, kind, freshness, retry, more } = source
  const failure = error ?? retryReason
  const count = total ?? rows?.length
  return (
    <HomeCardFrame title={title} count={count}>
      <SourceReporter label={title} source={source} />
      {failure && !rows && (
        <Alert
          isInline
          isPlain
          isLiveRegion
          variant="warning"
          component="p"
          title={asSentence(failureText(failure))}
          actionLinks={<AlertActionLink onClick={retry}>Try again</AlertActionLink>}
        />
      )}
      {!rows && !failure && <Skeleton screenreaderText={`Loading ${title.toLowerCase()}`} />}
      {rows && missing.length > 0 && (
        <p className="slipway-home-card__gap">
          {missing.length === 1 ? `Not known of ${missing[0]?.name}.` : `Not known of ${missing.length} namespaces.`}
        </p>
      )}
      {rows?.length === 0 && missing.length === 0 && <p className="slipway-home-card__empty">{empty}</p>}
      {rows && rows.length > 0 && (
        <LastKnownScope freshness={freshness}>
          <ul className="slipway-home-lines" role="list">
            {rows.slice(0, mostLines).map((row) => (
              <li key={kind.idOf(row)}>{line(row)}</li>
            ))}
          </ul>
        </LastKnownScope>
      )}
      {rows && more?.isLoading && <p className="slipway-home-card__gap">Others are still being read.</p>}
      {count !== undefined && count > mostLines && (
        <p className="slipway-home-card__gap">{`The newest ${mostLines} of ${count.toLocaleString('en-US')}.`}</p>
      )}
    </HomeCardFrame>
  )
}
