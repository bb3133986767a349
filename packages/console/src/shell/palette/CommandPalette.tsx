import { Button, TextInput } from '@patternfly/react-core'
import { type KeyboardEvent, useId, useState } from 'react'
import { flushSync } from 'react-dom'
import { useNavigate } from 'react-router'
import { searchTermOf } from '@slipway/model/search-term'
import { RereadNamespaces } from '../../parts/namespaces/RereadNamespaces'
import { searchFor } from '../../paths'
import { ButtonLink } from '../../ui/actions/ButtonLink'
import { Dialog } from '../../ui/dialogs/Dialog'
import { UserText } from '../../ui/text/UserText'
import { type Command, matchCommands } from './commands'
import { ConfirmCommand } from './ConfirmCommand'
import { useCommands } from './use-commands'
import './palette.css'

/** Finds pages, objects and actions by typing; the arrow keys select and Enter runs. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const id = useId()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [isWide, setIsWide] = useState(false)
  const term = searchTermOf(typed)
  const { commands, loading, missing, scope, unsearched, namespaceOfScope } = useCommands(term, isWide)
  const [chosenId, setChosenId] = useState<string>()
  const [confirmingId, setConfirmingId] = useState<string>()
  const { shown: matches, count } = matchCommands(commands, term)
  const widen = () => {
    setIsWide(true)
    document.getElementById(`${id}-input`)?.focus()
  }
  // Until the user selects a command, the first one that is enabled and changes nothing.
  const first = matches.find(({ disabledReason, isWrite }) => !disabledReason && !isWrite) ?? matches.find(isDisabled)
  const chosen = matches.find((command) => command.id === chosenId) ?? first
  // `aria-activedescendant` takes one id, so it must not contain spaces.
  const optionId = (command: Command) => `${id}-option-${encodeURIComponent(command.id)}`

  const choose = (command: Command | undefined) => {
    setChosenId(command?.id)
    if (command) document.getElementById(optionId(command))?.scrollIntoView?.({ block: 'nearest' })
  }
  const everywhere = term.length >= 2 ? searchFor(typed.trim()) : undefined
  const searchEverywhere = (path: string) => {
    // Return the focus to the page before it is left.
    flushSync(onClose)
    void navigate(path)
  }
  const execute = (command: Command) => {
    // Return the focus to the page before the command moves it.
    flushSync(onClose)
    command.run()
  }
  const run = (command: Command | undefined) => {
    if (!command || isDisabled(command)) return
    if (command.isWrite) setConfirmingId(command.id)
    else execute(command)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const index = chosen ? matches.indexOf(chosen) : -1
    const indexes: Record<string, number | undefined> = {
      ArrowDown: (index + 1) % matches.length,
      ArrowUp: (Math.max(index, 0) - 1 + matches.length) % matches.length,
      PageDown: Math.min(index + 8, matches.length - 1),
      PageUp: Math.max(index - 8, 0),
    }
    const next = indexes[event.key]
    if (next !== undefined) {
      event.preventDefault()
      choose(matches[next])
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      if (count > 0) run(chosen)
      else if (namespaceOfScope) widen()
      else if (everywhere) searchEverywhere(everywhere)
    }
  }
  const next = namespaceOfScope
    ? `Press Enter to search namespace ${namespaceOfScope}.`
    : everywhere
      ? 'Press Enter to search all namespaces.'
      : 'Try another name.'
  const confirming = commands.find((command) => command.id === confirmingId)
  if (confirming) {
    return (
      <ConfirmCommand
        command={confirming}
        onConfirm={() => execute(confirming)}
        onBack={() => setConfirmingId(undefined)}
        onClose={onClose}
      />
    )
  }
  return (
    <Dialog
      title="Search or run a command"
      variant="medium"
      position="top"
      onClose={onClose}
      focus={`#${CSS.escape(`${id}-input`)}`}
    >
      <TextInput
        id={`${id}-input`}
        aria-label="Search pages, applications, components, runs, commits and actions"
        placeholder="Search pages, applications, components, runs, commits and actions"
        value={typed}
        onChange={(_, text) => {
          setTyped(text)
          setChosenId(undefined)
        }}
        onKeyDown={onKeyDown}
        role="combobox"
        aria-expanded
        aria-autocomplete="list"
        aria-controls={`${id}-list`}
        aria-activedescendant={chosen && optionId(chosen)}
        autoComplete="off"
        spellCheck={false}
      />
      <div id={`${id}-list`} role="listbox" aria-label="Search or run a command" className="slipway-palette__list">
        {groupsOf(matches).map(([group, members]) => (
          <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
            <div id={`${id}-${group}`} role="presentation" className="slipway-palette__group">
              {group}
            </div>
            {members.map((command) => (
              <div
                key={command.id}
                id={optionId(command)}
                role="option"
                aria-selected={command === chosen}
                aria-disabled={isDisabled(command)}
                className="slipway-palette__option"
                onMouseMove={() => setChosenId(command.id)}
                onClick={() => run(command)}
              >
                <UserText text={command.label} />
                {command.disabledReason && <span className="slipway-palette__reason"> {command.disabledReason}</span>}
              </div>
            ))}
          </div>
        ))}
      </div>
      <p role="status" className="slipway-palette__status">
        {[
          ...outcome(matches.length, count, loading, next),
          ...(matches.length > 0 && !chosen ? ['Select one with the arrow keys.'] : []),
          ...missing.map((noun) => `Unable to load ${noun}.`),
          ...(scope ? [scope] : []),
          ...(unsearched && count === 0 ? [unsearched] : []),
        ].join(' ')}
      </p>
      {term && count === 0 && <RereadNamespaces />}
      {namespaceOfScope && (
        <Button variant="link" isInline onClick={widen}>
          Search all applications of namespace {namespaceOfScope}
        </Button>
      )}
      {everywhere && (
        <ButtonLink variant="link" isInline to={everywhere} onClick={onClose}>
          Search all namespaces
        </ButtonLink>
      )}
    </Dialog>
  )
}

const isDisabled = ({ disabledReason }: Command): boolean => Boolean(disabledReason)

/**
 * Does not say that there are no results until everything has loaded.
 * @param next what to do without results
 */
function outcome(shown: number, count: number, loading: readonly string[], next: string): string[] {
  const pending = loading.map((noun) => `Loading ${noun}…`)
  if (count === 0) return pending.length > 0 ? pending : [`No results. ${next}`]
  const number = count.toLocaleString('en-US')
  return [
    shown < count ? `${number} results, best ${shown} shown.` : `${number} ${count === 1 ? 'result' : 'results'}.`,
    ...pending,
  ]
}

const groupsOf = (commands: readonly Command[]): [string, Command[]][] =>
  [...new Set(commands.map(({ group }) => group))].map((group) => [
    group,
    commands.filter((command) => command.group === group),
  ])
