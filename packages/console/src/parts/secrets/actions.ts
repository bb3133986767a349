import { paths } from '../../paths'
import { createSecretPermission } from '../../resources/secrets'
import type { DefinedAction } from '../../ui/actions/defined-action'

export const createSecret: DefinedAction = {
  label: 'Add secret',
  needs: createSecretPermission,
  to: (_, at) => paths.createSecret(at),
}
