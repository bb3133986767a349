import { nameOf } from '@slipway/kube/object'
import { pipelineRunStatus } from '../runs/run-status'
import type { PipelineRun } from '../runs/pipeline-run'
import { durationMsOf } from '../runs/tekton'
import type { BuildPipelineState } from './build-pipeline-state'
import type { Component } from './component'
import type { Nudges } from './component-relations'

/**
 * What rebuilds when a component does. A new image is proposed to each component that it nudges, by a pull request. Once
 * that is merged, the nudged component is built, and nudges others in turn.
 */
export interface NudgeRipple {
  /** The first wave is what the component nudges, each other wave is what the wave before it nudges. */
  waves: RippleWave[]
  /** Names of the components that rebuild, each once. */
  rebuilt: string[]
  /** Names of the components that would rebuild if no component in front of them were a stop. */
  unreached: string[]
  /** Such as `['api', 'web', 'api']`: builds of these components would follow each other without end. */
  cycles: string[][]
  /** Until every component has been rebuilt for the last time; the first time if there is a cycle. */
  expected: ExpectedTime
}

export interface RippleWave {
  members: RippleMember[]
  /** From the end of the first component's build until the end of the last build of this wave. */
  expected: ExpectedTime
}

/**
 * A component in a wave. One that is reached on paths of different lengths rebuilds after each of them, so it is in each
 * of those waves: in a single one, either its first or its last rebuild would be at the wrong time.
 */
export interface RippleMember {
  name: string
  /** Absent if it does not exist. */
  component?: Component
  /** Members of the wave before that nudge it: each sends a pull request of its own. */
  nudgedBy: string[]
  /** Whether it has rebuilt in an earlier wave. */
  isAgain: boolean
  /** Why nothing rebuilds from here on. Stops are listed only in the first of their waves. */
  stop?: RippleStop
  build: BuildEstimate
}

export type RippleStop = 'missing' | 'deleted' | 'no pipeline'

/** Time that builds take, without the time until pull requests are merged. */
export interface ExpectedTime {
  /** What is known of it: 0 if nothing is. */
  minutes: number
  /** Whether an unknown part is missing, so that it takes at least these minutes. */
  isPartial: boolean
}

export interface BuildEstimate {
  /** `undefined` if no build has succeeded; otherwise at least 1. */
  minutes: number | undefined
  /** How many builds it is derived from. */
  buildCount: number
}

/** How many builds an estimate is derived from: enough to ignore an outlier, and few enough to follow a change. */
export const mostMeasuredBuilds = 5

/** The median duration of the last successful builds. @param builds push builds of a component, newest first */
export function estimateBuild(builds: readonly PipelineRun[]): BuildEstimate {
  const durations = builds
    .filter((run) => pipelineRunStatus(run) === 'Succeeded')
    .flatMap((run) => durationMsOf(run) ?? [])
    .filter((ms) => ms >= 0)
    .slice(0, mostMeasuredBuilds)
    .sort((a, b) => a - b)
  const buildCount = durations.length
  const upper = durations[Math.floor(buildCount / 2)]
  const lower = durations[Math.floor((buildCount - 1) / 2)]
  if (upper === undefined || lower === undefined) return { minutes: undefined, buildCount }
  // Rounded here, so that the sums are those of the minutes that users see.
  return { minutes: Math.max(1, Math.round((upper + lower) / 2 / 60_000)), buildCount }
}

/** What is known of the builds of a component. */
export interface RippleFacts {
  /** `loading` if it could not be derived: the ripple then passes. */
  state: BuildPipelineState
  /** Its push builds, newest first. */
  builds: readonly PipelineRun[] | undefined
}

export interface RippleParts {
  /** Name of the component that rebuilds first. */
  start: string
  /** All of the namespace. */
  components: readonly Component[]
  nudges: Nudges
  factsOf: (name: string) => RippleFacts | undefined
}

export function nudgeRipple({ start, components, nudges, factsOf }: RippleParts): NudgeRipple {
  const byName = new Map(components.map((component) => [nameOf(component), component]))
  const stopOf = (name: string): RippleStop | undefined => {
    const component = byName.get(name)
    if (!component) return 'missing'
    if (component.metadata.deletionTimestamp) return 'deleted'
    const { state = 'loading' } = factsOf(name) ?? {}
    return state === 'ready' || state === 'loading' ? undefined : 'no pipeline'
  }
  const passesOn = (name: string) => name === start || !stopOf(name)
  const { targets, cycles } = withoutCycles(start, (name) => (passesOn(name) ? targetsOf(nudges, name) : []))

  const waves: RippleWave[] = []
  const reached = new Set<string>()
  let front = new Map<string, ExpectedTime>([[start, { minutes: 0, isPartial: false }]])
  while (front.size > 0) {
    const nudgedBy = new Map<string, string[]>()
    for (const name of front.keys())
      for (const target of targets.get(name) ?? []) nudgedBy.set(target, [...(nudgedBy.get(target) ?? []), name])
    const next = new Map<string, ExpectedTime>()
    const members = [...nudgedBy].flatMap(([name, parents]): RippleMember[] => {
      const component = byName.get(name)
      const stop = stopOf(name)
      const build = estimateBuild(factsOf(name)?.builds ?? [])
      const isAgain = reached.has(name)
      if (stop && isAgain) return []
      if (!stop) next.set(name, plus(lastOf(parents.flatMap((parent) => front.get(parent) ?? [])), build))
      return [{ name, ...(component && { component }), nudgedBy: parents, isAgain, ...(stop && { stop }), build }]
    })
    for (const { name } of members) reached.add(name)
    if (members.length > 0) waves.push({ members, expected: lastOf([...next.values()]) })
    front = next
  }
  const all = waves.flatMap(({ members }) => members)
  const stops = all.filter(({ stop }) => stop).map(({ name }) => name)
  return {
    waves,
    rebuilt: [...reached].filter((name) => !stopOf(name)),
    unreached: nudgedFrom(nudges, stops).filter((name) => name !== start && !reached.has(name)),
    cycles,
    expected: lastOf(waves.map(({ expected }) => expected)),
  }
}

/** All that components nudge, directly or through others; a component that nudges itself through others included. */
export function nudgedFrom(nudges: Nudges, starts: readonly string[]): string[] {
  const found = new Set(starts.flatMap((start) => targetsOf(nudges, start)))
  // A set can grow while it is iterated.
  for (const name of found) for (const target of targetsOf(nudges, name)) found.add(target)
  return [...found]
}

const targetsOf = (nudges: Nudges, name: string): string[] => [...new Set(nudges.get(name))]

/** What each reachable component nudges, without the relations that close a cycle, and those cycles. */
function withoutCycles(start: string, all: (name: string) => readonly string[]) {
  const targets = new Map<string, string[]>()
  const cycles: string[][] = []
  const path: string[] = []
  const visit = (name: string) => {
    const own: string[] = []
    targets.set(name, own)
    path.push(name)
    for (const target of all(name)) {
      const first = path.indexOf(target)
      if (first >= 0) cycles.push([...path.slice(first), target])
      else own.push(target)
      if (!targets.has(target)) visit(target)
    }
    path.pop()
  }
  visit(start)
  return { targets, cycles }
}

const plus = ({ minutes, isPartial }: ExpectedTime, build: BuildEstimate): ExpectedTime => ({
  minutes: minutes + (build.minutes ?? 0),
  isPartial: isPartial || build.minutes === undefined,
})

/** When the last of several has ended. An unknown part may be the longest, so it makes the result partial. */
const lastOf = (times: readonly ExpectedTime[]): ExpectedTime => ({
  minutes: times.reduce((most, { minutes }) => Math.max(most, minutes), 0),
  isPartial: times.some(({ isPartial }) => isPartial),
})
