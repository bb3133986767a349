import UserIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-profile-icon'
import { useQuery } from '@tanstack/react-query'
import { failureText } from '../api/messages'
import { logOut, signOutFailure, storedUser, userQuery } from '../api/session/session'
import { useStore } from '../lib/store'
import { MenuButton } from '../ui/actions/MenuButton'
import { FrameAlert } from '../ui/status/FrameAlert'

export function UserMenu() {
  // Shows the last signed-in user until the gateway has responded.
  const { data: user = storedUser.get() } = useQuery(userQuery)
  const failure = useStore(signOutFailure)
  const email = user?.email ?? 'User'
  return (
    <>
      <MenuButton
        label={email}
        text={email}
        title={email}
        icon={<UserIcon />}
        variant="plainText"
        className="slipway-user"
        choices={[{ label: 'Log out', onSelect: () => void logOut() }]}
      />
      {failure && (
        <FrameAlert
          variant="danger"
          title="Unable to log out"
          className="slipway-toast"
          onClose={() => signOutFailure.set(undefined)}
        >
          {failureText(failure)}
        </FrameAlert>
      )}
    </>
  )
}
