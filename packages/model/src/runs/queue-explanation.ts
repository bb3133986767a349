import { estimateStart, type QueueFacts, type QueueObservation, type StartEstimate } from './queue-estimate'

/** What a user reads of a run's place in its queue. */
export interface QueueExplanation {
  /** `7th in the cluster, 2nd of ours, starts in about 12 min`. */
  text: string
  /** Sentences, the most important first. */
  evidence: string[]
}

/** @param queue name of the local queue; `undefined` is returned without an observation */
export function explainQueue(queue: string, facts: QueueFacts): QueueExplanation | undefined {
  const last = facts.observations.at(-1)
  if (!last) return undefined
  const estimate = estimateStart(facts)
  const position = `${positionText(last.aheadInCluster)} in the cluster, ${positionText(last.aheadInQueue)} of ours`
  return {
    text: estimate ? `${position}, ${startText(estimate.inMs)}` : position,
    evidence: [
      estimate ? certaintyText(estimate) : 'Too little is known yet to estimate when it starts.',
      movementText(facts.observations, last),
      pastText(queue, facts),
    ].filter((text) => text !== undefined),
  }
}

const ordinals = new Intl.PluralRules('en-US', { type: 'ordinal' })
const suffixes: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' }

/** `7th`, for six that are ahead. */
const positionText = (ahead: number): string => `${ahead + 1}${suffixes[ordinals.select(ahead + 1)] ?? 'th'}`

const startText = (inMs: number): string =>
  isShort(inMs) ? 'starts within a minute' : `starts in about ${minutesText(inMs)}`

function certaintyText({ certainty, earliestMs, latestMs, from }: StartEstimate): string {
  const source = from === 'movement' ? 'how it moved in the queue' : 'how long earlier runs waited'
  const range = isShort(latestMs)
    ? 'within a minute'
    : isShort(earliestMs)
      ? `within ${minutesText(latestMs)}`
      : `in ${rangeText(earliestMs, latestMs)}`
  return `${certainty}: judging by ${source}, it starts ${range} in 9 of 10 cases.`
}

function movementText(observations: readonly QueueObservation[], last: QueueObservation): string | undefined {
  const [first] = observations
  if (!first || first === last) return undefined
  const time = minutesText(last.atMs - first.atMs)
  const [before, now] = [positionText(first.aheadInCluster), positionText(last.aheadInCluster)]
  return before === now
    ? `It has been ${now} in the cluster for ${time}.`
    : `It went from ${before} to ${now} in the cluster in ${time}.`
}

function pastText(queue: string, { past }: QueueFacts): string | undefined {
  const waits = past?.waits.map(({ createdMs, startedMs }) => startedMs - createdMs).sort((a, b) => a - b) ?? []
  const [shortest, longest] = [waits[0], waits.at(-1)]
  if (shortest === undefined || longest === undefined) return undefined
  if (waits.length === 1) return `The last run of the queue ${queue} waited ${minutesText(longest)}.`
  return `The last ${waits.length} runs of the queue ${queue} waited ${rangeText(shortest, longest)}.`
}

const minuteMs = 60_000
const isShort = (ms: number): boolean => ms < minuteMs

/** `less than a minute`, `12 min`, `2 h 5 min`. */
function minutesText(ms: number): string {
  if (isShort(ms)) return 'less than a minute'
  const minutes = Math.round(ms / minuteMs)
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [hours > 0 && `${hours} h`, rest > 0 && `${rest} min`].filter(Boolean).join(' ')
}

/** `3 to 49 min`, `12 min`, `less than a minute to 1 h 5 min`. */
function rangeText(fromMs: number, toMs: number): string {
  const [from, to] = [minutesText(fromMs), minutesText(toMs)]
  if (from === to) return to
  return /^\d+ min$/.test(from) && /^\d+ min$/.test(to) ? `${from.replace(' min', '')} to ${to}` : `${from} to ${to}`
}
