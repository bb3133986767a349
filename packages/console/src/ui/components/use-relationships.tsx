import { type Component, componentsOf } from '@slipway/model/supply-chain/component'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { disabledReason, useAccess } from '../../api/access/access'
import type { ApplicationParams } from '../../paths'
import { components, defineRelationsChecks } from '../../resources/components'
import type { Action } from '../action'
import { ChunkLoadAlert, lazyComponent } from '../page/lazy-component'

// Loaded on demand: few users open it, and no page needs its fields.
const RelationshipsDialog = lazyComponent(() => import('./RelationshipsDialog'), 'RelationshipsDialog', {
  Missing: ChunkLoadAlert,
})

/** What `useRelationships` requests, for loaders. */
export const relationshipsNeeds = (namespace: string) => ({
  check: defineRelationsChecks(namespace),
  read: [components.listed(namespace)],
})

/** The action that opens the dialog of relationships of an application, and the dialog while it is open. */
export function useRelationships(at: ApplicationParams): { action: Action; dialog: ReactNode } {
  const mayDefine = useAccess(defineRelationsChecks(at.namespace))
  const { data, isError } = useQuery(components.listed(at.namespace))
  const [isOpen, setIsOpen] = useState(false)
  return {
    action: {
      label: 'Define component relationships',
      isWrite: true,
      disabledReason:
        disabledReason(mayDefine, "You don't have access to define component relationships") ||
        (data
          ? missingReason(data.items, at.application)
          : isError
            ? 'The components could not be loaded'
            : 'Loading the components'),
      onSelect: () => setIsOpen(true),
    },
    dialog: isOpen && data && <RelationshipsDialog at={at} components={data.items} onClose={() => setIsOpen(false)} />,
  }
}

/** Why there is nothing to relate. */
function missingReason(all: readonly Component[], application: string): string | false {
  if (componentsOf(all, application).length === 0) return 'This application has no components'
  const existing = all.filter(({ metadata }) => !metadata.deletionTimestamp)
  return existing.length < 2 && 'A relationship needs two components, and this namespace has only one'
}
