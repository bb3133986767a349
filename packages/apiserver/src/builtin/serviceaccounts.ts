import { coreType, defineBuiltin } from './define-builtin'

export const serviceAccounts = defineBuiltin({
  type: coreType('ServiceAccount', 'serviceaccounts'),
  shortNames: ['sa'],
})
