import { clusterSetting } from '../../../../scripts/lib/cluster-setting'
import { describeSecretValues } from '../secret-values'

describeSecretValues(() =>
  Promise.resolve({
    url: clusterSetting('CONTROL_PLANE_URL'),
    token: clusterSetting('CONTROL_PLANE_TOKEN'),
    close: () => Promise.resolve(),
  }),
)
