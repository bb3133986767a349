import type { Commit } from '@slipway/model/builds/commit'
import { useOutletContext } from 'react-router'

/** The commit that `CommitLayout` passes to its tabs, kept up to date. */
export const useCommitOfPage = (): Commit => useOutletContext<Commit>()
