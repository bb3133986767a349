import type { GroupVersionKind } from '../apiextensions/json-schema'

/**
 * Name of a kind in a document: `io.k8s.api.core.v1.ConfigMap`, or for custom kinds with the reversed group,
 * `com.redhat.appstudio.v1alpha1.Component`.
 */
export function definitionName({ group, version, kind }: GroupVersionKind, isCustom: boolean): string {
  if (isCustom) return [...group.split('.').reverse(), version, kind].join('.')
  if (group === 'apiextensions.k8s.io') {
    return `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.${version}.${kind}`
  }
  return `io.k8s.api.${group.split('.')[0] || 'core'}.${version}.${kind}`
}

export const metadataName = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'
export const listMetadataName = 'io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta'
