import { Pagination } from '@patternfly/react-core'

/** Rows of a page, in forms and dialogs. */
export const pageSize = 10

interface TablePagesProps {
  label: string
  rowCount: number
  /** The first one is 1. */
  page: number
  onPage: (page: number) => void
}

export const TablePages = ({ label, rowCount, page, onPage }: TablePagesProps) => (
  <Pagination
    isCompact
    itemCount={rowCount}
    perPage={pageSize}
    // One size for all: a dialog does not grow.
    perPageOptions={[]}
    page={page}
    onSetPage={(_, next) => onPage(next)}
    titles={{ paginationAriaLabel: `Pages of ${label.toLowerCase()}` }}
  />
)
