import { applicationType } from '../builds/application'
import { ageColumn, conditions, defineCrd, lastConditionColumns, object, string, strings } from './define-crd'

const repository = object(strings('url', 'branch', 'context'), ['url'])

export const applications = defineCrd({
  group: applicationType.group,
  kind: 'Application',
  plural: 'applications',
  shortNames: ['hasapp', 'ha', 'app'],
  required: ['spec'],
  versions: [
    {
      name: 'v1alpha1',
      spec: object(
        { ...strings('displayName', 'description'), appModelRepository: repository, gitOpsRepository: repository },
        ['displayName'],
      ),
      status: object({ conditions, devfile: string }),
      columns: [ageColumn, ...lastConditionColumns],
    },
  ],
})
