import { Button, Tooltip } from '@patternfly/react-core'
import PreviousIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-caret-left-icon'
import NextIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-caret-right-icon'
import { type ReactNode, useEffect } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { pagePath } from '../../lib/base-path'
import { useStored } from '../../lib/stored'
import { useLatest } from '../../lib/use-latest'
import { isTypingIn, keyTakers, singleKeys, stepFor } from '../page/keys'
import { useOverlayContainer } from '../page/overlay-container'
import { type PageShortcut, useRegisterShortcuts } from '../page/page-shortcuts'
import { isWithin, openedLists, type Position, positionOf, sameTab } from './opened-lists'
import './list-position.css'

interface ListPositionProps {
  /** The path of the item, without that of its tabs; by default that of the page, or the one above it. */
  page?: string
}

/** On the page of an item that was opened from a list: its position there, and buttons and keys for its neighbours. */
export function ListPosition({ page }: ListPositionProps) {
  const [lists] = useStored(openedLists)
  const { pathname } = useLocation()
  for (const path of page === undefined ? [pathname, parentOf(pathname)] : [page]) {
    const position = positionOf(path, lists)
    if (position) return <Neighbours page={path} position={position} />
  }
  return null
}

const parentOf = (pathname: string): string => pathname.slice(0, pathname.lastIndexOf('/'))

const keys: readonly PageShortcut[] = [
  { keys: ['['], description: 'Previous item of the list' },
  { keys: [']'], description: 'Next item of the list' },
]

function Neighbours({ page, position }: { page: string; position: Position }) {
  const { list, number, previous, next } = position
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const goTo = (item: string | undefined) => {
    if (!item) return
    // The URL is ahead of what is rendered while a tab is loading.
    const shown = pagePath()
    const path = isWithin(page, shown) ? shown : pathname
    // Replaced, so that Back leads to the list, however many items were seen.
    void navigate(sameTab(item, page, path), { replace: true })
  }
  const step = useLatest((direction: 'previous' | 'next') => goTo(direction === 'next' ? next : previous))
  useRegisterShortcuts(keys)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const direction = stepFor(event, { isTyping: isTypingIn(event.target), mayBeSingle: singleKeys.get() })
      if (!direction || event.defaultPrevented || document.querySelector(keyTakers)) return
      event.preventDefault()
      step.current(direction)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [step])
  return (
    <nav className="slipway-list-position" aria-label={`Position in ${list.label.toLowerCase()}`}>
      <NeighbourButton
        label="Previous"
        keyName="["
        icon={<PreviousIcon />}
        item={previous}
        isEnd={number === 1}
        onGo={goTo}
      />
      <Link to={list.url} title={`Back to ${list.label.toLowerCase()}`}>
        {number.toLocaleString('en-US')} of {list.total.toLocaleString('en-US')}
      </Link>
      <NeighbourButton
        label="Next"
        keyName="]"
        icon={<NextIcon />}
        item={next}
        isEnd={number === list.total}
        onGo={goTo}
      />
    </nav>
  )
}

interface NeighbourButtonProps {
  label: string
  keyName: string
  icon: ReactNode
  /** `undefined` at an end of the list, and of what is remembered of a long one. */
  item: string | undefined
  isEnd: boolean
  onGo: (item: string | undefined) => void
}

const NeighbourButton = ({ label, keyName, icon, item, isEnd, onGo }: NeighbourButtonProps) => (
  <Tooltip
    appendTo={useOverlayContainer()}
    aria="none"
    content={
      item ? (
        <>
          {label} <kbd>{keyName}</kbd>
        </>
      ) : isEnd ? (
        `There is no ${label.toLowerCase()} item`
      ) : (
        'Go back to the list to see more items'
      )
    }
  >
    <Button
      variant="plain"
      size="sm"
      icon={icon}
      aria-label={`${label} item`}
      aria-keyshortcuts={keyName}
      isAriaDisabled={!item}
      onClick={() => onGo(item)}
    />
  </Tooltip>
)
