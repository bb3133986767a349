import { readFileSync } from 'node:fs'
import { createKubeClient } from '@slipway/kube/client'
import { podType } from '@slipway/kube/core-types'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clusterSetting } from '../../../../scripts/lib/cluster-setting'
import { gatewaySuite } from '../deploy/gateway-rights'
import { kubectlOf, otherDefinitions, overlays, podsOf, render, settingsOf } from '../deploy/manifests'

const kubectl = clusterSetting('CONTROL_PLANE_KUBECTL')
const server = {
  url: clusterSetting('CONTROL_PLANE_URL'),
  ca: readFileSync(clusterSetting('NODE_EXTRA_CA_CERTS'), 'utf8'),
  token: clusterSetting('CONTROL_PLANE_TOKEN'),
}
const kubectlAs = kubectlOf(kubectl, server)
const clientWith = (token = server.token, headers: Record<string, string> = {}) =>
  createKubeClient({ baseUrl: server.url, headers: { authorization: `Bearer ${token}`, ...headers }, fetch })

// In this order: the gateway uses what the overlays have created.
describe('the manifests on a real API server', { shuffle: false }, () => {
  beforeAll(async () => {
    await kubectlAs.apply(otherDefinitions)
    const names = otherDefinitions.map(({ metadata }) => `customresourcedefinitions/${metadata.name}`)
    await kubectlAs.run('wait', '--for=condition=Established', ...names)
  })
  afterAll(async () => {
    for (const overlay of overlays) {
      const objects = (await render(kubectl, overlay)).filter(({ metadata }) => metadata.namespace === undefined)
      const names = objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`)
      await kubectlAs.run('delete', '--ignore-not-found', '--wait=false', ...names)
    }
    const names = otherDefinitions.map(({ metadata }) => `customresourcedefinitions/${metadata.name}`)
    await kubectlAs.run('delete', '--ignore-not-found', ...names)
    kubectlAs.close()
  })

  it.each(overlays)('%s is applied without an error or a warning, and its pods pass pod security', async (overlay) => {
    const objects = await render(kubectl, overlay)
    const { lines, warnings } = await kubectlAs.apply(objects)
    expect(warnings).toBe('')
    expect(lines).toHaveLength(objects.length)
    const pods = podsOf(objects, overlay)
    const created = await kubectlAs.apply(pods)
    expect(created.warnings).toBe('')
    expect(created.lines).toHaveLength(pods.length)
  })

  it('its namespace rejects a pod that may do more', async () => {
    const containers = [{ name: 'a', image: 'registry.example.com/a', securityContext: { privileged: true } }]
    const pod = { metadata: { name: 'privileged', namespace: 'slipway' }, spec: { containers } }
    await expect(clientWith().create(podType, pod)).rejects.toMatchObject({
      code: 403,
      message: expect.stringContaining('violates PodSecurity "restricted'),
    })
  })

  describe('a gateway with the account and the options of the manifests', () => {
    gatewaySuite(async () => {
      const objects = await render(kubectl, 'replicated')
      await kubectlAs.apply(objects)
      return { server, clientWith, settings: settingsOf(objects) ?? expect.fail('no settings') }
    })
  })
})
