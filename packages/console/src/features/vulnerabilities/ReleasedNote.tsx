import { Content } from '@patternfly/react-core'
import { asSentence, failureText } from '../../api/messages'
import type { ApplicationParams } from '../../paths'
import { SnapshotLink } from '../../parts/links'
import type { Released } from './use-marked-new'

/** With what the vulnerabilities are compared that are marked as new; nothing if nothing was released. */
export function ReleasedNote({ at, released }: { at: ApplicationParams; released: Released | undefined }) {
  if (!released) return null
  return (
    <Content component="small">
      Compared with <SnapshotLink at={at} snapshot={released.snapshot} />, which was released last.
      {released.isLoading && ' Reading its scans.'}
      {!released.isLoading &&
        released.error &&
        ` Of some of its components it is not known what they had: ${asSentence(failureText(released.error))}`}
    </Content>
  )
}
