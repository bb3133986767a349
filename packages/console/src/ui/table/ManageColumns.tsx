import { Button, ToolbarItem } from '@patternfly/react-core'
import ColumnsIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-columns-icon'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useFlag } from '../../api/flags/flags'
import type { ColumnPreference } from './columns'
import type { ManageColumnsDialogProps } from './ManageColumnsDialog'
import type { Column } from './rows'

// Fetched by those who open it. The cast gives the type parameter back that `lazy` takes.
const ManageColumnsDialog = lazy(() => import('./ManageColumnsDialog')) as unknown as <T, A>(
  props: ManageColumnsDialogProps<T, A>,
) => ReactNode

interface ManageColumnsProps<T, A> {
  columns: readonly Column<T, A>[]
  visible: readonly Column<T, A>[]
  preference: ColumnPreference
}

/** Button that opens the column settings, if their feature flag is on. */
export function ManageColumns<T, A>({ columns, visible, preference }: ManageColumnsProps<T, A>) {
  const isOn = useFlag('column-management')
  const [isOpen, setIsOpen] = useState(false)
  if (!isOn) return null
  return (
    <ToolbarItem>
      <Button variant="link" icon={<ColumnsIcon />} onClick={() => setIsOpen(true)}>
        Manage columns
      </Button>
      {isOpen && (
        <Suspense>
          <ManageColumnsDialog
            columns={columns}
            visible={visible}
            onSave={preference.set}
            onClose={() => setIsOpen(false)}
          />
        </Suspense>
      )}
    </ToolbarItem>
  )
}
