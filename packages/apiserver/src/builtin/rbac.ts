import { isSameJson } from '@slipway/kube/json'
import { isRecord } from '@slipway/kube/object'
import { asArray } from '@slipway/kube/parse'
import type { StatusCause } from '@slipway/kube/status'
import type { AnyObject } from '../resource'
import { forbidden, invalid, notSupported, required } from '../field-error'

/** Validation of the four RBAC kinds. Source: pkg/apis/rbac/validation of Kubernetes. */

export const rbacGroup = 'rbac.authorization.k8s.io'

export function roleCauses(role: AnyObject): StatusCause[] {
  return asArray(role['rules']).flatMap((rule, index) => {
    if (!isRecord(rule)) return []
    const at = `rules[${index}]`
    if (asArray(rule['verbs']).length === 0) return [required(`${at}.verbs`, 'verbs must contain at least one value')]
    if (asArray(rule['nonResourceURLs']).length > 0) {
      if (role.metadata.namespace) {
        return [
          invalid(
            `${at}.nonResourceURLs`,
            rule['nonResourceURLs'],
            'namespaced rules cannot apply to non-resource URLs',
          ),
        ]
      }
      const isMixed = ['apiGroups', 'resources', 'resourceNames'].some((member) => asArray(rule[member]).length > 0)
      return isMixed
        ? [
            invalid(
              `${at}.nonResourceURLs`,
              rule['nonResourceURLs'],
              'rules cannot apply to both regular resources and non-resource URLs',
            ),
          ]
        : []
    }
    const causes: StatusCause[] = []
    if (asArray(rule['apiGroups']).length === 0) {
      causes.push(required(`${at}.apiGroups`, 'resource rules must supply at least one api group'))
    }
    if (asArray(rule['resources']).length === 0) {
      causes.push(required(`${at}.resources`, 'resource rules must supply at least one resource'))
    }
    return causes
  })
}

/** Adds missing verbs as an empty list, which validation then reports. */
export function prepareRole(role: AnyObject): void {
  for (const rule of asArray(role['rules'])) if (isRecord(rule)) rule['verbs'] ??= []
}

/** A role without rules has null instead, as Go encodes a nil list without `omitempty`. */
export function fillRole(role: AnyObject): void {
  role['rules'] ??= null
}

/** Fills in the API groups that subjects and role references may omit. */
export function prepareBinding(binding: AnyObject): void {
  const { roleRef } = binding
  if (isRecord(roleRef)) roleRef['apiGroup'] ||= rbacGroup
  for (const subject of asArray(binding['subjects'])) {
    if (isRecord(subject) && subject['kind'] !== 'ServiceAccount') subject['apiGroup'] ||= rbacGroup
  }
}

export function bindingCauses(binding: AnyObject, old: AnyObject | undefined): StatusCause[] {
  const causes: StatusCause[] = []
  const roleRef = isRecord(binding['roleRef']) ? binding['roleRef'] : {}
  const kinds = binding.metadata.namespace ? ['Role', 'ClusterRole'] : ['ClusterRole']
  if (roleRef['apiGroup'] && roleRef['apiGroup'] !== rbacGroup) {
    causes.push(notSupported('roleRef.apiGroup', roleRef['apiGroup'], [rbacGroup]))
  }
  if (!kinds.includes(String(roleRef['kind']))) {
    causes.push(notSupported('roleRef.kind', roleRef['kind'] ?? '', kinds))
  }
  if (!roleRef['name']) causes.push(required('roleRef.name'))
  if (old && !isSameJson(binding['roleRef'], old['roleRef'])) {
    causes.push(invalid('roleRef', binding['roleRef'], 'cannot change roleRef'))
  }
  asArray(binding['subjects']).forEach((subject, index) => {
    if (isRecord(subject)) causes.push(...subjectCauses(subject, `subjects[${index}]`, !!binding.metadata.namespace))
  })
  return causes
}

function subjectCauses(subject: Record<string, unknown>, at: string, isNamespaced: boolean): StatusCause[] {
  const { kind, name, namespace, apiGroup } = subject
  const causes: StatusCause[] = []
  if (!name) causes.push(required(`${at}.name`))
  if (kind === 'ServiceAccount') {
    if (apiGroup) causes.push(notSupported(`${at}.apiGroup`, apiGroup, ['']))
    if (!isNamespaced && !namespace) causes.push(required(`${at}.namespace`))
  } else if (kind === 'User' || kind === 'Group') {
    if (apiGroup !== rbacGroup) causes.push(notSupported(`${at}.apiGroup`, apiGroup, [rbacGroup]))
    if (namespace) causes.push(forbidden(`${at}.namespace`, `namespace may not be set for a ${kind}`))
  } else {
    causes.push(notSupported(`${at}.kind`, kind ?? '', ['ServiceAccount', 'User', 'Group']))
  }
  return causes
}
