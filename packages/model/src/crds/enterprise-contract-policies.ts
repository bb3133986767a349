import { defineCrd, listOf, open, string } from './define-crd'

const choice = { include: listOf(string), exclude: listOf(string) }

/** A source of rules, with the rules to include and exclude. */
const source = open({
  name: string,
  policy: { ...listOf(string), minItems: 1 },
  data: listOf(string),
  config: open(choice),
  ruleData: open(),
})

export const enterpriseContractPolicies = defineCrd({
  group: 'appstudio.redhat.com',
  kind: 'EnterpriseContractPolicy',
  plural: 'enterprisecontractpolicies',
  shortNames: ['ecp'],
  categories: ['all'],
  versions: [
    {
      name: 'v1alpha1',
      spec: open({
        name: string,
        description: string,
        configuration: open({ ...choice, collections: listOf(string) }),
        sources: { ...listOf(source), minItems: 1 },
        publicKey: string,
      }),
    },
  ],
})
