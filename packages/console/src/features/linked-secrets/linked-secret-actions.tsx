import type { ServiceAccount } from '@slipway/kube/core-types'
import type { Component } from '@slipway/model/builds/component'
import type { Source } from '../../api/source'
import type { ComponentParams } from '../../paths'
import { linkSecretsPermission } from '../../resources/service-accounts'
import type { DefinedAction } from '../../ui/actions/defined-action'
import { ChunkLoadAlert, lazyComponent } from '../../ui/page/lazy-component'
import type { LinkedSecret } from './linked-secrets'

const LinkSecretsDialog = lazyComponent(() => import('./LinkSecretsDialog'), 'LinkSecretsDialog', {
  Missing: ChunkLoadAlert,
})
const UnlinkSecretsDialog = lazyComponent(() => import('./UnlinkSecretsDialog'), 'UnlinkSecretsDialog', {
  Missing: ChunkLoadAlert,
})

export const linkSecrets: DefinedAction<unknown, ComponentParams> = {
  label: 'Link Secrets',
  needs: linkSecretsPermission,
  dialog: (_, { at: { namespace, component }, onClose }) => (
    <LinkSecretsDialog namespace={namespace} component={component} onClose={onClose} />
  ),
}

interface SelectedLinks {
  links: readonly LinkedSecret[]
  deselect: () => void
}

/** The component whose secrets are linked, and its service account. */
interface LinkedSecretsParams extends ComponentParams {
  source: Source<Component>
  account: ServiceAccount | undefined
}

/** What can be done with one or several links. */
export const linkedSecretActions: readonly DefinedAction<SelectedLinks, LinkedSecretsParams>[] = [
  {
    label: 'Unlink',
    isDanger: true,
    needs: linkSecretsPermission,
    dialog: ({ links, deselect }, { at, onClose }) => (
      <UnlinkSecretsDialog {...at} links={links} onDone={deselect} onClose={onClose} />
    ),
  },
]
