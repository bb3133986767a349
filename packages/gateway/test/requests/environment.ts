import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { json, startEchoUpstream, type EchoUpstream } from '@slipway/connect/testing'

/** Kinds in the upstreams' responses, which identify the upstream. */
const kinds = {
  kubernetes: 'Echo',
  namespaceLister: 'NamespaceList',
  tektonResults: 'Echo',
  kubeArchive: 'Echo',
  views: 'Echo',
}
export type UpstreamName = keyof typeof kinds
export type Upstreams = Record<UpstreamName, EchoUpstream>

export async function startUpstreams(): Promise<Upstreams> {
  const started = await Promise.all(
    Object.entries(kinds).map(async ([name, kind]) => {
      const upstream = await startEchoUpstream()
      upstream.respond = json({ kind, apiVersion: 'v1', metadata: {}, items: [] })
      return [name, upstream] as const
    }),
  )
  // With the keys of `kinds`.
  return Object.fromEntries(started) as Upstreams
}

/** Writes a console of two files. @param folder must not exist yet */
export async function writeSite(folder: string): Promise<void> {
  await mkdir(folder)
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Console</title>')
  await writeFile(join(folder, 'favicon.svg'), '<svg/>')
}

/** Makes the gateway probe its plugins, since the probes would count as requests later. */
export async function probePlugins(origin: string, cookie: string): Promise<void> {
  for (const path of [
    'kubearchive/livez',
    'views/livez',
    'tekton-results/apis/results.tekton.dev/v1alpha2/parents/a/results',
  ]) {
    const response = await fetch(`${origin}/api/k8s/plugins/${path}`, { headers: { cookie } })
    if (!response.ok) throw new Error(`${path} responded with ${response.status}`)
  }
}
