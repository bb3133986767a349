import { Button } from '@patternfly/react-core'
import ExperimentIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-experimental-icon'
import { useState } from 'react'
import { lazyPart, MissingPart } from '../../ui/lazy-part'

const FlagsDialog = lazyPart(() => import('./FlagsDialog').then((module) => module.FlagsDialog), {
  Missing: MissingPart,
})

export function FlagsButton() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button
        variant="plain"
        aria-label="Experimental features"
        aria-haspopup="dialog"
        icon={<ExperimentIcon />}
        onClick={() => setIsOpen(true)}
      />
      {isOpen && <FlagsDialog onClose={() => setIsOpen(false)} />}
    </>
  )
}
