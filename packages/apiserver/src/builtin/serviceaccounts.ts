import { coreType, defineBuiltin } from './define-builtin'

export const serviceAccounts = defineBuiltin({
  type: coreType('ServiceAccount', 'serviceaccounts'),
  shortNames: ['sa'],
  subresources: [
    { name: 'token', type: { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' }, verbs: ['create'] },
  ],
})
