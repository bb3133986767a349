import type { NamespacedName } from '@slipway/model/namespaced-name'
import { useAccess } from '../../api/access/use-access'
import { openRunChecks } from '../../resources/pipeline-runs'
import { PipelineRunLink } from '../links'

interface ReleaseRunLinkProps {
  run: NamespacedName
  /** Application of the release. */
  application: string
  /** The release whose page has the link: the breadcrumb of the run leads back to it. */
  release?: string | undefined
}

/** A run of a release, which may be in another team's namespace: a link if the user may open it, else its name and why. */
export function ReleaseRunLink({ run: { namespace, name }, application, release }: ReleaseRunLinkProps) {
  const { isAllowed, isPending } = useAccess(namespace ? openRunChecks(namespace) : [])
  if (namespace && isAllowed)
    return <PipelineRunLink at={{ namespace, application }} pipelineRun={name} release={release} />
  return (
    <>
      {name}
      {namespace && !isPending && ` (no access to ${namespace})`}
    </>
  )
}
