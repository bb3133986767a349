import type { LogQuery } from '@slipway/model/logs/log-search'
import { createParser, parseAsArrayOf, parseAsStringLiteral, useQueryStates } from 'nuqs'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import type { StepLog } from '../../api/logs/task-log'
import { createLogSearch, type LogSearch } from './log-search'
import { scanFor } from './log-scan'

/** Longer than anything a person looks for; the rest of a hostile link is dropped. */
const longestText = 256

const ways = ['regex', 'case'] as const
const parsers = {
  find: createParser({ parse: (text) => text.slice(0, longestText), serialize: (text: string) => text }),
  findAs: parseAsArrayOf(parseAsStringLiteral(ways)),
}

/** What is looked for in logs, kept in the URL: `find=timeout&findAs=regex,case`. */
export function useLogQuery(): [LogQuery, (change: Partial<LogQuery>) => void] {
  const [{ find, findAs }, set] = useQueryStates(parsers)
  const query = useMemo(
    () => ({
      text: find ?? '',
      isRegex: findAs?.includes('regex') ?? false,
      isCaseSensitive: findAs?.includes('case') ?? false,
    }),
    [find, findAs],
  )
  return [
    query,
    (change) => {
      const { text, isRegex, isCaseSensitive } = { ...query, ...change }
      const chosen = ways.filter((way) => (way === 'regex' ? isRegex : isCaseSensitive))
      void set({ find: text || null, findAs: chosen.length > 0 ? chosen : null })
    },
  ]
}

/** A search through the steps of a task, as they grow. */
export function useLogSearch(steps: readonly StepLog[], linesVersion: number, query: LogQuery): LogSearch {
  const search = useMemo(() => createLogSearch(query, scanFor(query)), [query])
  useEffect(() => () => search.close(), [search])
  useEffect(() => search.look(steps), [search, steps, linesVersion])
  useSyncExternalStore(search.subscribe, search.version)
  return search
}
