import { isRecord } from '../http/body'
import { coreType, defineBuiltin } from './define-builtin'

const involved = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath']

export const events = defineBuiltin({
  type: coreType('Event', 'events'),
  shortNames: ['ev'],
  fieldsOf({ involvedObject, reason, type, source, reportingComponent }) {
    const object = isRecord(involvedObject) ? involvedObject : {}
    return {
      ...Object.fromEntries(involved.map((field) => [`involvedObject.${field}`, String(object[field] ?? '')])),
      reason: String(reason ?? ''),
      type: String(type ?? ''),
      source: String((isRecord(source) ? source['component'] : undefined) ?? reportingComponent ?? ''),
    }
  },
})
