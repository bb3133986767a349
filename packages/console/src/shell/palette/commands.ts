/** Something the palette can do. */
export interface Command {
  id: string
  group: 'Actions' | 'Screens' | 'Applications' | 'Components' | 'Pipeline runs' | 'Commits' | 'Namespaces'
  label: string
  /** Searched instead of the label, where there is more to search than is shown. */
  searchText?: string
  /** Why it cannot be done now; it is listed all the same. */
  disabledReason?: string | false
  /** Changes something at once: never chosen in advance, and confirmed before it runs. */
  isWrite?: boolean | undefined
  run: () => void
}

/** More would not be looked through, and drawing thousands would make typing slow. */
const mostOfGroup = 25

interface Matches {
  /** The best of each group. */
  shown: Command[]
  /** How many there are, shown or not. */
  count: number
}

/**
 * The commands of which each word that was typed is in the label or names the group, best first: one that begins with
 * the first word comes before one of which another word does, and that before the rest. What belongs together stays
 * together, in the order of the groups as they come; many of one group leave room for the others.
 */
export function matchCommands(commands: readonly Command[], typed: string): Matches {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const found = commands
    .map((command) => ({ command, rank: rankOf(command, words) }))
    .filter(({ rank }) => rank < noMatch)
    .sort((a, b) => a.rank - b.rank)
    .map(({ command }) => command)
  const groups = new Set(commands.map(({ group }) => group))
  const shown = [...groups].flatMap((group) => found.filter((command) => command.group === group).slice(0, mostOfGroup))
  return { shown, count: found.length }
}

const noMatch = 3

function rankOf({ label, searchText = label, group }: Command, words: readonly string[]): number {
  const text = searchText.toLowerCase()
  // A group is named as a whole: parts of its name are in the labels of others too.
  const groups = [group.toLowerCase(), group.toLowerCase().slice(0, -'s'.length)]
  if (!words.every((word) => text.includes(word) || groups.includes(word))) return noMatch
  const first = words[0]
  if (!first || text.startsWith(first)) return 0
  return text.split(/[^a-z0-9]+/).some((part) => part.startsWith(first)) ? 1 : 2
}
