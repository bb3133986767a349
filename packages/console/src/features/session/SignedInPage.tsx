import { Content } from '@patternfly/react-core'
import { useEffect } from 'react'
import { paths } from '../../paths'
import { ButtonLink } from '../../ui/actions/ButtonLink'
import { Page } from '../../ui/page/Page'

/**
 * Where a sign-in leads that was begun beside a page whose session had ended. By the time it is drawn, the other tabs
 * have been told.
 */
export { SignedInPage as Component }
function SignedInPage() {
  useEffect(() => window.close(), [])
  return (
    <Page title="You are signed in">
      <Content component="p">Your other tabs go on where you were. This one can be closed.</Content>
      <ButtonLink to={paths.overview()}>Go to Overview page</ButtonLink>
    </Page>
  )
}
