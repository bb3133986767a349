import { Content } from '@patternfly/react-core'
import { useEffect } from 'react'
import { paths } from '../../paths'
import { ButtonLink } from '../../ui/actions/ButtonLink'
import { Page } from '../../ui/page/Page'

/**
 * Landing page of a sign-in that was started in a new tab, because the session of another tab had ended. By the time it
 * renders, the other tabs have been notified.
 */
export { SignedInPage as Component }
function SignedInPage() {
  useEffect(() => window.close(), [])
  return (
    <Page title="You are signed in">
      <Content component="p">Your other tabs continue where you left off. You can close this one.</Content>
      <ButtonLink to={paths.overview()}>Go to Overview page</ButtonLink>
    </Page>
  )
}
