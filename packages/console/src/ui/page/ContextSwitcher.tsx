import {
  Menu,
  MenuContainer,
  MenuContent,
  MenuFooter,
  MenuItem,
  MenuList,
  MenuSearch,
  MenuSearchInput,
  MenuToggle,
  SearchInput,
  Spinner,
  Tab,
  Tabs,
  TabTitleText,
} from '@patternfly/react-core'
import BackIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-caret-left-icon'
import OpenIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-caret-right-icon'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { useStored } from '../../lib/stored'
import { contextMemory, rememberRecent, rememberTab } from './context-memory'

/** Something to switch to, or a group of such things. */
export interface ContextItem {
  /** Unique among all items, groups included. */
  key: string
  name: string
  /** Shown below the name, and found by the filter too. */
  description?: string | undefined
  /** The items of a group, which cannot be chosen itself. */
  children?: ContextItem[]
}

interface ContextSwitcherProps {
  /** The key under which it remembers choices. */
  resourceType: string
  /** The type in words, such as `namespace`. */
  noun: string
  selected: ContextItem
  /** `undefined` until they have loaded. */
  items: ContextItem[] | undefined
  /** Shown in place of the items if they cannot be loaded. */
  failure?: ReactNode
  /** Rendered as well when the filter matches no item. */
  noMatches?: ReactNode
  /** Shown below the items, such as links to related pages. */
  footer?: ReactNode
  onOpen?: () => void
  onSelect: (item: ContextItem) => void
}

const tabs = ['Recent', 'All'] as const
/** More items do not help users choose, and take long to render. */
const shownAtMost = 200

/** A button with the name of the current item, which opens a menu of others. */
export function ContextSwitcher(props: ContextSwitcherProps) {
  const { resourceType, noun, selected, footer, onOpen, onSelect } = props
  const [isOpen, setIsOpen] = useState(false)
  const toggle = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const open = (willOpen: boolean) => {
    if (willOpen) onOpen?.()
    setIsOpen(willOpen)
  }
  const choose = (item: ContextItem) => {
    setIsOpen(false)
    toggle.current?.focus()
    if (item.key === selected.key) return
    // Users most often go back to where they came from.
    rememberRecent(resourceType, item.key, selected.key)
    onSelect(item)
  }
  return (
    <MenuContainer
      isOpen={isOpen}
      onOpenChange={open}
      // Not Tab, which moves through the filter and the tabs.
      onOpenChangeKeys={['Escape']}
      toggleRef={toggle}
      toggle={
        <MenuToggle
          ref={toggle}
          size="sm"
          isExpanded={isOpen}
          onClick={() => open(!isOpen)}
          aria-label={`Switch ${noun}, now ${selected.name}`}
          className="slipway-switcher"
        >
          {selected.name}
        </MenuToggle>
      }
      menuRef={menu}
      menu={
        <Menu
          ref={menu}
          className="slipway-switcher__menu"
          onBlur={({ currentTarget, relatedTarget: next }) => {
            // Close the menu when the focus leaves it, so that it does not cover the page.
            if (next && next !== toggle.current && !currentTarget.contains(next)) setIsOpen(false)
          }}
        >
          {isOpen && <Choice {...props} menu={menu} onChoose={choose} />}
          {isOpen && footer && <MenuFooter>{footer}</MenuFooter>}
        </Menu>
      }
      popperProps={{ appendTo: 'inline', maxWidth: '24rem', minWidth: '18rem', preventOverflow: true }}
    />
  )
}

interface ChoiceProps extends Omit<ContextSwitcherProps, 'onSelect' | 'onOpen' | 'footer'> {
  menu: RefObject<HTMLDivElement | null>
  onChoose: (item: ContextItem) => void
}

/** The content of the menu, mounted each time it opens, so that it starts without a filter. */
function Choice({ resourceType, noun, selected, items, failure, noMatches, menu, onChoose }: ChoiceProps) {
  const id = useId()
  const [memory] = useStored(contextMemory)
  const [filter, setFilter] = useState('')
  const [groupKey, setGroupKey] = useState<string>()
  const group = items?.find(isKey(groupKey))
  const recentKeys = memory.recentItems[resourceType] ?? []
  const leaves = leavesOf(items)
  const recent = recentKeys.flatMap((key) => leaves.find(isKey(key)) ?? [])
  // Until the items have loaded, assume that recent ones still exist, so that the tab does not change while in use.
  const tab = memory.lastTab[resourceType] ?? ((items ? recent : recentKeys).length > 0 ? 0 : 1)
  const inTab = tab === 0 ? recent : (group?.children ?? items ?? [])
  const matching = inTab.filter((item) => hasMatch(item, filter))
  const [first] = matching
  // `autoFocus` comes too early: the menu is not positioned yet.
  useEffect(() => menu.current?.querySelector('input')?.focus({ preventScroll: true }), [menu])
  const enter = (next: ContextItem | undefined) => {
    setGroupKey(next?.key)
    setFilter('')
    menu.current?.querySelector('input')?.focus()
  }
  const select = (item: ContextItem) => (item.children ? enter(item) : onChoose(item))
  const goDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown') return
    // The menu itself would move on to the second item.
    event.stopPropagation()
    event.preventDefault()
    menu.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus()
  }
  return (
    <>
      <MenuSearch>
        <MenuSearchInput>
          <SearchInput
            aria-label={`Filter ${noun}s by name`}
            placeholder="Filter by name..."
            value={filter}
            onChange={(_, text) => setFilter(text)}
            onClear={() => setFilter('')}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && first && filter) select(first)
              goDown(event)
            }}
          />
        </MenuSearchInput>
      </MenuSearch>
      <Tabs
        isFilled
        aria-label={`Which ${noun}s`}
        activeKey={tab}
        onSelect={(_, next) => rememberTab(resourceType, next === 0 ? 0 : 1)}
        onKeyDown={goDown}
      >
        {tabs.map((title, index) => (
          <Tab key={title} eventKey={index} tabContentId={id} title={<TabTitleText>{title}</TabTitleText>} />
        ))}
      </Tabs>
      <MenuContent maxMenuHeight="20rem" id={id} role="tabpanel" aria-label={tabs[tab]}>
        {failure ?? (
          <>
            {!items && <Spinner size="md" aria-label={`Loading ${noun}s`} className="slipway-switcher__note" />}
            {(matching.length > 0 || group) && (
              <MenuList aria-label={`${tabs[tab]} ${noun}s`}>
                {group && tab === 1 && (
                  <MenuItem icon={<BackIcon />} onClick={() => enter(undefined)}>
                    Back from {group.name}
                  </MenuItem>
                )}
                {matching.slice(0, shownAtMost).map((item) => (
                  <MenuItem
                    key={item.key}
                    isSelected={item.key === selected.key}
                    description={item.description}
                    onClick={() => select(item)}
                    aria-haspopup={item.children && 'menu'}
                  >
                    {item.name} {item.children && <OpenIcon className="slipway-switcher__into" />}
                  </MenuItem>
                ))}
              </MenuList>
            )}
            {items && filter && matching.length === 0 && noMatches}
            {items && <Note noun={noun} isFiltered={filter !== ''} tab={tabs[tab]} count={matching.length} />}
          </>
        )}
      </MenuContent>
    </>
  )
}

interface NoteProps {
  noun: string
  isFiltered: boolean
  tab: (typeof tabs)[number]
  count: number
}

/** Explains what the list does not show. */
function Note({ noun, isFiltered, tab, count }: NoteProps) {
  let text = ''
  if (count > shownAtMost) text = `${count - shownAtMost} more: filter by name to find them.`
  else if (count === 0 && isFiltered) text = `No ${noun}s match this name.`
  else if (count === 0) text = tab === 'Recent' ? `The ${noun}s you choose appear here.` : `No ${noun}s yet.`
  return (
    <p role="status" className={text && 'slipway-switcher__note'}>
      {text}
    </p>
  )
}

const isKey = (key: string | undefined) => (item: ContextItem) => item.key === key

const leavesOf = (items: readonly ContextItem[] = []): ContextItem[] =>
  items.flatMap((item) => (item.children ? leavesOf(item.children) : item))

/** A group matches if an item in it does. */
const hasMatch = ({ name, description = '', children = [] }: ContextItem, filter: string): boolean =>
  `${name}\n${description}`.toLowerCase().includes(filter.trim().toLowerCase()) ||
  children.some((item) => hasMatch(item, filter))
