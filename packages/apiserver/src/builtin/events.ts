import { isRecord } from '@slipway/kube/object'
import type { AnyObject, ResourceInfo } from '../resource'
import { eventCauses } from './event-validation'
import { coreType, defineBuiltin } from './define-builtin'

const referenceFields = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath']

/** Selectable fields of the object reference of an event, under the name of the reference in its group. */
function fieldsOfReference(name: string, value: unknown): Record<string, string> {
  const reference = isRecord(value) ? value : {}
  return Object.fromEntries(referenceFields.map((field) => [`${name}.${field}`, String(reference[field] ?? '')]))
}
/** Members that the core group always serializes. Source: k8s.io/api, core/v1 and events/v1 types.go. */
const coreDefaults = {
  source: {},
  firstTimestamp: null,
  lastTimestamp: null,
  eventTime: null,
  reportingComponent: '',
  reportingInstance: '',
}

const fillWith = (defaults: Record<string, unknown>) => (event: AnyObject) => {
  for (const [member, value] of Object.entries(defaults)) event[member] ??= value
}
const fillCoreEvent = fillWith(coreDefaults)

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

/** Members that are named differently: name in events.k8s.io/v1, name in the core group, in which events are stored. */
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

const v1Names = new Map(renamed.map(([v1, core]) => [core, v1]))
const coreNames = new Map(renamed)

/** Converts an events.k8s.io/v1 event to the form of the core group. */
export const coreEventOf = (event: AnyObject): AnyObject => ({ ...withNames(event, coreNames), apiVersion: 'v1' })

function toCoreEvent(event: AnyObject): AnyObject {
  const stored = coreEventOf(event)
  fillCoreEvent(stored)
  return stored
}

/** Members that events.k8s.io/v1 always serializes; empty strings are omitted. */
const v1Defaults = {
  eventTime: null,
  regarding: {},
  deprecatedSource: {},
  deprecatedFirstTimestamp: null,
  deprecatedLastTimestamp: null,
}

function toEventV1(stored: AnyObject): AnyObject {
  const event = withNames(stored, v1Names)
  for (const member of ['reportingController', 'reportingInstance']) if (event[member] === '') delete event[member]
  return event
}

/** The same events as served by events.k8s.io/v1. Source: pkg/apis/events/v1/conversion.go of Kubernetes. */
export const eventsV1: ResourceInfo = defineBuiltin({
  type: { group: 'events.k8s.io', version: 'v1', kind: 'Event', plural: 'events', namespaced: true },
  shortNames: ['ev'],
  conversion: { toServed: toEventV1, toStored: toCoreEvent },
  fill: fillWith(v1Defaults),
  fieldsOf: ({ regarding, reason, type, reportingController }) => ({
    ...fieldsOfReference('regarding', regarding),
    reason: textOf(reason),
    type: textOf(type),
    reportingController: textOf(reportingController),
  }),
  validate: (event, old) => eventCauses(coreEventOf(event), { v1: { old: old && coreEventOf(old) } }),
})
