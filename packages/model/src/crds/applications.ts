import { ageColumn, conditions, defineCrd, lastConditionColumns, open, string } from './define-crd'

const repository = open({ url: string, branch: string, context: string }, ['url'])

export const applications = defineCrd({
  group: 'appstudio.redhat.com',
  kind: 'Application',
  plural: 'applications',
  shortNames: ['hasapp', 'ha', 'app'],
  required: ['spec'],
  versions: [
    {
      name: 'v1alpha1',
      spec: open(
        { displayName: string, description: string, appModelRepository: repository, gitOpsRepository: repository },
        ['displayName'],
      ),
      status: open({ conditions, devfile: string }),
      columns: [ageColumn, ...lastConditionColumns],
    },
  ],
})
