import { defineBuiltin } from './define-builtin'

/** Leader election leases, stored as written. */
export const leases = defineBuiltin({
  type: { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease', plural: 'leases', namespaced: true },
  fill(lease) {
    lease['spec'] ??= {}
  },
})
