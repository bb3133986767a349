import { Button, Tooltip } from '@patternfly/react-core'
import CopyIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-copy-icon'
import { useState } from 'react'
import { overlayContainer } from '../page/overlay-container'

interface CopyButtonProps {
  text: string
  /** What is copied, as in `Copy {noun}`. */
  noun: string
}

export function CopyButton({ text, noun }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'Copied' | 'The browser did not allow copying'>()
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setOutcome('Copied'),
      () => setOutcome('The browser did not allow copying'),
    )
  return (
    <>
      <Tooltip
        appendTo={overlayContainer}
        content={outcome ?? `Copy ${noun}`}
        aria="none"
        onTooltipHidden={() => setOutcome(undefined)}
      >
        <Button
          variant="plain"
          size="sm"
          hasNoPadding
          aria-label={`Copy ${noun}`}
          icon={<CopyIcon />}
          onClick={() => void copy()}
        />
      </Tooltip>
      <span role="status" className="pf-v6-screen-reader">
        {outcome}
      </span>
    </>
  )
}
