import { defineBuiltin } from './define-builtin'

/** Who leads among several controllers: kept as they are written. */
export const leases = defineBuiltin({
  type: { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease', plural: 'leases', namespaced: true },
  fill(lease) {
    lease['spec'] ??= {}
  },
})
