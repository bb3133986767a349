import { useState } from 'react'
import { type Access, disabledReason, useAccess } from '../../api/access/access'
import type { ApplicationParams } from '../../paths'
import { buildComponentChecks } from '../../resources/components'
import type { Action } from '../action'
import { ActionButton } from '../actions/ActionButton'
import { LazyBuildPipelinesDialog } from './LazyBuildPipelinesDialog'

const label = 'Manage build pipelines'
const reasonWithout = (mayManage: Access) =>
  disabledReason(mayManage, 'You do not have access to manage build pipelines')

/** Opens the dialog with the build pipelines of all components of an application. */
export function ManageBuildPipelinesButton({ at }: { at: ApplicationParams }) {
  const [isOpen, setIsOpen] = useState(false)
  const mayManage = useAccess(buildComponentChecks(at.namespace))
  return (
    <>
      <ActionButton variant="secondary" disabledReason={reasonWithout(mayManage)} onClick={() => setIsOpen(true)}>
        {label}
      </ActionButton>
      {isOpen && <LazyBuildPipelinesDialog at={at} onClose={() => setIsOpen(false)} />}
    </>
  )
}

/** The same in a menu. @param onSelect opens the dialog */
export const manageBuildPipelinesAction = (mayManage: Access, onSelect: () => void): Action => ({
  label,
  disabledReason: reasonWithout(mayManage),
  onSelect,
})
