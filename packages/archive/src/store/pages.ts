import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'

/** A condition on a row `o` of `objects`, with its parameters. */
export interface SqlTerm {
  sql: string
  params: (string | number)[]
}

/** Pages are sorted by time, and by id at equal times. */
export interface Position {
  atMs: number
  id: number
}

export interface PageQuery {
  /** Ids of the scopes: kinds, each in a namespace. */
  scopes: number[]
  uid?: string
  name?: string
  /** Only objects of this result. */
  resultUid?: string
  /** Each label must have one of these values. */
  labels?: { key: string; values: string[] }[]
  /** Only objects created later; creation times have a resolution of one second. */
  createdAfterMs?: number
  createdBeforeMs?: number
  where?: SqlTerm
  order?: { by: 'created' | 'updated'; direction: 'asc' | 'desc' }
  after?: Position
  limit: number
  signal?: AbortSignal
}

export interface Page {
  ids: number[]
  /** Where the next page starts; absent on the last page. */
  next?: Position
}

/** A set of rows that an index returns in page order. */
interface Source {
  from: string
  where: string
  params: (string | number)[]
}

/** Rows checked per turn of the event loop, if a condition must be checked row by row. */
const scanned = 500
/** Counting stops here, since larger counts make no difference. */
const manyRows = 2_000

/** Finds the rows of pages. The cost only depends on the page size and the number of rows that a condition rejects. */
export function createPages(database: DatabaseSyncInstance) {
  const statements = new Map<string, StatementSyncInstance>()
  const prepare = (sql: string): StatementSyncInstance => {
    const known = statements.get(sql)
    if (known) return known
    // User filters produce an unlimited number of statements.
    if (statements.size > 200) statements.clear()
    const statement = database.prepare(sql)
    statements.set(sql, statement)
    return statement
  }

  const labelIds = ({ key, values }: { key: string; values: string[] }): number[] =>
    values.flatMap((value) => {
      const row = prepare('SELECT id FROM labels WHERE key = ? AND value = ?').get(key, value) as
        { id: number } | undefined // As selected.
      return row ? [row.id] : []
    })

  /** Number of rows with one of these labels, up to the limit. */
  function countOf(labels: number[], scopes: number[]): number {
    let count = 0
    const statement = prepare(
      `SELECT count(*) AS count FROM (SELECT 1 FROM object_labels WHERE label = ? AND scope = ? LIMIT ${manyRows})`,
    )
    for (const label of labels) {
      for (const scope of scopes) {
        if (count >= manyRows) return count
        count += (statement.get(label, scope) as { count: number }).count
      }
    }
    return count
  }

  /** The row sources, and the conditions to check on each row. `undefined` if nothing can match. */
  function planOf(query: PageQuery): { sources: Source[]; rest: SqlTerm[] } | undefined {
    const { scopes, uid, name, resultUid, where } = query
    const rest: SqlTerm[] = where ? [where] : []
    const labels = (query.labels ?? []).map(labelIds)
    if (labels.some((ids) => ids.length === 0)) return undefined
    const inScope = (from: string, more = '', params: (string | number)[] = []): Source[] =>
      scopes.map((scope) => ({ from, where: `scope = ?${more}`, params: [scope, ...params] }))
    let sources: Source[] | undefined
    let driver: number[] | undefined
    if (uid !== undefined) sources = inScope('objects', ' AND uid = ?', [uid])
    else if (name !== undefined) sources = inScope('objects', ' AND name = ?', [name])
    else if (resultUid !== undefined) sources = inScope('objects', ' AND result = ?', [resultUid])
    else if (labels.length > 0 && query.order?.by !== 'updated') {
      const counted = labels.map((ids) => ({ ids, count: countOf(ids, scopes) })).sort((a, b) => a.count - b.count)
      const best = counted[0]
      // Merging many rows of many values is expensive, so use the index in order of creation instead.
      if (best && (best.count < manyRows || best.ids.length === 1)) {
        driver = best.ids
        sources = best.ids.flatMap((label) => inScope('object_labels', ' AND label = ?', [label]))
      }
    }
    if (uid !== undefined && name !== undefined) rest.push({ sql: 'o.name = ?', params: [name] })
    if ((uid ?? name) !== undefined && resultUid !== undefined) rest.push({ sql: 'o.result = ?', params: [resultUid] })
    for (const ids of labels.filter((each) => each !== driver)) {
      rest.push({
        sql: `EXISTS (SELECT 1 FROM object_labels l WHERE l.label IN (${ids.join(', ')})
          AND l.scope = o.scope AND l.created = o.created AND l.id = o.id)`,
        params: [],
      })
    }
    return { sources: sources ?? inScope('objects'), rest }
  }

  function candidatesOf(source: Source, query: PageQuery, after: Position | undefined, limit: number): Position[] {
    const { by = 'created', direction = 'desc' } = query.order ?? {}
    const conditions = [source.where]
    const params = [...source.params]
    if (query.createdAfterMs !== undefined) {
      conditions.push('created > ?')
      params.push(query.createdAfterMs)
    }
    if (query.createdBeforeMs !== undefined) {
      conditions.push('created < ?')
      params.push(query.createdBeforeMs)
    }
    if (after) {
      conditions.push(`(${by}, id) ${direction === 'desc' ? '<' : '>'} (?, ?)`)
      params.push(after.atMs, after.id)
    }
    const sql = `SELECT ${by} AS atMs, id FROM ${source.from} WHERE ${conditions.join(' AND ')}
      ORDER BY ${by} ${direction}, id ${direction} LIMIT ?`
    return prepare(sql).all(...params, limit) as unknown as Position[] // As selected.
  }

  function matching(candidates: Position[], rest: SqlTerm[]): Position[] {
    if (rest.length === 0) return candidates
    const sql = `SELECT o.id FROM objects o WHERE o.id IN (SELECT value FROM json_each(?))
      AND ${rest.map((term) => `(${term.sql})`).join(' AND ')}`
    const ids = JSON.stringify(candidates.map(({ id }) => id))
    const rows = prepare(sql).all(ids, ...rest.flatMap(({ params }) => params)) as { id: number }[] // As selected.
    const found = new Set(rows.map(({ id }) => id))
    return candidates.filter(({ id }) => found.has(id))
  }

  return async function page(query: PageQuery): Promise<Page> {
    const plan = planOf(query)
    if (!plan) return { ids: [] }
    const { sources, rest } = plan
    const isDescending = query.order?.direction !== 'asc'
    const wanted = query.limit + 1
    const chunk = rest.length === 0 ? wanted : Math.max(wanted, scanned)
    const found: Position[] = []
    for (let after = query.after; ;) {
      const merged = sources.flatMap((source) => candidatesOf(source, query, after, chunk))
      if (sources.length > 1) merged.sort((a, b) => (a.atMs - b.atMs || a.id - b.id) * (isDescending ? -1 : 1))
      const candidates = merged.slice(0, chunk)
      found.push(...matching(candidates, rest))
      if (found.length >= wanted || candidates.length < chunk) break
      after = candidates.at(-1)
      await new Promise((resolve) => setImmediate(resolve))
      query.signal?.throwIfAborted()
    }
    const ids = found.slice(0, query.limit).map(({ id }) => id)
    const last = found.length > query.limit ? found[query.limit - 1] : undefined
    return { ids, ...(last && { next: last }) }
  }
}
