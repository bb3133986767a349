import { startCluster } from './cluster'
import { gatewayToken } from './gateway-under-test'
import { describeSecretValues } from './secret-values'

describeSecretValues(async () => {
  const { url, close } = await startCluster()
  return { url, token: gatewayToken, close }
})
