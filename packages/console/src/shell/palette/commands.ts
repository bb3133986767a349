/** An entry of the palette. */
export interface Command {
  id: string
  group:
    | 'Actions'
    | 'Screens'
    | 'Vulnerabilities'
    | 'Applications'
    | 'Components'
    | 'Integration tests'
    | 'Release plans'
    | 'Releases'
    | 'Snapshots'
    | 'Secrets'
    | 'Pipeline runs'
    | 'Commits'
    | 'Namespaces'
    | 'Console'
  label: string
  /** Searched instead of the label, if it contains more than the label. */
  searchText?: string
  /** Why it cannot run now; it is listed nevertheless. */
  disabledReason?: string | false
  /** Changes something immediately: never preselected, and confirmed before it runs. */
  isWrite?: boolean | undefined
  run: () => void
}

/** Users do not read longer lists, and rendering thousands of options would make typing slow. */
const maxPerGroup = 25

interface Matches {
  /** The best matches of each group. */
  shown: Command[]
  /** The number of all matches. */
  count: number
}

/**
 * Finds the commands for which each typed word is in the label or names the group. Labels that start with the first
 * word come before those with another word that starts with it, and these before the rest. Groups keep their order, and
 * each is limited, so that a large one leaves room for the others.
 */
export function matchCommands(commands: readonly Command[], typed: string): Matches {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const found = commands
    .map((command) => ({ command, rank: rankOf(command, words) }))
    .filter(({ rank }) => rank < noMatch)
    .sort((a, b) => a.rank - b.rank)
    .map(({ command }) => command)
  const groups = new Set(commands.map(({ group }) => group))
  const shown = [...groups].flatMap((group) => found.filter((command) => command.group === group).slice(0, maxPerGroup))
  return { shown, count: found.length }
}

const noMatch = 3

function rankOf({ label, searchText = label, group }: Command, words: readonly string[]): number {
  const text = searchText.toLowerCase()
  // A group matches by its full name only: parts of it occur in labels of other groups.
  const groups = [group.toLowerCase(), group.toLowerCase().slice(0, -'s'.length)]
  if (!words.every((word) => text.includes(word) || groups.includes(word))) return noMatch
  const first = words[0]
  if (!first || text.startsWith(first)) return 0
  return text.split(/[^a-z0-9]+/).some((part) => part.startsWith(first)) ? 1 : 2
}
