import type { Commit } from '@slipway/model/supply-chain/commit'
import { useOutletContext } from 'react-router'

/** What `CommitLayout` hands to its tabs: the commit, kept up to date. */
export const useCommitOfPage = (): Commit => useOutletContext<Commit>()
