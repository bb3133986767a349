import { Button, List, ListItem, Popover, Skeleton } from '@patternfly/react-core'
import { nameOf, namespaceOf } from '@slipway/kube/object'
import { isCommon, isLinkable } from '@slipway/model/secrets/secret'
import type { ObservedSecret } from '@slipway/model/secrets/secret-concerns'
import { accountCount } from '@slipway/model/secrets/secret-links'
import { type ReactNode, useRef, useState } from 'react'
import { asSentence, failureText } from '../../api/messages'
import { ComponentLink } from '../../parts/links'
import { useOverlayContainer } from '../../ui/page/overlay-container'
import './secrets.css'

interface LinkedComponentsProps {
  row: ObservedSecret
  /** Why it is not known which service accounts refer to the secret. */
  error: Error | undefined
}

/** How many service accounts a secret is linked to, and on demand which: almost all of them belong to a component. */
export function LinkedComponents({ row: { secret, links }, error }: LinkedComponentsProps) {
  const name = nameOf(secret)
  const count = links ? accountCount(links) : 0
  if (count === 0 && !isLinkable(secret)) return '-'
  if (!links) {
    if (!error) return <Skeleton width="2rem" />
    return (
      <CellPopover text="Error" label={`Error: linked components of ${name}`} title="Unable to load linked components">
        {asSentence(failureText(error))}
      </CellPopover>
    )
  }
  if (count === 0) return 0
  const { components, otherAccounts } = links
  const noun = otherAccounts.length > 0 ? 'service account' : 'component'
  return (
    <CellPopover
      text={String(count)}
      label={`${count} linked ${count === 1 ? noun : `${noun}s`} of ${name}`}
      title={`Where ${name} is linked`}
    >
      <List isPlain className="slipway-linked-components">
        {components.map(({ name: component, application, isDeleted }) => (
          <ListItem key={component}>
            <ComponentLink at={{ namespace: namespaceOf(secret), application }} component={component} />
            {isDeleted && ' (deleted component)'}
          </ListItem>
        ))}
        {otherAccounts.map((account) => (
          <ListItem key={account}>Service account {account}</ListItem>
        ))}
      </List>
      {isCommon(secret) && <p>Linked to every new component, too.</p>}
    </CellPopover>
  )
}

interface CellPopoverProps {
  text: string
  /** Accessible name of the button, which starts with its text. */
  label: string
  title: string
  children: ReactNode
}

/** A popover whose button is in each row: rendered once it has been opened, since lists have hundreds. */
function CellPopover({ text, label, title, children }: CellPopoverProps) {
  const button = useRef<HTMLButtonElement>(null)
  const overlayContainer = useOverlayContainer()
  /** `undefined` before the first click: from then on the popover itself listens to its button. */
  const [isOpen, setIsOpen] = useState<boolean>()
  return (
    <>
      <Button
        ref={button}
        variant="link"
        isInline
        className="slipway-cell-button"
        aria-label={label}
        aria-haspopup="dialog"
        aria-expanded={isOpen === true}
        onClick={() => {
          if (isOpen === undefined) setIsOpen(true)
        }}
      >
        {text}
      </Button>
      {isOpen !== undefined && (
        <Popover
          triggerRef={button}
          isVisible={isOpen}
          shouldOpen={() => setIsOpen(true)}
          shouldClose={() => setIsOpen(false)}
          appendTo={overlayContainer}
          headerContent={title}
          headerComponent="h2"
          bodyContent={children}
        />
      )}
    </>
  )
}
