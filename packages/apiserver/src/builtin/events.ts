import { isRecord } from '@slipway/kube/object'
import type { AnyObject, ResourceInfo } from '../registry/resource'
import { eventCauses } from './event-validation'
import { coreType, defineBuiltin } from './define-builtin'

const referenceFields = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath']

/** Fields of what an event is about, under the name that the group has for it. */
function fieldsOfReference(name: string, value: unknown): Record<string, string> {
  const reference = isRecord(value) ? value : {}
  return Object.fromEntries(referenceFields.map((field) => [`${name}.${field}`, String(reference[field] ?? '')]))
}
/** Members that the core group always writes. Source: k8s.io/api, core/v1 and events/v1 types.go. */
const always = {
  source: {},
  firstTimestamp: null,
  lastTimestamp: null,
  eventTime: null,
  reportingComponent: '',
  reportingInstance: '',
}

const filling = (defaults: Record<string, unknown>) => (event: AnyObject) => {
  for (const [member, value] of Object.entries(defaults)) event[member] ??= value
}
const fillCoreEvent = filling(always)

const textOf = (value: unknown): string => String(value ?? '')

export const events = defineBuiltin({
  type: coreType('Event', 'events'),
  shortNames: ['ev'],
  fieldsOf({ involvedObject, reason, type, source, reportingComponent }) {
    const component = isRecord(source) ? source['component'] : undefined
    return {
      ...fieldsOfReference('involvedObject', involvedObject),
      reason: textOf(reason),
      type: textOf(type),
      source: textOf(component || reportingComponent),
      reportingComponent: textOf(reportingComponent),
    }
  },
  fill: fillCoreEvent,
  validate: (event) => eventCauses(event),
})

/** Members that the newer group calls otherwise: name there, name in the core group, where events are kept. */
const renamed = [
  ['regarding', 'involvedObject'],
  ['note', 'message'],
  ['reportingController', 'reportingComponent'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
] as const

function withNames(event: AnyObject, names: ReadonlyMap<string, string>): AnyObject {
  const { apiVersion, kind, metadata, ...rest } = event
  const entries = Object.entries(rest).map(([member, value]) => [names.get(member) ?? member, value])
  return { apiVersion, kind, metadata, ...Object.fromEntries(entries) }
}

const served = new Map(renamed.map(([newer, core]) => [core, newer]))
const kept = new Map(renamed)

/** An event of the newer group as the core group has it. */
export const coreEventOf = (event: AnyObject): AnyObject => ({ ...withNames(event, kept), apiVersion: 'v1' })

function toCoreEvent(event: AnyObject): AnyObject {
  const stored = coreEventOf(event)
  fillCoreEvent(stored)
  return stored
}

/** What the newer group always writes; texts are left out where they are empty. */
const alwaysV1 = {
  eventTime: null,
  regarding: {},
  deprecatedSource: {},
  deprecatedFirstTimestamp: null,
  deprecatedLastTimestamp: null,
}

function toEventV1(stored: AnyObject): AnyObject {
  const event = withNames(stored, served)
  for (const member of ['reportingController', 'reportingInstance']) if (event[member] === '') delete event[member]
  return event
}

/** The same events, in the words of the newer group. Source: pkg/apis/events/v1/conversion.go of Kubernetes. */
export const eventsV1: ResourceInfo = defineBuiltin({
  type: { group: 'events.k8s.io', version: 'v1', kind: 'Event', plural: 'events', namespaced: true },
  shortNames: ['ev'],
  storedAs: { serve: toEventV1, keep: toCoreEvent },
  fill: filling(alwaysV1),
  fieldsOf: ({ regarding, reason, type, reportingController }) => ({
    ...fieldsOfReference('regarding', regarding),
    reason: textOf(reason),
    type: textOf(type),
    reportingController: textOf(reportingController),
  }),
  validate: (event, old) => eventCauses(coreEventOf(event), { newer: { old: old && coreEventOf(old) } }),
})
