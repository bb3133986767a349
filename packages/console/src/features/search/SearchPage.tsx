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
import { componentsWith } from '../../parts/security/vulnerability-links'
import { namespaces } from '../../resources/namespaces'
import { Page } from '../../ui/page/Page'
import { route } from '../../ui/page/route'
import { RereadNamespaces } from '../../parts/namespaces/RereadNamespaces'
import { FoundChains } from './FoundChains'
import { type Found, FoundObjects } from './FoundObjects'
import { chainParts, foundKinds, runsOfPart } from './found-kinds'
import './search.css'

export const page = route(paths.search, () => ({ waitFor: [namespaces.list()] }))

export { SearchPage as Component }
/** Finds what a user has pasted in all namespaces: the cluster's objects, newest first. */
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
  const [found, setFound] = useState<Readonly<Record<string, Found>>>({})
  const groups = [
    ...foundKinds.map((kind) => ({ id: kind.id, kind, identifier: term, isExact: false })),
    ...runNamesIn(term).map((name) => ({ id: `part of ${name}`, kind: runsOfPart, identifier: name, isExact: true })),
  ]
  const known = groups.map(({ id }) => found[id]?.total)
  const isKnown = known.every((total) => total !== undefined)
  const count = known.reduce<number>((sum, total) => sum + (total ?? 0), 0)
  return (
    <>
      {isKnown && count === 0 && <RereadNamespaces />}
      <p role="status" className="slipway-search__status">
        {outcome(count, isKnown)} Taken for {textKindOf(term)}. Searched in{' '}
        {all.length === 1 ? `namespace ${all[0]}` : `${all.length.toLocaleString('en-US')} namespaces`}, in what the
        cluster has: not in archives.
      </p>
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
          namespaces={all}
          onFound={(each) =>
            setFound((before) => (isShallowEqual(before[id] ?? {}, each) ? before : { ...before, [id]: each }))
          }
        />
      ))}
    </>
  )
}

/** Where to see which components have a vulnerability: that is in the logs of scans, which no list searches. */
const ComponentsWith = ({ cve }: { cve: string }) => (
  <p>
    <Link to={componentsWith(cve)}>Components with {cve}</Link>
  </p>
)

function outcome(count: number, isKnown: boolean): string {
  if (!isKnown) return count === 0 ? 'Searching…' : `${count.toLocaleString('en-US')} found so far.`
  return count === 0 ? 'Nothing was found.' : `${count.toLocaleString('en-US')} found.`
}
