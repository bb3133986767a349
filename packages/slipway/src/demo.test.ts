import { configMapType } from '@slipway/kube/core-types'
import { queryString, resourcePath } from '@slipway/kube/path'
import { formatLabelSelector } from '@slipway/kube/selector'
import { notificationLocation } from '@slipway/model/notification'
import { expect, it } from 'vitest'
import { signedIn } from './sign-in/testing'
import { startSlipway } from './start'
import { emailOf } from './users'

it('has notifications that everybody may read', async () => {
  const ports = { port: 0, apiPort: 0, signInPort: 0, gitPort: 0 }
  const { url, close } = await startSlipway({ ...ports, scenario: 'demo', simulator: false })
  try {
    const browser = await signedIn(url, emailOf('outsider'))
    const { namespace, labels } = notificationLocation
    const selected = queryString({ labelSelector: formatLabelSelector({ matchLabels: labels }) })
    const path = `/api/k8s${resourcePath(configMapType, { namespace })}${selected}`
    const { status, text } = await browser(url + path, undefined, { accept: 'application/json' })
    expect(status).toBe(200)
    expect(JSON.parse(text)).toHaveProperty('items.length', 2)
  } finally {
    await close()
  }
})
