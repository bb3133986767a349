import { Button, Tooltip } from '@patternfly/react-core'
import CopyIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-copy-icon'
import { useState } from 'react'
import { useOverlayContainer } from '../page/overlay-container'

interface CopyButtonProps {
  text: string
  /** What is copied, as in `Copy {noun}`. */
  noun: string
  /** Shown beside the icon; by default only the tooltip says what is copied. */
  label?: string
  /** Why this cannot be copied now; `false` or absent when it can. */
  disabledReason?: string | false
}

export function CopyButton({ text, noun, label, disabledReason }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'Copied' | 'The browser did not allow copying'>()
  const overlayContainer = useOverlayContainer()
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setOutcome('Copied'),
      () => setOutcome('The browser did not allow copying'),
    )
  return (
    <>
      <Tooltip
        appendTo={overlayContainer}
        content={disabledReason || (outcome ?? `Copy ${noun}`)}
        aria={disabledReason ? 'describedby' : 'none'}
        onTooltipHidden={() => setOutcome(undefined)}
      >
        <Button
          variant={label ? 'secondary' : 'plain'}
          size="sm"
          hasNoPadding={!label}
          aria-label={label ? undefined : `Copy ${noun}`}
          isAriaDisabled={Boolean(disabledReason)}
          icon={<CopyIcon />}
          onClick={() => void copy()}
        >
          {label}
        </Button>
      </Tooltip>
      <span role="status" className="pf-v6-screen-reader">
        {outcome}
      </span>
    </>
  )
}
