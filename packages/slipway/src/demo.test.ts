import { configMapType, type ConfigMap } from '@slipway/kube/core-types'
import { queryString, resourcePath } from '@slipway/kube/path'
import { formatLabelSelector } from '@slipway/kube/selector'
import { notificationLocation } from '@slipway/model/platform/notification'
import { parsePublicInfo, publicInfoLocation } from '@slipway/model/platform/public-info'
import { expect, it } from 'vitest'
import { signedIn } from './sign-in/testing'
import { startSlipway } from './start'
import { emailOf } from './users'

it('has notifications, public info and build pipelines that all users can read', async () => {
  const ports = { port: 0, apiPort: 0, signInPort: 0, gitPort: 0 }
  const { url, close } = await startSlipway({ ...ports, scenario: 'demo', simulator: false })
  try {
    const browser = await signedIn(url, emailOf('outsider'))
    const get = (path: string) => browser(`${url}/api/k8s${path}`, undefined, { accept: 'application/json' })
    const pipelines = { namespace: 'build-service', name: 'build-pipeline-config' }
    const configMap = await get(resourcePath(configMapType, pipelines))
    expect(configMap.status).toBe(200)
    expect(configMap.text).toContain('default-pipeline-name: docker-build-oci-ta')
    const others = await get(resourcePath(configMapType, { namespace: pipelines.namespace }))
    expect(others.status).toBe(403)

    const info = await get(resourcePath(configMapType, publicInfoLocation))
    expect(parsePublicInfo(JSON.parse(info.text) as ConfigMap)).toMatchObject({
      environment: 'staging',
      statusPageUrl: 'https://status.slipway.test',
      githubAppUrl: 'https://github.com/apps/konflux-staging',
      sbomServer: { sbomSha: 'https://sbom.slipway.test/sboms/<PLACEHOLDER>' },
      imageNotifications: [{ title: 'SBOM-event-to-Bombino', event: 'repo_push' }],
      roles: [{ displayName: 'Admin' }, { displayName: 'Maintainer' }, { displayName: 'Contributor' }],
    })

    const { namespace, labels } = notificationLocation
    const selected = queryString({ labelSelector: formatLabelSelector({ matchLabels: labels }) })
    const { status, text } = await get(resourcePath(configMapType, { namespace }) + selected)
    expect(status).toBe(200)
    expect(JSON.parse(text)).toHaveProperty('items.length', 2)
  } finally {
    await close()
  }
})
