import { Alert, AlertActionCloseButton, Dropdown, DropdownItem, DropdownList, MenuToggle } from '@patternfly/react-core'
import UserIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-profile-icon'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { failureText } from '../api/messages'
import { signOut, storedUser, userQuery } from '../api/session'

export function UserMenu() {
  // Who was signed in last is shown until the gateway has answered.
  const { data: user = storedUser.get() } = useQuery(userQuery)
  const [isOpen, setIsOpen] = useState(false)
  const logOut = useMutation({ mutationFn: signOut })
  const email = user?.email ?? 'User'
  return (
    <>
      <Dropdown
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        onSelect={() => setIsOpen(false)}
        shouldFocusToggleOnSelect
        popperProps={{ position: 'right', appendTo: 'inline' }}
        toggle={(ref) => (
          <MenuToggle
            ref={ref}
            variant="plainText"
            aria-label={email}
            icon={<UserIcon />}
            isExpanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
            className="slipway-user"
          >
            {email}
          </MenuToggle>
        )}
      >
        <DropdownList>
          <DropdownItem onClick={() => logOut.mutate()}>Log out</DropdownItem>
        </DropdownList>
      </Dropdown>
      {logOut.error && (
        <Alert
          variant="danger"
          component="p"
          isLiveRegion
          title="Unable to log out"
          className="slipway-user__failure"
          actionClose={<AlertActionCloseButton onClose={logOut.reset} />}
        >
          {failureText(logOut.error)}
        </Alert>
      )}
    </>
  )
}
