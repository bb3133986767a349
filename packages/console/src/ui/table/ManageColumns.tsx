import { Button, ToolbarItem } from '@patternfly/react-core'
import ColumnsIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-columns-icon'
import { useState } from 'react'
import { useFlag } from '../../api/flags/flags'
import { ChunkLoadAlert, lazyComponent } from '../page/lazy-component'
import type { Column } from './rows'

const ManageColumnsDialog = lazyComponent(() => import('./ManageColumnsDialog'), 'ManageColumnsDialog', {
  Missing: ChunkLoadAlert,
})

interface ManageColumnsProps<T, A> {
  columns: readonly Column<T, A>[]
  visible: readonly Column<T, A>[]
  /** Title of the dialog. */
  title: string | undefined
  /** @param ids `undefined` for the default ones */
  onSave: (ids: readonly string[] | undefined) => void
}

/** Button that opens the column settings, if their feature flag is on. */
export function ManageColumns<T, A>({ columns, visible, title, onSave }: ManageColumnsProps<T, A>) {
  const isOn = useFlag('column-management')
  const [isOpen, setIsOpen] = useState(false)
  if (!isOn) return null
  return (
    <ToolbarItem>
      <Button variant="link" icon={<ColumnsIcon />} onClick={() => setIsOpen(true)}>
        Manage columns
      </Button>
      {isOpen && (
        <ManageColumnsDialog
          columns={columns}
          visible={visible}
          title={title}
          onSave={onSave}
          onClose={() => setIsOpen(false)}
        />
      )}
    </ToolbarItem>
  )
}
