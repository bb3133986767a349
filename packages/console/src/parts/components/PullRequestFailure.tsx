import { Alert } from '@patternfly/react-core'
import { pullRequestFlowOf } from '@slipway/model/builds/build-pipeline-state'
import type { Component } from '@slipway/model/builds/component'
import { ExternalLink } from '../../ui/text/ExternalLink'

interface PullRequestFailureProps {
  component: Component
  githubAppUrl: string | undefined
  /** In a table, where its frame would be one too many. */
  isPlain?: boolean
}

/** Says why the pull request with the build pipeline of a component could not be sent. */
export const PullRequestFailure = ({ component, githubAppUrl, isPlain }: PullRequestFailureProps) => (
  <Alert
    isInline
    isPlain={isPlain}
    variant="warning"
    component="p"
    title="Pull request failed to reach its destination"
    actionLinks={githubAppUrl && <ExternalLink href={githubAppUrl}>Install GitHub Application</ExternalLink>}
  >
    {pullRequestFlowOf(component)?.errorMessage}
  </Alert>
)
