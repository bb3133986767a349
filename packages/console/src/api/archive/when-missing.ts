import type { ReadMissingList, ReadMissingObject } from '../queries'
import { markArchived } from './origin'

// What queries read if the cluster responds with a 404. Most screens never need it, so it is imported on demand.

export const archivedObject: ReadMissingObject = async (...request) => {
  const { fromArchive } = await import('./archive')
  return markArchived(await fromArchive(...request))
}

export const archivedList: ReadMissingList = async (...request) => {
  const { listFromArchive } = await import('./archive')
  return listFromArchive(...request)
}
