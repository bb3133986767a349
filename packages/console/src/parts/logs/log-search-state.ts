import type { LogQuery } from '@slipway/model/logs/log-search'
import { createParser, parseAsArrayOf, parseAsStringLiteral, useQueryStates } from 'nuqs'
import { useEffect } from 'react'
import type { StepLog } from '../../api/logs/task-log'
import { useStore } from '../../lib/store'
import { useKeyed } from '../../lib/use-keyed'
import { createLogSearch, type LogSearch } from './log-search'
import { scanFor } from './log-scan'

/** Longer than any search that a user types; the rest of a hostile link is dropped. */
const longestText = 256

const modes = ['regex', 'case'] as const
const parsers = {
  find: createParser({ parse: (text) => text.slice(0, longestText), serialize: (text: string) => text }),
  findAs: parseAsArrayOf(parseAsStringLiteral(modes)),
}

/** The search in logs, kept in the URL: `find=timeout&findAs=regex,case`. */
export function useLogQuery(): [LogQuery, (change: Partial<LogQuery>) => void] {
  const [{ find, findAs }, set] = useQueryStates(parsers)
  const isRegex = findAs?.includes('regex') ?? false
  const isCaseSensitive = findAs?.includes('case') ?? false
  // A search belongs to its query: a new object starts a new search.
  const query = useKeyed(`${isRegex} ${isCaseSensitive} ${find ?? ''}`, () => ({
    text: find ?? '',
    isRegex,
    isCaseSensitive,
  }))
  return [
    query,
    (change) => {
      const { text, isRegex, isCaseSensitive } = { ...query, ...change }
      const chosen = modes.filter((mode) => (mode === 'regex' ? isRegex : isCaseSensitive))
      void set({ find: text || null, findAs: chosen.length > 0 ? chosen : null })
    },
  ]
}

/** A search through the steps of a task, as they grow. */
export function useLogSearch(steps: readonly StepLog[], linesVersion: number, query: LogQuery): LogSearch {
  const search = useKeyed(query, () => createLogSearch(query, scanFor(query)))
  useEffect(() => () => search.close(), [search])
  useEffect(() => search.look(steps), [search, steps, linesVersion])
  useStore({ subscribe: search.subscribe, get: search.version })
  return search
}
