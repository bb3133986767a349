import { Button, ToolbarItem } from '@patternfly/react-core'
import { type ReactNode, useId, useState } from 'react'
import { useMediaQuery } from '../page/media-query'

/** Folds controls of a toolbar in a low window, such as one at 200 % zoom, in which they would leave no space for rows. */
export function FilterFold({ children }: { children: ReactNode }) {
  const id = useId()
  const isLow = useMediaQuery('(height < 36rem)')
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      {isLow && (
        <ToolbarItem>
          <Button
            variant="secondary"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setIsOpen((before) => !before)}
          >
            More filters
          </Button>
        </ToolbarItem>
      )}
      {/* Not unmounted: the values that are selected in them stay on screen. */}
      <div id={id} className="slipway-table__filters" hidden={isLow && !isOpen}>
        {children}
      </div>
    </>
  )
}
