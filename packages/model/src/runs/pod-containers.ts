import type { Pod } from '@slipway/kube/core-types'

/** State of a container, as far as its log is concerned. */
export type ContainerPhase = 'waiting' | 'running' | 'over'

/** The step containers of a task's pod, in the order in which they run. Tekton adds others, whose logs are irrelevant. */
export function stepContainersOf(pod: Pod): string[] {
  const names = (pod.spec?.containers ?? []).map(({ name }) => name)
  const steps = names.filter((name) => name.startsWith('step-'))
  return steps.length > 0 ? steps : names
}

export function containerPhaseOf(pod: Pod, container: string): ContainerPhase {
  const { phase, containerStatuses } = pod.status ?? {}
  if (phase === 'Succeeded' || phase === 'Failed') return 'over'
  const state = containerStatuses?.find(({ name }) => name === container)?.state
  if (state?.terminated) return 'over'
  return state?.running ? 'running' : 'waiting'
}
