import { type ApplicationParams, paths } from '../../paths'
import { addIntegrationTestPermission } from '../../resources/integration-test-scenarios'
import type { DefinedAction } from '../../ui/actions/defined-action'

export const addIntegrationTest: DefinedAction<unknown, ApplicationParams> = {
  label: 'Add integration test',
  needs: addIntegrationTestPermission,
  to: (_, at) => paths.addIntegrationTest(at),
}
