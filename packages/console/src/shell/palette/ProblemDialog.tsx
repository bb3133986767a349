import { CodeBlock, CodeBlockCode, Content } from '@patternfly/react-core'
import { asRecord } from '@slipway/kube/parse'
import { problemReport } from '@slipway/model/platform/problem-report'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useParams } from 'react-router'
import { hasKubeArchive, hasResults } from '../../api/archive/installed'
import { cluster, failedRequests, send } from '../../api/client'
import { useFlags } from '../../api/flags/flags'
import { viewsServiceQuery } from '../../api/views/service-probe'
import { discussionsUrl } from '../../product'
import { CopyButton } from '../../ui/actions/CopyButton'
import { Dialog } from '../../ui/dialogs/Dialog'
import { ExternalLink } from '../../ui/text/ExternalLink'
import { version } from '../../../package.json'

/** What cannot be read is unknown: a report is most needed when something does not respond. */
const versionsQuery = queryOptions({
  queryKey: ['versions'],
  queryFn: async ({ signal }) => {
    const [gateway, kubernetes] = await Promise.allSettled([
      send('/oauth2/userinfo', { signal }).then(({ headers }) => headers.get('slipway-version') ?? undefined),
      cluster.request('/version', { signal }).then((body) => asRecord(body).gitVersion),
    ])
    return {
      console: version,
      gateway: gateway.status === 'fulfilled' ? gateway.value : undefined,
      cluster: kubernetes.status === 'fulfilled' ? String(kubernetes.value) : undefined,
    }
  },
  retry: false,
})

const archivesQuery = queryOptions({
  queryKey: ['archives of report'],
  queryFn: async () => {
    const [kubeArchive, results] = await Promise.allSettled([hasKubeArchive(), hasResults()])
    return [
      ...(kubeArchive.status === 'fulfilled' && kubeArchive.value ? ['KubeArchive'] : []),
      ...(results.status === 'fulfilled' && results.value ? ['Tekton Results'] : []),
    ]
  },
  retry: false,
})

/** What to copy into the report of a problem. It names nothing that the user works on. */
export function ProblemDialog({ onClose }: { onClose: () => void }) {
  const { pathname, search } = useLocation()
  const params = useParams()
  const versions = useQuery(versionsQuery)
  const archives = useQuery(archivesQuery)
  const service = useQuery(viewsServiceQuery)
  const flags = useFlags()
  const [time] = useState(() => new Date().toISOString())
  const isReading = versions.isPending || archives.isPending || service.isPending
  const report = problemReport({
    versions: versions.data ?? { console: version, gateway: undefined, cluster: undefined },
    page: pathname + search,
    params,
    browser: navigator.userAgent,
    time,
    features: [
      ...(service.data ? ['views'] : []),
      ...(archives.data ?? []),
      ...Object.entries(flags).flatMap(([flag, isOn]) => (isOn ? [flag] : [])),
    ],
    failures: failedRequests.map(({ atMs, ...request }) => ({ ...request, time: new Date(atMs).toISOString() })),
  })
  return (
    <Dialog
      title="Report a problem"
      variant="medium"
      onClose={onClose}
      footer={<CopyButton noun="report" label="Copy report" disabledReason={isReading && 'Being read'} text={report} />}
    >
      <Content component="p">
        Copy this into your report, and say what you did and what you expected. It has no names of namespaces or
        objects, no values of filters, no content of objects and nothing of your session. The ids of requests find them
        in the log of the gateway. Reports are welcome at{' '}
        <ExternalLink href={discussionsUrl}>the discussions</ExternalLink>.
      </Content>
      <CodeBlock aria-busy={isReading}>
        <CodeBlockCode>{report}</CodeBlockCode>
      </CodeBlock>
    </Dialog>
  )
}
