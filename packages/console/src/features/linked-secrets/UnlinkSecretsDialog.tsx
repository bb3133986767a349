import { Content } from '@patternfly/react-core'
import { systemClock } from '@slipway/kube/clock'
import type { ServiceAccount } from '@slipway/kube/core-types'
import { isCommon } from '@slipway/model/secrets/secret'
import type { Component } from '@slipway/model/builds/component'
import * as z from 'zod/mini'
import { failureText } from '../../api/messages'
import type { Source } from '../../api/source'
import { changeLinks, linkWrites } from '../../resources/secret-links'
import { FailureAlert } from '../../ui/failures/FailureAlert'
import { FormDialog } from '../../ui/form/FormDialog'
import { useResourceForm } from '../../ui/form/resource-form'
import type { LinkedSecret } from './linked-secrets'

interface UnlinkSecretsDialogProps {
  namespace: string
  component: string
  /** The component itself: nothing is unlinked from one that may not exist. */
  source: Source<Component>
  account: ServiceAccount | undefined
  /** At least one. */
  links: readonly LinkedSecret[]
  /** Called before `onClose` once they are unlinked. */
  onDone: () => void
  onClose: () => void
}

const noFields = z.object({})

export function UnlinkSecretsDialog({
  namespace,
  component,
  source,
  account,
  links,
  onDone,
  onClose,
}: UnlinkSecretsDialogProps) {
  const { rows, error } = source
  const isReady = rows !== undefined && !error
  const changes = { unlink: links.map(({ name }) => name) }
  const form = useResourceForm({
    schema: noFields,
    defaults: {},
    toWrites: () => linkWrites(account, changes),
    perform: () => changeLinks(namespace, component, changes, systemClock),
    blocked: () => (isReady ? undefined : 'invalid'),
    isConfirmation: true,
    onDone: () => {
      onDone()
      onClose()
    },
    onCancel: onClose,
  })
  const common = links.filter(({ secret }) => secret && isCommon(secret))
  const [first] = links
  return (
    <FormDialog
      title={links.length === 1 ? `Unlink ${first?.name}?` : `Unlink ${links.length} secrets?`}
      submitLabel="Unlink"
      isDanger
      form={form}
      invalidReason={error ? 'The component could not be loaded.' : 'The component is loading.'}
      hasFields={false}
    >
      <Content component="p">
        {`Builds of ${component} will no longer be able to use ${links.length === 1 ? 'it' : 'them'}. `}
        {links.length === 1 ? 'The secret itself is not deleted.' : 'The secrets themselves are not deleted.'}
      </Content>
      {common.length > 0 && (
        <Content component="p">
          {`${common.map(({ name }) => name).join(', ')} ${common.length === 1 ? 'stays' : 'stay'} linked to all other components, and will be linked to future ones.`}
        </Content>
      )}
      {links.length > 1 && (
        <Content component="ul">
          {links.map(({ name }) => (
            <Content component="li" key={name}>
              {name}
            </Content>
          ))}
        </Content>
      )}
      {error && <FailureAlert title="Unable to load component" body={failureText(error)} />}
    </FormDialog>
  )
}
