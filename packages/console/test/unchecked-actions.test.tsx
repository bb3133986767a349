import { applicationType } from '@slipway/model/builds/application'
import { waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { prefetchAccess } from '../src/api/access/access'
import { useAccess } from '../src/api/access/use-access'
import type { AccessCheck } from '../src/api/access/access-review'
import { namespace } from './cluster'
import { renderElement } from './render-element'
import { collectUncheckedActions } from './unchecked-actions'

const mayDelete: AccessCheck = { verb: 'delete', type: applicationType, namespace }
const mayList: AccessCheck = { verb: 'list', type: applicationType, namespace }

function Control({ checks }: { checks: AccessCheck[] }) {
  return useAccess(checks).isPending ? 'Checking' : 'Checked'
}

/** Starts the check before its control is rendered, as a loader does. */
function CheckedPage() {
  useState(() => void prefetchAccess([mayDelete]))
  return <Control checks={[mayDelete]} />
}

it('an action whose access was not checked before it is rendered is reported, a link is not', async () => {
  const unchecked = collectUncheckedActions()
  const { container } = await renderElement(<Control checks={[mayDelete, mayList]} />)
  await waitFor(() => expect(container).toHaveTextContent('Checked'))
  expect(unchecked).toEqual(['delete applications'])
})

it('an action whose access is being checked when it is rendered is not reported', async () => {
  const unchecked = collectUncheckedActions()
  const { container } = await renderElement(<CheckedPage />)
  await waitFor(() => expect(container).toHaveTextContent('Checked'))
  expect(unchecked).toEqual([])
})
