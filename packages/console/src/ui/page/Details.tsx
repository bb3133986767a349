import {
  DescriptionList,
  DescriptionListDescription,
  DescriptionListGroup,
  DescriptionListTerm,
} from '@patternfly/react-core'
import type { ReactNode } from 'react'
import './Details.css'

/** A fact of an object: `undefined` does not apply and is left out; `null` is unknown and shown as `-`. */
export type DetailItem = readonly [term: string, description: ReactNode]

interface DetailsProps {
  label: string
  items: readonly DetailItem[]
  /** For a panel, which has room for only one column. */
  isNarrow?: boolean
  /** For facts that follow each other, which belong in one column however much room there is. */
  isOrdered?: boolean
}

/** The facts of one object, in columns as there is room. */
export const Details = ({ label, items, isNarrow = false, isOrdered = false }: DetailsProps) => (
  <DescriptionList
    aria-label={label}
    isCompact
    isFluid
    isHorizontal={!isNarrow}
    horizontalTermWidthModifier={{ default: '13ch' }}
    columnModifier={isNarrow || isOrdered ? { default: '1Col' } : { default: '1Col', lg: '2Col' }}
  >
    {items.map(([term, description]) =>
      description === undefined ? null : (
        <DescriptionListGroup key={term}>
          <DescriptionListTerm>{term}</DescriptionListTerm>
          <DescriptionListDescription>{description ?? '-'}</DescriptionListDescription>
        </DescriptionListGroup>
      ),
    )}
  </DescriptionList>
)
