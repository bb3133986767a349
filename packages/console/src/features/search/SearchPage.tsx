import { Button, Content, SearchInput } from '@patternfly/react-core'
import { nameOf } from '@slipway/kube/object'
import { cvesIn, searchTermOf } from '@slipway/model/search-term'
import { chainsOf } from '@slipway/model/search/chain'
import { pathInAddress, runNamesIn, textKindOf } from '@slipway/model/search/found-in-text'
import { useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { useList } from '../../api/source'
import { isShallowEqual } from '../../lib/shallow-equal'
import { paths } from '../../paths'
import { useObservedNamespaces } from '../../parts/health/observed-namespaces'
import { componentsWith } from '../../parts/security/vulnerability-links'
import { namespaces } from '../../resources/namespaces'
import { Page } from '../../ui/page/Page'
import { route } from '../../ui/page/route'
import { RereadNamespaces } from '../../parts/namespaces/RereadNamespaces'
import { FoundChains } from './FoundChains'
import { ArchiveSearchActions } from './ArchiveSearchActions'
import { type Found, FoundList, FoundObjects } from './FoundObjects'
import { archivedTaskRuns, chainParts, foundKinds, runsOfPart } from './found-kinds'
import { useArchiveSearch, useRunsOf } from './use-archive-search'
import './search.css'

export const page = route(paths.search, () => ({ waitFor: [namespaces.list()] }))

export { SearchPage as Component }
/** Finds what a user has pasted in all namespaces, newest first: the cluster's objects, and then those of archives. */
function SearchPage() {
  const navigate = useNavigate()
  const [params, setParams] = useSearchParams()
  const asked = params.get('q') ?? ''
  const [typed, setTyped] = useState(asked)
  const all = useList(namespaces.list(), 'namespaces').rows?.map(nameOf) ?? []
  const term = searchTermOf(asked)
  const search = () => {
    const path = pathInAddress(typed)
    if (path) void navigate(path)
    else setParams(typed.trim() ? { q: typed.trim() } : {})
  }
  return (
    <Page title="Search" documentTitle={asked ? `Search for ${asked}` : 'Search'}>
      <form
        role="search"
        className="slipway-search__form"
        onSubmit={(event) => {
          event.preventDefault()
          search()
        }}
      >
        <SearchInput
          aria-label="Commit, digest, pull request, name, title, author or address"
          placeholder="Commit, digest, pull request, name, title, author or address"
          value={typed}
          onChange={(_, text) => setTyped(text)}
          onClear={() => setTyped('')}
          onSearch={search}
        />
        <Button type="submit">Search</Button>
      </form>
      {term.length >= leastLength ? (
        <Results key={term} term={term} namespaces={all} />
      ) : (
        <Content component="p">
          Paste what you have: the SHA or title of a commit, the digest of an image, a pull request, an author, a CVE,
          or the name of a run, a task run, a pod, a snapshot, a release, a release plan, a component or an application.
        </Content>
      )}
    </Page>
  )
}

/** Shorter texts would match nearly everything. */
const leastLength = 2

function Results({ term, namespaces: all }: { term: string; namespaces: readonly string[] }) {
  const { read } = useObservedNamespaces(all)
  const [isWide, setIsWide] = useState(false)
  const searched = isWide ? all : read
  return searched ? (
    <ResultsIn
      term={term}
      namespaces={searched}
      others={all.length - searched.length}
      searchOthers={() => setIsWide(true)}
    />
  ) : (
    <p role="status">Searching…</p>
  )
}

interface ResultsInProps {
  term: string
  namespaces: readonly string[]
  /** How many namespaces are not searched. */
  others: number
  searchOthers: () => void
}

function ResultsIn({ term, namespaces: searched, others, searchOthers }: ResultsInProps) {
  const [found, setFound] = useState<Readonly<Record<string, Found>>>({})
  const groups = [
    ...foundKinds.map((kind) => ({ id: kind.id, kind, identifier: term, isExact: false })),
    ...runNamesIn(term).map((name) => ({ id: `part of ${name}`, kind: runsOfPart, identifier: name, isExact: true })),
  ]
  const isKnown = groups.every(({ id }) => found[id]?.total !== undefined && !found[id].isArriving)
  const archive = useArchiveSearch(term, searched, isKnown)
  const isIncomplete = groups.some(({ id }) => found[id]?.isIncomplete) || archive.missing.length > 0
  const taskRuns = archive.hits[archivedTaskRuns.id] ?? none
  const runs = useRunsOf(taskRuns)
  const count = groups.reduce((sum, { id }) => sum + (found[id]?.total ?? 0), taskRuns.length)
  return (
    <>
      {isKnown && count === 0 && <RereadNamespaces />}
      <p role="status" className="slipway-search__status">
        {outcome(count, isKnown && !archive.isFetching, isIncomplete)} Taken for {textKindOf(term)}. Searched in{' '}
        {searched.length === 1 ? `namespace ${searched[0]}` : `${countOf(searched)} namespaces`}. {archive.scope}
      </p>
      {others > 0 && (
        <p>
          <Button variant="link" isInline onClick={searchOthers}>
            Also search the other {others.toLocaleString('en-US')} namespaces
          </Button>
        </p>
      )}
      <ArchiveSearchActions archive={archive} />
      {cvesIn(term).map((cve) => (
        <ComponentsWith key={cve} cve={cve} />
      ))}
      {isKnown && (
        <FoundChains
          chains={chainsOf(chainParts(groups.map(({ id, kind }) => ({ kind, rows: found[id]?.rows ?? [] }))))}
        />
      )}
      {groups.map(({ id, kind, identifier, isExact }) => (
        <FoundObjects
          key={id}
          kind={kind}
          identifier={identifier}
          isExact={isExact}
          namespaces={searched}
          archived={isExact ? runs.filter((run) => nameOf(run) === identifier) : (archive.hits[kind.id] ?? none)}
          onFound={(each) =>
            setFound((before) => (isShallowEqual(before[id] ?? {}, each) ? before : { ...before, [id]: each }))
          }
        />
      ))}
      <FoundList kind={archivedTaskRuns} rows={taskRuns} total={taskRuns.length} />
    </>
  )
}

/** Where to see which components have a vulnerability: that is in the logs of scans, which no list searches. */
const ComponentsWith = ({ cve }: { cve: string }) => (
  <p>
    <Link to={componentsWith(cve)}>Components with {cve}</Link>
  </p>
)

const countOf = (items: readonly unknown[]): string => items.length.toLocaleString('en-US')

const none: never[] = []

function outcome(count: number, isKnown: boolean, isIncomplete: boolean): string {
  if (!isKnown) return count === 0 ? 'Searching…' : `${count.toLocaleString('en-US')} found so far.`
  if (isIncomplete) return `${count === 0 ? 'Nothing' : count.toLocaleString('en-US')} found in what could be searched.`
  return count === 0 ? 'Nothing was found.' : `${count.toLocaleString('en-US')} found.`
}
