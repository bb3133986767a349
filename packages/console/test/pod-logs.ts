import type { KubeClient } from '@slipway/kube/client'
import { podType, type ContainerState, type Pod } from '@slipway/kube/core-types'
import { queryString, resourcePath } from '@slipway/kube/path'
import { aPod } from '@slipway/model/testing'
import { namespace } from './cluster'

/** The state of a container, and its log. */
export interface ContainerScene {
  state: ContainerState
  /** Written at one time. */
  log?: string
}

export const ended = (exitCode = 0): ContainerState => ({
  terminated: {
    exitCode,
    reason: exitCode === 0 ? 'Completed' : 'Error',
    startedAt: '2026-01-31T09:00:00Z',
    finishedAt: '2026-01-31T09:00:10Z',
  },
})
export const running: ContainerState = { running: { startedAt: '2026-01-31T09:00:00Z' } }
export const waiting: ContainerState = { waiting: { reason: 'PodInitializing' } }

/** Creates a pod with containers, with the status that a kubelet reports. */
export async function putPod(
  system: KubeClient,
  name: string,
  containers: Record<string, ContainerScene>,
): Promise<void> {
  const image = 'registry.slipway.test/tools/buildah:1'
  const pod = aPod({
    metadata: { name, namespace },
    spec: { containers: Object.keys(containers).map((container) => ({ name: container, image })) },
  })
  await system.create(podType, pod)
  const states = Object.entries(containers).map(([container, { state }]) => [container, state] as const)
  await setStates(system, name, Object.fromEntries(states))
  for (const [container, { log }] of Object.entries(containers)) if (log) await write(system, name, container, log)
}

/** @param states of all containers */
export async function setStates(
  system: KubeClient,
  name: string,
  states: Record<string, ContainerState>,
): Promise<void> {
  const pod = await system.get(podType, name, { namespace })
  const containerStatuses = Object.entries(states).map(([container, state]) => ({
    name: container,
    image: '',
    imageID: '',
    ready: Boolean(state.running),
    restartCount: 0,
    state,
  }))
  const isOver = Object.values(states).every((state) => state.terminated)
  const status: Pod['status'] = { ...pod.status, phase: isOver ? 'Succeeded' : 'Running', containerStatuses }
  await system.replaceStatus(podType, { ...pod, status })
}

/** Appends to the log of a container. */
export async function write(
  system: KubeClient,
  pod: string,
  container: string,
  text: string,
  time = '2026-01-31T09:00:01Z',
): Promise<void> {
  const path = resourcePath(podType, { namespace, name: pod, subresource: 'log' })
  await system.request(`${path}${queryString({ container, time })}`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: text,
  })
}

export const removePod = (system: KubeClient, name: string): Promise<unknown> =>
  system.delete(podType, name, { namespace })
