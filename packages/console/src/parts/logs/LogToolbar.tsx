import { Button, SearchInput, ToggleGroup, ToggleGroupItem } from '@patternfly/react-core'
import DownloadIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-download-icon'
import DownIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-arrow-down-icon'
import SettingsIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-settings-icon'
import UpIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-arrow-up-icon'
import type { LogQuery } from '@slipway/model/logs/log-search'
import { memo, type ReactNode, type RefObject } from 'react'
import { MenuButton } from '../../ui/actions/MenuButton'
import type { MenuChoice } from '../../ui/actions/MenuPopup'
import type { LogSearch } from './log-search'

interface LogToolbarProps {
  /** Accessible name of the search, such as `Find in the log of build`. */
  label: string
  searchInput: RefObject<HTMLInputElement | null>
  query: LogQuery
  onQuery: (change: Partial<LogQuery>) => void
  search: LogSearch
  /** Number of the current match, from 1; 0 before the user has gone to any. */
  current: number
  onStep: (direction: 1 | -1) => void
  errorCount: number
  onError: (direction: 1 | -1) => void
  view: MenuChoice[]
  downloads: MenuChoice[]
  /** The state of the log. */
  children: ReactNode
}

/** The search, error navigation, options and downloads of a log. */
export function LogToolbar({
  label,
  searchInput,
  query,
  onQuery,
  search,
  current,
  onStep,
  errorCount,
  onError,
  view,
  downloads,
  children,
}: LogToolbarProps) {
  return (
    <div className="slipway-log__bar">
      <SearchInput
        className="slipway-log__search"
        ref={searchInput}
        aria-label={label}
        placeholder="Find in log"
        value={query.text}
        resultsCount={query.text === '' ? undefined : foundText(search, current)}
        resultsCountContext=" found"
        onChange={(_, text) => onQuery({ text })}
        onClear={() => onQuery({ text: '' })}
        onNextClick={() => onStep(1)}
        onPreviousClick={() => onStep(-1)}
        nextNavigationButtonAriaLabel="Next match"
        previousNavigationButtonAriaLabel="Previous match"
        isNextNavigationButtonDisabled={search.total === 0}
        isPreviousNavigationButtonDisabled={search.total === 0}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
          event.preventDefault()
          onStep(event.shiftKey ? -1 : 1)
        }}
      />
      <ToggleGroup isCompact aria-label="Search options">
        <ToggleGroupItem
          text=".*"
          aria-label="Regular expression"
          isSelected={query.isRegex}
          onChange={(_, isRegex) => onQuery({ isRegex })}
        />
        <ToggleGroupItem
          text="Aa"
          aria-label="Match case"
          isSelected={query.isCaseSensitive}
          onChange={(_, isCaseSensitive) => onQuery({ isCaseSensitive })}
        />
      </ToggleGroup>
      {errorCount > 0 && (
        <span>
          <Button
            variant="plain"
            size="sm"
            aria-label="Previous error"
            aria-keyshortcuts="Shift+E"
            icon={<UpIcon />}
            onClick={() => onError(-1)}
          />
          {errorCount === 1 ? '1 error line' : `${errorCount.toLocaleString('en')} error lines`}
          <Button
            variant="plain"
            size="sm"
            aria-label="Next error"
            aria-keyshortcuts="E"
            icon={<DownIcon />}
            onClick={() => onError(1)}
          />
        </span>
      )}
      <Menus view={view} downloads={downloads} />
      {children}
      <span role="alert" className="slipway-log__problem">
        {search.error}
      </span>
    </div>
  )
}

/** Rendered only when the choices change: a menu looks up its style on every render, and scrolling causes many. */
const Menus = memo(function Menus({ view, downloads }: Pick<LogToolbarProps, 'view' | 'downloads'>) {
  return (
    <>
      <MenuButton label="Log options" icon={<SettingsIcon />} appendTo="inline" choices={view} />
      <MenuButton label="Download" icon={<DownloadIcon />} appendTo="inline" choices={downloads} />
    </>
  )
})

/** `2 / 17`, or `2 / 17…` while the search is running. */
function foundText({ total, isRunning, error }: LogSearch, current: number): string | undefined {
  if (error) return undefined
  const all = `${total.toLocaleString('en')}${isRunning ? '…' : ''}`
  return current > 0 ? `${current.toLocaleString('en')} / ${all}` : all
}
